import type { Db } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import type { ContentContext } from './context.ts';
import { visibleStatuses } from './entry-access.ts';
import { findEntryBytes } from './entry-queries.ts';

/** As the JSON it is stored as. What the caller may not see is not there. */
export async function readEntry(
  { references, documents }: ContentContext,
  db: Db,
  caller: Caller,
  businessId: string,
  id: string,
): Promise<{ json: string; version: number }> {
  const known = documents.find(businessId, id);
  const row = await findEntryBytes(db, businessId, id, known?.version);
  if (!row) throw notFound('Entry');
  const { version, owner, status, doc } = row;
  const visible = visibleStatuses(references, db, caller, businessId, owner);
  if (!(visible instanceof Promise ? await visible : visible).includes(status)) throw notFound('Entry');
  return { json: doc ? documents.keep(businessId, id, version, doc) : known!.doc, version };
}
