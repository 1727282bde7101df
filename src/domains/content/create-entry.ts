import type { Tx } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { collect } from '../../shared/collect.ts';
import { type FieldError, invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { currentStatus, extendHistory } from '../../shared/statuses.ts';
import type { ContentContext } from './context.ts';
import { insertEntry } from './entry-queries.ts';
import { checkContent, ownerOf } from './entry-rules.ts';
import { CONTENT_STATUSES, type Entry, type EntryInput } from './schemas.ts';

const DEFAULT_LOCALE = 'en';

/** Required blocks may be missing only when the entry says that it is a DRAFT. */
export async function createEntry(
  context: ContentContext,
  tx: Tx,
  caller: Caller,
  businessId: string,
  input: EntryInput,
): Promise<Entry> {
  const now = context.clock.seconds();
  const errors: FieldError[] = [];
  const owner = ownerOf(input, errors);
  if (owner === undefined) throw invalidField('collectionId', 'REQUIRED', 'collectionId or owner is required.');
  const statuses = collect(errors, () =>
    extendHistory({
      history: [],
      incoming: input.statuses,
      allowed: CONTENT_STATUSES,
      initial: 'DRAFT',
      caller,
      businessId,
      nowSeconds: now,
    }),
  );
  const content = await checkContent(context, tx, businessId, {
    owner,
    ownerField: input.collectionId === undefined ? 'owner' : 'collectionId',
    blocks: input.blocks ?? [],
    draft: Boolean(input.statuses?.length && statuses && currentStatus(statuses) === 'DRAFT'),
  });
  errors.push(...content.errors);
  if (errors.length > 0 || !statuses) throw invalid(errors);
  const entry: Entry = {
    id: newId('ent'),
    businessId,
    owner,
    locale: input.locale ?? DEFAULT_LOCALE,
    blocks: content.blocks,
    statuses,
    createdAt: now,
    updatedAt: now,
  };
  await insertEntry(tx, entry);
  return entry;
}
