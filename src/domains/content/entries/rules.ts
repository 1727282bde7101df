import {
  AS_IS,
  type BlockDefinition,
  type BlockValue,
  checkBlocks,
  type PreparedTexts,
  prepareTexts,
  type Reference,
  type Sanitize,
} from '../../../shared/blocks/index.ts';
import { type FieldError, invalid, notFound } from '../../../shared/errors.ts';
import { findUsedMedia, mediaIdsIn, useMediaInBlocks } from '../../media/index.ts';
import type { Command, Query } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { collectionIdOf, parseOwner } from '../owners.ts';
import { checkReferences } from '../references.ts';
import { findEntry } from './queries.ts';

/** `media`: IDs of the media library files that the blocks use and embed. */
type CheckedContent = { blocks: BlockValue[]; media: string[]; errors: FieldError[] };

/**
 * Checks that the owner exists and validates the blocks: against the collection's schema or, for other owners, each block
 * against its own type. Locks the collection until the transaction ends, so that its schema can't change before the write.
 */
export async function checkContent(
  ctx: Command,
  content: {
    owner: string;
    ownerField: string;
    blocks: unknown;
    draft: boolean;
    texts: PreparedTexts;
    /** Skips the check of references, and keeps blocks that no longer match the schema. */
    isTrusted?: boolean;
    /** The current blocks. Existing references may be broken, so that clients can send back the blocks they read. */
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
        errors: [{ field, error: 'NOT_FOUND', message: `${field} does not match a collection.` }],
      };
    }
    const result = schema.check(content.blocks, 'blocks', { draft: content.draft, sanitize });
    const checked =
      content.isTrusted && result.errors.length > 0 ? checkInvalid(content.blocks, schema.blocks, sanitize) : result;
    return withMedia(ctx, checked, content.isTrusted ? [] : checked.references, content.current);
  }
  const checked = checkBlocks(content.blocks, 'blocks', { sanitize });
  const named: Reference[] = kind === 'order' ? [{ targetType: 'ORDER', id, field }] : [];
  const references = content.isTrusted ? named : [...named, ...checked.references];
  return withMedia(ctx, checked, references, content.current);
}

/** Checks each block against its own type instead of the schema. Rich text is sanitized according to the schema. */
function checkInvalid(blocks: unknown, definitions: readonly BlockDefinition[], sanitize: Sanitize) {
  const rich = new Set(definitions.filter(({ settings }) => settings?.variant === 'HTML').map(({ id }) => id));
  const typed = Array.isArray(blocks)
    ? blocks.map((block) =>
        block?.type === 'TEXT' && rich.has(block.id) ? { ...block, settings: { variant: 'HTML' } } : block,
      )
    : blocks;
  const checked = checkBlocks(typed, 'blocks', { sanitize });
  return { ...checked, blocks: checked.blocks.map(({ id, type, value }) => ({ id, type, value })) };
}

async function withMedia(
  ctx: Command,
  { blocks, errors }: { blocks: BlockValue[]; errors: readonly FieldError[] },
  references: readonly Reference[],
  current: readonly BlockValue[] = [],
): Promise<CheckedContent> {
  const named = references.filter(({ targetType }) => targetType === 'MEDIA').map(({ id }) => id);
  const media = await findUsedMedia(ctx, [...mediaIdsIn(blocks), ...named]);
  const existing = new Set(current.flatMap(({ type, value }) => (type === 'RELATIONSHIP' ? [value].flat() : [])));
  const missing = await checkReferences(
    ctx,
    references.filter(({ id }) => !existing.has(id)),
  );
  return { blocks: useMediaInBlocks(blocks, media), media: [...media.keys()], errors: [...errors, ...missing] };
}

/** Validates the blocks of a body whose other fields are invalid. A null `id` means a new entry. */
export async function findBlockErrors(
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
  return schema?.check(blocks, 'blocks', { draft: Array.isArray(statuses), sanitize: AS_IS }).errors ?? [];
}

/** Returns the blocks as they would be stored in a draft. Throws the same 422 as saving the draft. */
export async function checkDraft(ctx: Query, entryId: string, blocks: unknown): Promise<BlockValue[]> {
  const { db, businessId } = ctx;
  const stored = await findEntry(db, businessId, entryId);
  if (!stored) throw notFound('Entry');
  const { sanitize } = await prepareTexts(businessId, blocks);
  const collectionId = collectionIdOf(stored.doc.owner);
  const schema = collectionId === null ? null : await ctx.content.schemas.find(db, businessId, collectionId);
  const checked =
    schema?.check(blocks, 'blocks', { draft: true, sanitize }) ?? checkBlocks(blocks, 'blocks', { sanitize });
  if (checked.errors.length > 0) throw invalid([...checked.errors]);
  return useMediaInBlocks(checked.blocks, await findUsedMedia(ctx, mediaIdsIn(checked.blocks)));
}
