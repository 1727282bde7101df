import type { Db } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import type { ContentContext } from './context.ts';
import { visibleStatuses } from './entry-access.ts';
import { findEntryBytes } from './entry-queries.ts';

/** As the JSON it is stored as. What the caller may not see is not there. */
export async function readEntry(
  { references }: ContentContext,
  db: Db,
  caller: Caller,
  businessId: string,
  id: string,
): Promise<{ json: Buffer; version: number }> {
  const [json, version, owner, status] = (await findEntryBytes(db, businessId, id)) ?? [];
  if (!json) throw notFound('Entry');
  const visible = visibleStatuses(references, db, caller, businessId, String(owner));
  if (!(visible instanceof Promise ? await visible : visible).includes(String(status))) throw notFound('Entry');
  return { json, version: Number(version) };
}
