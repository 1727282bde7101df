import type { Db, Tx } from '../../db/connection.ts';
import { type BlockValue, checkBlocks } from '../../shared/blocks.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { ContentContext } from './context.ts';
import { parseOwner } from './entry-access.ts';
import { findEntry } from './entry-queries.ts';
import type { EntryInput } from './schemas.ts';

/** `collectionId` is another way to write `owner: collection:…`; both together must say the same. */
export function ownerOf({ collectionId, owner }: EntryInput, errors: FieldError[]): string | undefined {
  if (collectionId === undefined) return owner;
  const named = `collection:${collectionId}`;
  if (owner !== undefined && owner !== named) {
    errors.push({ field: 'owner', error: 'INVALID_VALUE', message: 'owner and collectionId name different owners.' });
  }
  return named;
}

/**
 * Checks that the owner exists and that the blocks fit it: the schema of a collection, or for others each block's own type.
 * A collection is held until the transaction ends, so that the entry is written under the schema it was checked against.
 */
export async function checkContent(
  { schemas, references }: ContentContext,
  tx: Tx,
  businessId: string,
  content: { owner: string; ownerField: string; blocks: unknown; draft: boolean },
): Promise<{ blocks: BlockValue[]; errors: FieldError[] }> {
  const { kind, id } = parseOwner(content.owner);
  const field = content.ownerField;
  if (kind === 'collection') {
    const schema = await schemas.hold(tx, businessId, id);
    if (!schema)
      return { blocks: [], errors: [{ field, error: 'NOT_FOUND', message: `${field} names no collection.` }] };
    const checked = schema.check(content.blocks, 'blocks', { draft: content.draft });
    return {
      blocks: checked.blocks,
      errors: [...checked.errors, ...(await references.check(tx, businessId, checked.references))],
    };
  }
  const checked = checkBlocks(content.blocks);
  const named = kind === 'order' ? [{ targetType: 'ORDER' as const, id, field }] : [];
  return {
    blocks: checked.blocks,
    errors: [...checked.errors, ...(await references.check(tx, businessId, [...named, ...checked.references]))],
  };
}

/** What is wrong with the blocks of a body whose other fields have failed already; of a change, with the entry's id. */
export async function checkBlocksOf(
  { schemas }: ContentContext,
  db: Db,
  businessId: string,
  { collectionId, owner, blocks, statuses }: Record<string, unknown>,
  entryId?: string,
): Promise<FieldError[]> {
  if (blocks === undefined) return [];
  const stored = entryId === undefined ? null : await findEntry(db, businessId, entryId);
  const named = collectionId === undefined ? (owner ?? stored?.owner) : `collection:${collectionId}`;
  if (typeof named !== 'string' || parseOwner(named).kind !== 'collection') return [];
  const schema = await schemas.find(db, businessId, parseOwner(named).id);
  return schema?.check(blocks, 'blocks', { draft: Array.isArray(statuses) }).errors ?? [];
}
