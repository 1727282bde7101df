import type { Db, Tx } from '../../db/sql.ts';
import type { ImportType, RowError } from './formats/format.ts';
import type { ImportStatus } from './schemas.ts';
import type { Delimiter } from './source/csv.ts';
import type { Encoding } from './source/source.ts';

/** How the file is read, and what is known besides it. */
export type ImportOptions = {
  shape: 'csv' | 'ndjson' | 'json';
  encoding: Encoding;
  hasMark: boolean;
  delimiter?: Delimiter;
  header?: string[];
  market?: string;
  collectionId?: string;
  planId?: string;
  consent?: string;
};

export type ImportRow = {
  businessId: string;
  id: string;
  type: ImportType;
  format: string;
  options: ImportOptions;
  dryRun: boolean;
  status: ImportStatus;
  fileKey: string;
  mediaId: string | null;
  fileName: string;
  size: number;
  position: number;
  row: number;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  errorCount: number;
  error: string | null;
  notes: string[];
  userId: string;
  keyId: string | null;
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
};

const COLUMNS = `business_id, id, type, format, options, dry_run, status, file_key, media_id, file_name, size, position, row, rows,
  created, updated, unchanged, skipped, failed, error_count, error, notes, user_id, key_id, created_at, started_at, completed_at`;

export async function insertImport(tx: Tx, row: ImportRow): Promise<void> {
  await tx`insert into imports ${tx({ ...row, options: tx.json(row.options), notes: tx.json(row.notes) })}`;
}

export async function findImport(db: Db, businessId: string, id: string): Promise<ImportRow | null> {
  const [row] = await db<ImportRow[]>`
    select ${db.text(COLUMNS)} from imports where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockImport(tx: Tx, businessId: string, id: string): Promise<ImportRow | null> {
  const [row] = await tx<ImportRow[]>`
    select ${tx.text(COLUMNS)} from imports where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Without what only a worker needs: the header of a file may be long. */
const LISTED = COLUMNS.replace('options', "'{}'::jsonb as options");

/** Newest first. */
export const listImportRows = (
  db: Db,
  businessId: string,
  types: readonly string[],
  before: string | null,
  limit: number,
) => db<ImportRow[]>`
  select ${db.text(LISTED)} from imports
  where business_id = ${businessId} and type = any(${types as string[]}) ${before === null ? db`` : db`and id < ${before}`}
  order by id desc limit ${limit}`;

export async function countOpenImports(db: Db, businessId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from imports where business_id = ${businessId} and status in ('QUEUED', 'RUNNING')`;
  return row!.count;
}

/** Null: it is over, or somebody else is at it. */
export async function claimImport(
  tx: Tx,
  businessId: string,
  id: string,
  { owner, now, untilSeconds }: { owner: string; now: number; untilSeconds: number },
): Promise<ImportRow | null> {
  const [row] = await tx<ImportRow[]>`
    update imports set owner = ${owner}, lease_until = ${untilSeconds}, status = 'RUNNING', started_at = coalesce(started_at, ${now})
    where business_id = ${businessId} and id = ${id} and status in ('QUEUED', 'RUNNING') and (owner is null or lease_until <= ${now})
    returning ${tx.text(COLUMNS)}`;
  return row ?? null;
}

/** The import under its lock, with a longer lease. Null: it was cancelled, or the lease was lost. */
export async function lockClaimed(
  tx: Tx,
  { businessId, id }: ImportRow,
  owner: string,
  untilSeconds: number,
): Promise<ImportRow | null> {
  const [row] = await tx<ImportRow[]>`
    update imports set lease_until = ${untilSeconds}
    where business_id = ${businessId} and id = ${id} and owner = ${owner} and status = 'RUNNING'
    returning ${tx.text(COLUMNS)}`;
  return row ?? null;
}

export async function releaseImport(tx: Tx, { businessId, id }: ImportRow, owner: string): Promise<void> {
  await tx`update imports set owner = null, lease_until = 0 where business_id = ${businessId} and id = ${id} and owner = ${owner}`;
}

export type Counts = Pick<ImportRow, 'rows' | 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'>;

export const addProgress = (
  tx: Tx,
  { businessId, id }: ImportRow,
  { offset, row }: { offset: number; row: number },
  counts: Counts,
) => tx`
    update imports set position = ${offset}, row = ${row}, rows = rows + ${counts.rows}, created = created + ${counts.created},
      updated = updated + ${counts.updated}, unchanged = unchanged + ${counts.unchanged}, skipped = skipped + ${counts.skipped},
      failed = failed + ${counts.failed}
    where business_id = ${businessId} and id = ${id}`;

const MAX_MESSAGE = 500;

/** The number of errors there are now. */
export async function insertErrors(
  tx: Tx,
  businessId: string,
  importId: string,
  errors: readonly RowError[],
): Promise<number> {
  const [counted] = await tx<{ errorCount: number }[]>`
    update imports set error_count = error_count + ${errors.length} where business_id = ${businessId} and id = ${importId}
    returning error_count`;
  if (!counted) return 0;
  await tx`
    insert into import_errors (business_id, import_id, n, row, field, error, message)
    select ${businessId}, ${importId}, ${counted.errorCount - errors.length}::bigint + e.n, e.row, e.field, e.error, e.message
    from unnest(${errors.map(({ row }) => row)}::bigint[], ${errors.map(({ field }) => field.slice(0, 200))}::text[],
      ${errors.map(({ error }) => error)}::text[], ${errors.map(({ message }) => message.slice(0, MAX_MESSAGE))}::text[])
      with ordinality as e (row, field, error, message, n)`;
  return counted.errorCount;
}

export const listErrorRows = (db: Db, businessId: string, importId: string, after: number, limit: number) => db<
  (RowError & { n: number })[]
>`
  select n, row, field, error, message from import_errors
  where business_id = ${businessId} and import_id = ${importId} and n > ${after} order by n limit ${limit}`;

export async function endImport(
  tx: Tx,
  { businessId, id }: ImportRow,
  { status, error = null, now }: { status: ImportStatus; error?: string | null; now: number },
): Promise<ImportRow | null> {
  await tx`delete from import_keys where business_id = ${businessId} and import_id = ${id}`;
  const [row] = await tx<ImportRow[]>`
    update imports set status = ${status}, error = ${error}, completed_at = ${now}, owner = null, lease_until = 0
    where business_id = ${businessId} and id = ${id} and status in ('QUEUED', 'RUNNING')
    returning ${tx.text(COLUMNS)}`;
  return row ?? null;
}

export type Key = { key: string; row: number };

/** Notes these keys. Those that an earlier record of the file had, with its row. */
export async function insertKeys(
  tx: Tx,
  businessId: string,
  importId: string,
  keys: readonly Key[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const noted = await tx<{ key: string }[]>`
    insert into import_keys (business_id, import_id, key, row)
    select ${businessId}, ${importId}, k.key, k.row
    from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ row }) => row)}::bigint[]) as k (key, row)
    on conflict do nothing returning key`;
  const isNew = new Set(noted.map(({ key }) => key));
  const known = keys.flatMap(({ key }) => (isNew.has(key) ? [] : [key]));
  if (known.length === 0) return new Map();
  const taken = await tx<{ key: string; row: number }[]>`
    select key, row from import_keys where business_id = ${businessId} and import_id = ${importId} and key = any(${known})`;
  return new Map(taken.map(({ key, row }) => [key, row]));
}

/** Of all businesses: those that nobody works on. */
export const listStalledImports = (db: Db, now: number) => db<{ businessId: string; id: string }[]>`
  select business_id, id from imports where status in ('QUEUED', 'RUNNING') and lease_until <= ${now} order by created_at limit 1000`;

export const listOldImports = (db: Db, before: number) => db<{ businessId: string; id: string }[]>`
  select business_id, id from imports where created_at < ${before} and status not in ('QUEUED', 'RUNNING') limit 1000`;

export const deleteImport = (tx: Tx, businessId: string, id: string) =>
  tx`delete from imports where business_id = ${businessId} and id = ${id}`;

/** Those of these imports that wait or run. */
export async function listOpenImports(db: Db, businessId: string, ids: string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select id from imports where business_id = ${businessId} and id = any(${ids}) and status in ('QUEUED', 'RUNNING')`;
  return new Set(rows.map(({ id }) => id));
}
