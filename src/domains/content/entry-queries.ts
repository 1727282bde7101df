import type { Db, Tx } from '../../db/connection.ts';
import { currentStatus } from '../../shared/statuses.ts';
import { indexedValues, searchWords } from './entry-index.ts';
import type { Entry } from './schemas.ts';

export type EntryRow = { doc: string; version: number; owner: string; status: string };

export async function findEntry(db: Db, businessId: string, id: string): Promise<EntryRow | null> {
  const [row] = await db<EntryRow[]>`
    select doc, version, owner, status from entries where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** The same for an answer: the document as bytes, or none when it is of the known version. */
export async function findEntryBytes(
  db: Db,
  businessId: string,
  id: string,
  knownVersion = 0,
): Promise<(Omit<EntryRow, 'doc'> & { doc: string | null }) | null> {
  const [row] = await db<(Omit<EntryRow, 'doc'> & { doc: string | null })[]>`
    select version, owner, status, case when version = ${knownVersion} then null else doc end as doc from entries
    where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** The documents of those of these entries that are in one of these statuses. */
export async function listDocuments(
  db: Db,
  businessId: string,
  ids: readonly string[],
  statuses: readonly string[],
): Promise<{ id: string; version: number; doc: string }[]> {
  return db<{ id: string; version: number; doc: string }[]>`
    select id, version, doc from entries
    where business_id = ${businessId} and id = any(${ids as string[]}) and status = any(${statuses as string[]})`;
}

export async function lockEntry(tx: Tx, businessId: string, id: string): Promise<EntryRow | null> {
  const [row] = await tx<EntryRow[]>`
    select doc, version, owner, status from entries where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** The entry and what it can be found by, in one statement. */
export async function insertEntry(tx: Tx, entry: Entry): Promise<void> {
  await tx`
    with entry as (
      insert into entries (business_id, id, owner, status, doc, search, created_at)
      values (${entry.businessId}, ${entry.id}, ${entry.owner}, ${currentStatus(entry.statuses)!},
        ${JSON.stringify(entry)}, array_to_tsvector(${searchWords(entry.blocks)}::text[]), ${entry.createdAt})
    )
    ${insertValues(tx, entry)}`;
}

export async function updateEntry(tx: Tx, entry: Entry): Promise<void> {
  const { businessId, id } = entry;
  await tx`delete from entry_values where business_id = ${businessId} and entry_id = ${id}`;
  await tx`
    with entry as (
      update entries set owner = ${entry.owner}, status = ${currentStatus(entry.statuses)!},
        doc = ${JSON.stringify(entry)}, search = array_to_tsvector(${searchWords(entry.blocks)}::text[]),
        version = version + 1
      where business_id = ${businessId} and id = ${id}
    )
    ${insertValues(tx, entry)}`;
}

export async function deleteEntryRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from entry_values where business_id = ${businessId} and entry_id = ${id}`;
  await tx`delete from entries where business_id = ${businessId} and id = ${id}`;
}

export async function deleteEntriesOf(tx: Tx, businessId: string, owner: string): Promise<void> {
  await tx`delete from entry_values where business_id = ${businessId} and owner = ${owner}`;
  await tx`delete from entries where business_id = ${businessId} and owner = ${owner}`;
}

export async function hasEntries(db: Db, businessId: string, owner: string): Promise<boolean> {
  const rows = await db`select from entries where business_id = ${businessId} and owner = ${owner} limit 1`;
  return rows.length > 0;
}

export async function existingEntries(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from entries where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map((row) => row.id);
}

function insertValues(tx: Tx, entry: Entry) {
  const values = indexedValues(entry);
  return tx`
    insert into entry_values (business_id, entry_id, block_id, n, owner, status, key, created_at)
    select ${entry.businessId}, ${entry.id}, v.block_id, v.n, ${entry.owner}, ${currentStatus(entry.statuses)!}, v.key,
      ${entry.createdAt}
    from unnest(${values.map(({ blockId }) => blockId)}::text[], ${values.map(({ n }) => n)}::smallint[],
      ${values.map(({ key }) => key)}::text[]) as v (block_id, n, key)`;
}
