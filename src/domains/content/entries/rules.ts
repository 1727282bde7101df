import { type BlockValue, checkBlocks, type Reference } from '../../../shared/blocks.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { findUsedMedia, mediaIdsIn, useMediaInBlocks } from '../../media/index.ts';
import type { Command, Query } from '../context.ts';
import { collectionIdOf, collectionOwner, parseOwner } from '../owners.ts';
import { checkReferences } from '../references.ts';
import { findEntry } from './queries.ts';

/** `media`: the files of the library that it uses, whose items the blocks carry. */
export type CheckedContent = { blocks: BlockValue[]; media: string[]; errors: FieldError[] };

/**
 * Checks that the owner exists and that the blocks fit it: the schema of a collection, or for others each block's own type.
 * A collection is locked until the transaction ends, so that the entry is written under the schema it was checked against.
 */
export async function checkContent(
  ctx: Command,
  content: { owner: string; ownerField: string; blocks: unknown; draft: boolean },
): Promise<CheckedContent> {
  const { kind, id } = parseOwner(content.owner);
  const field = content.ownerField;
  if (kind === 'collection') {
    const schema = await ctx.content.schemas.lock(ctx.db, ctx.businessId, id);
    if (!schema) {
      return {
        blocks: [],
        media: [],
        errors: [{ field, error: 'NOT_FOUND', message: `${field} names no collection.` }],
      };
    }
    const checked = schema.check(content.blocks, 'blocks', { draft: content.draft });
    return withMedia(ctx, checked.blocks, checked.references, checked.errors);
  }
  const checked = checkBlocks(content.blocks);
  const named: Reference[] = kind === 'order' ? [{ targetType: 'ORDER', id, field }] : [];
  const references = [...named, ...checked.references];
  return withMedia(ctx, checked.blocks, references, checked.errors);
}

async function withMedia(
  ctx: Command,
  blocks: BlockValue[],
  references: readonly Reference[],
  errors: readonly FieldError[],
): Promise<CheckedContent> {
  const named = references.filter(({ targetType }) => targetType === 'MEDIA').map(({ id }) => id);
  const media = await findUsedMedia(ctx, [...mediaIdsIn(blocks), ...named]);
  const missing = await checkReferences(ctx, references);
  return { blocks: useMediaInBlocks(blocks, media), media: [...media.keys()], errors: [...errors, ...missing] };
}

/** What is wrong with the blocks of a body whose other fields have failed already. Null: of a new entry. */
export async function findBlockProblems(
  { db, businessId, content }: Query,
  { id, sent }: { id: string | null; sent: Record<string, unknown> },
): Promise<FieldError[]> {
  const { collectionId, owner, blocks, statuses } = sent;
  if (blocks === undefined) return [];
  const stored = id === null ? null : await findEntry(db, businessId, id);
  const named = collectionId === undefined ? (owner ?? stored?.owner) : collectionOwner(String(collectionId));
  const schemaId = typeof named === 'string' ? collectionIdOf(named) : null;
  if (schemaId === null) return [];
  const schema = await content.schemas.find(db, businessId, schemaId);
  return schema?.check(blocks, 'blocks', { draft: Array.isArray(statuses) }).errors ?? [];
}
