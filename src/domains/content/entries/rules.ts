import {
  AS_IT_IS,
  type BlockValue,
  checkBlocks,
  type PreparedTexts,
  prepareTexts,
  type Reference,
} from '../../../shared/blocks.ts';
import { type FieldError, invalid, notFound } from '../../../shared/errors.ts';
import { findUsedMedia, mediaIdsIn, useMediaInBlocks } from '../../media/index.ts';
import type { Command, Query, Steps } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { collectionIdOf, parseOwner } from '../owners.ts';
import { checkReferences } from '../references.ts';
import { findEntry } from './queries.ts';
import type { Entry } from './schemas.ts';

/** `media`: the files of the library that it uses, whose items the blocks carry. */
type CheckedContent = { blocks: BlockValue[]; media: string[]; errors: FieldError[] };

/**
 * Checks that the owner exists and that the blocks fit it: the schema of a collection, or for others each block's own type.
 * A collection is locked until the transaction ends, so that the entry is written under the schema it was checked against.
 */
export async function checkContent(
  ctx: Command,
  content: {
    owner: string;
    ownerField: string;
    blocks: unknown;
    draft: boolean;
    texts: PreparedTexts;
    /** References of its blocks are not looked for. */
    trusts?: boolean;
    /** What it has now: to what it refers already may be gone, so that it can be sent back as it was read. */
    current?: readonly BlockValue[];
  },
): Promise<CheckedContent> {
  const { kind, id } = parseOwner(content.owner);
  const field = content.ownerField;
  const { sanitize } = content.texts;
  if (kind === 'collection') {
    const schema = await ctx.content.schemas.lock(ctx.db, ctx.businessId, id);
    if (!schema) {
      return {
        blocks: [],
        media: [],
        errors: [{ field, error: 'NOT_FOUND', message: `${field} names no collection.` }],
      };
    }
    const checked = schema.check(content.blocks, 'blocks', { draft: content.draft, sanitize });
    return withMedia(ctx, checked, content.trusts ? [] : checked.references, content.current);
  }
  const checked = checkBlocks(content.blocks, 'blocks', { sanitize });
  const named: Reference[] = kind === 'order' ? [{ targetType: 'ORDER', id, field }] : [];
  const references = content.trusts ? named : [...named, ...checked.references];
  return withMedia(ctx, checked, references, content.current);
}

async function withMedia(
  ctx: Command,
  { blocks, errors }: { blocks: BlockValue[]; errors: readonly FieldError[] },
  references: readonly Reference[],
  current: readonly BlockValue[] = [],
): Promise<CheckedContent> {
  const named = references.filter(({ targetType }) => targetType === 'MEDIA').map(({ id }) => id);
  const media = await findUsedMedia(ctx, [...mediaIdsIn(blocks), ...named]);
  const had = new Set(current.flatMap(({ type, value }) => (type === 'RELATIONSHIP' ? [value].flat() : [])));
  const missing = await checkReferences(
    ctx,
    references.filter(({ id }) => !had.has(id)),
  );
  return { blocks: useMediaInBlocks(blocks, media), media: [...media.keys()], errors: [...errors, ...missing] };
}

/** The texts that the entry will have. Null: of a new entry. */
export async function prepareEntry(
  { db, businessId }: Query,
  { id, blocks }: { id: string | null; blocks: unknown },
): Promise<PreparedTexts> {
  if (blocks !== undefined || id === null) return prepareTexts(blocks);
  const stored = await findEntry(db, businessId, id);
  return prepareTexts(stored && (JSON.parse(stored.doc) as Entry).blocks);
}

/** What is wrong with the blocks of a body whose other fields have failed already. Null: of a new entry. */
export async function findBlockProblems(
  { db, businessId, content }: Query,
  { id, sent }: { id: string | null; sent: Record<string, unknown> },
): Promise<FieldError[]> {
  const { blocks, statuses } = sent;
  if (blocks === undefined) return [];
  const stored = id === null ? null : await findEntry(db, businessId, id);
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const named = { collectionId: text(sent.collectionId), owner: text(sent.owner) };
  const owner = (await findOwner({ db, businessId }, named, [])) ?? stored?.owner;
  const schemaId = owner === undefined ? null : collectionIdOf(owner);
  if (schemaId === null) return [];
  const schema = await content.schemas.find(db, businessId, schemaId);
  return schema?.check(blocks, 'blocks', { draft: Array.isArray(statuses), sanitize: AS_IT_IS }).errors ?? [];
}

/** The blocks that the entry would have, were it saved with these as a draft. Raises 422 as that would. */
export async function checkDraft(ctx: Query | Steps, entryId: string, blocks: unknown): Promise<BlockValue[]> {
  const { db, businessId } = ctx;
  const stored = await findEntry(db, businessId, entryId);
  if (!stored) throw notFound('Entry');
  const { sanitize } = await prepareTexts(blocks);
  const collectionId = collectionIdOf((JSON.parse(stored.doc) as Entry).owner);
  const schema = collectionId === null ? null : await ctx.content.schemas.find(db, businessId, collectionId);
  const checked =
    schema?.check(blocks, 'blocks', { draft: true, sanitize }) ?? checkBlocks(blocks, 'blocks', { sanitize });
  if (checked.errors.length > 0) throw invalid([...checked.errors]);
  return useMediaInBlocks(checked.blocks, await findUsedMedia(ctx, mediaIdsIn(checked.blocks)));
}
