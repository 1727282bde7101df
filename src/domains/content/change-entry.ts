import type { Tx } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { collect } from '../../shared/collect.ts';
import { type FieldError, invalid, notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { currentStatus, extendHistory } from '../../shared/statuses.ts';
import type { ContentContext } from './context.ts';
import { visibleStatuses } from './entry-access.ts';
import { deleteEntryRow, type EntryRow, lockEntry, updateEntry } from './entry-queries.ts';
import { checkContent, ownerOf } from './entry-rules.ts';
import { CONTENT_STATUSES, type Entry, type EntryInput } from './schemas.ts';

type Address = { businessId: string; id: string };

/**
 * The blocks are checked when they are sent, when the entry gets another owner and when it becomes PUBLISHED. Any other
 * change goes through although the schema has moved on meanwhile.
 */
export async function changeEntry(
  context: ContentContext,
  tx: Tx,
  caller: Caller,
  address: Address,
  changes: EntryInput,
  ifMatch: string | undefined,
): Promise<{ entry: Entry; version: number }> {
  const row = await lockVisible(context, tx, caller, address);
  checkIfMatch(ifMatch, row.version);
  const before = JSON.parse(row.doc) as Entry;
  const now = context.clock.seconds();
  const errors: FieldError[] = [];
  const owner = ownerOf(changes, errors) ?? before.owner;
  const statuses = collect(errors, () =>
    extendHistory({
      history: before.statuses,
      incoming: changes.statuses,
      allowed: CONTENT_STATUSES,
      initial: 'DRAFT',
      caller,
      businessId: address.businessId,
      nowSeconds: now,
    }),
  );
  const status = currentStatus(statuses ?? before.statuses);
  const isPublishing = status === 'PUBLISHED' && row.status !== 'PUBLISHED';
  let { blocks } = before;
  if (changes.blocks !== undefined || owner !== before.owner || isPublishing) {
    const content = await checkContent(context, tx, address.businessId, {
      owner,
      ownerField: changes.collectionId === undefined ? 'owner' : 'collectionId',
      blocks: changes.blocks ?? before.blocks,
      draft: status === 'DRAFT',
    });
    errors.push(...content.errors);
    blocks = content.blocks;
  }
  if (errors.length > 0 || !statuses) throw invalid(errors);
  const locale = changes.locale ?? before.locale;
  const entry: Entry = { ...before, owner, locale, blocks, statuses, updatedAt: now };
  await updateEntry(tx, entry);
  return { entry, version: row.version + 1 };
}

export async function deleteEntry(
  context: ContentContext,
  tx: Tx,
  caller: Caller,
  address: Address,
  ifMatch: string | undefined,
): Promise<void> {
  const row = await lockVisible(context, tx, caller, address);
  checkIfMatch(ifMatch, row.version);
  await deleteEntryRow(tx, address.businessId, address.id);
}

/** What the caller may not see, he may not change either. */
async function lockVisible(
  context: ContentContext,
  tx: Tx,
  caller: Caller,
  { businessId, id }: Address,
): Promise<EntryRow> {
  const row = await lockEntry(tx, businessId, id);
  if (!row) throw notFound('Entry');
  const visible = await visibleStatuses(context.references, tx, caller, businessId, row.owner);
  if (!visible.includes(row.status)) throw notFound('Entry');
  return row;
}
