import type { Db } from '../../../db/sql.ts';
import { inStoredOrder } from '../../../shared/statuses.ts';
import { findDraft } from '../../publishing/index.ts';
import type { Entry } from './schemas.ts';

/**
 * The entry as its draft has it: content of the draft, everything else of the entry. `words`: what the text search will know of it.
 * Null: there is none.
 */
export async function findDraftOf(db: Db, entry: Entry) {
  if (!entry.hasDraft) return null;
  const row = await findDraft(db, entry.businessId, `entry:${entry.id}`);
  if (!row) return null;
  const { locale, blocks, updatedAt } = JSON.parse(row.doc) as Entry;
  return { entry: inStoredOrder({ ...entry, locale, blocks, updatedAt }), words: row.words ?? [], number: row.number };
}
