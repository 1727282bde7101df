import type { Db } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import type { ContentContext } from './context.ts';
import { visibleStatuses } from './entry-access.ts';
import { type EntryRow, findEntry } from './entry-queries.ts';

/** As the JSON text it is stored as. What the caller may not see is not there. */
export async function readEntry(
  { references }: ContentContext,
  db: Db,
  caller: Caller,
  businessId: string,
  id: string,
): Promise<EntryRow> {
  const row = await findEntry(db, businessId, id);
  if (!row) throw notFound('Entry');
  const visible = visibleStatuses(references, db, caller, businessId, row.owner);
  if (!(visible instanceof Promise ? await visible : visible).includes(row.status)) throw notFound('Entry');
  return row;
}
