import type { Db, Tx } from '../../db/sql.ts';
import type { ImportType, RowError } from './formats/format.ts';
import type { ImportStatus } from './schemas.ts';
import type { Delimiter } from './source/csv.ts';
import type { Encoding } from './source/encoding.ts';

/** How the file is parsed, and the parameters of the request. */
export type ImportOptions = {
  shape: 'csv' | 'ndjson' | 'json';
  encoding: Encoding;
  hasMark: boolean;
  delimiter?: Delimiter;
  header?: string[];
  /** The number of the header's row: other rows can come before it. Defaults to 1. */
  headerRow?: number;
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
  warningCount: number;
  /** How often a process died while it held the lease, since the last progress. */
  interruptions: number;
  /** Records that took too long to convert. */
  slowRecords: number;
  error: string | null;
  notes: string[];
  /** The columns or fields of the file that the import ignores. */
  ignored: string[];
  userId: string;
  keyId: string | null;
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
};

const COLUMNS = `business_id, id, type, format, options, dry_run, status, file_key, media_id, file_name, size, position, row, rows,
  created, updated, unchanged, skipped, failed, error_count, warning_count, interruptions, slow_records, error, notes, ignored, user_id, key_id, created_at, started_at, completed_at`;

export async function insertImport(tx: Tx, row: ImportRow): Promise<void> {
  await tx`insert into imports ${tx({ ...row, options: tx.json(row.options), notes: tx.json(row.notes), ignored: tx.json(row.ignored) })}`;
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

/** Without columns that only the worker needs: the header of a file can be long. */
const LISTED = COLUMNS.replace('options', "jsonb_build_object('shape', options -> 'shape') as options");

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

/**
 * Returns null if the import has ended or another worker holds its lease. A lease that expired with its owner was never released, so the
 * process died.
 */
export async function claimImport(
  tx: Tx,
  businessId: string,
  id: string,
  { owner, now, untilSeconds }: { owner: string; now: number; untilSeconds: number },
): Promise<ImportRow | null> {
  const [row] = await tx<ImportRow[]>`
    update imports set interruptions = interruptions + case when owner is null then 0 else 1 end,
      owner = ${owner}, lease_until = ${untilSeconds}, status = 'RUNNING', started_at = coalesce(started_at, ${now})
    where business_id = ${businessId} and id = ${id} and status in ('QUEUED', 'RUNNING') and (owner is null or lease_until <= ${now})
    returning ${tx.text(COLUMNS)}`;
  return row ?? null;
}

/** Locks the import and renews its lease. Returns null if it was canceled or the lease was lost. */
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

export type Counts = Pick<
  ImportRow,
  'rows' | 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed' | 'slowRecords'
>;

export const addProgress = (
  tx: Tx,
  { businessId, id }: ImportRow,
  { offset, row }: { offset: number; row: number },
  counts: Counts,
) => tx`
    update imports set position = ${offset}, row = ${row}, rows = rows + ${counts.rows}, created = created + ${counts.created},
      updated = updated + ${counts.updated}, unchanged = unchanged + ${counts.unchanged}, skipped = skipped + ${counts.skipped},
      failed = failed + ${counts.failed}, slow_records = slow_records + ${counts.slowRecords}, interruptions = 0
    where business_id = ${businessId} and id = ${id}`;

const MAX_MESSAGE = 500;
/** Maximum number of stored warnings. Further ones are only counted. */
const MAX_WARNINGS = 100_000;

export type Severity = 'ERROR' | 'WARNING';

/** Returns the total number of errors and of warnings. */
export async function insertErrors(
  tx: Tx,
  businessId: string,
  importId: string,
  severity: Severity,
  found: readonly RowError[],
): Promise<{ errorCount: number; warningCount: number } | null> {
  const [added, warned] = severity === 'ERROR' ? [found.length, 0] : [0, found.length];
  const [counted] = await tx<{ errorCount: number; warningCount: number }[]>`
    update imports set error_count = error_count + ${added}, warning_count = warning_count + ${warned}
    where business_id = ${businessId} and id = ${importId}
    returning error_count, warning_count`;
  if (!counted) return null;
  const before = counted.errorCount + counted.warningCount - found.length;
  const errors = severity === 'WARNING' && counted.warningCount > MAX_WARNINGS ? [] : found;
  await tx`
    insert into import_errors (business_id, import_id, n, severity, row, field, error, message)
    select ${businessId}, ${importId}, ${before}::bigint + e.n, ${severity}, e.row, e.field, e.error, e.message
    from unnest(${errors.map(({ row }) => row)}::bigint[], ${errors.map(({ field }) => field.slice(0, 200))}::text[],
      ${errors.map(({ error }) => error)}::text[], ${errors.map(({ message }) => message.slice(0, MAX_MESSAGE))}::text[])
      with ordinality as e (row, field, error, message, n)`;
  return counted;
}

type ErrorPage = { severity: Severity; after: number; limit: number };

export const listErrorRows = (
  db: Db,
  businessId: string,
  importId: string,
  { severity, after, limit }: ErrorPage,
) => db<(RowError & { n: number })[]>`
  select n, row, field, error, message from import_errors
  where business_id = ${businessId} and import_id = ${importId} and severity = ${severity} and n > ${after}
  order by n limit ${limit}`;

export const updateIgnored = (tx: Tx, { businessId, id }: ImportRow, ignored: readonly string[]) => tx`
  update imports set ignored = ${tx.json(ignored as string[])} where business_id = ${businessId} and id = ${id}`;

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

type Key = { key: string; row: number };

/** Inserts these keys. Returns the ones that an earlier record of the file already has, with its row. */
export async function insertKeys(
  tx: Tx,
  businessId: string,
  importId: string,
  keys: readonly Key[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const inserted = await tx<{ key: string }[]>`
    insert into import_keys (business_id, import_id, key, row)
    select ${businessId}, ${importId}, k.key, k.row
    from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ row }) => row)}::bigint[]) as k (key, row)
    on conflict do nothing returning key`;
  const isNew = new Set(inserted.map(({ key }) => key));
  const known = keys.flatMap(({ key }) => (isNew.has(key) ? [] : [key]));
  if (known.length === 0) return new Map();
  const taken = await tx<{ key: string; row: number }[]>`
    select key, row from import_keys where business_id = ${businessId} and import_id = ${importId} and key = any(${known})`;
  return new Map(taken.map(({ key, row }) => [key, row]));
}

/** Open imports without a lease, of one business or all, oldest first. */
export const listFreeImports = (db: Db, businessId: string | null, now: number, limit: number) => db<
  { businessId: string; id: string }[]
>`
  select business_id, id from imports where status in ('QUEUED', 'RUNNING') and lease_until <= ${now}
    ${businessId === null ? db`` : db`and business_id = ${businessId}`}
  order by created_at limit ${limit}`;

export const listOldImports = (db: Db, before: number) => db<{ businessId: string; id: string }[]>`
  select business_id, id from imports where created_at < ${before} and status not in ('QUEUED', 'RUNNING') limit 1000`;

export const deleteImport = (tx: Tx, businessId: string, id: string) =>
  tx`delete from imports where business_id = ${businessId} and id = ${id}`;

/** The IDs among these whose import is queued or running. */
export async function listOpenImports(db: Db, businessId: string, ids: string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select id from imports where business_id = ${businessId} and id = any(${ids}) and status in ('QUEUED', 'RUNNING')`;
  return new Set(rows.map(({ id }) => id));
}
