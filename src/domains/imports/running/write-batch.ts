/** Writes a batch of records and the import's progress in one transaction, so that a crash never separates them. */
import { isDeepStrictEqual } from 'node:util';
import { type PreparedTexts, preparedTexts } from '../../../shared/blocks/index.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { type CustomerImport, importCustomers } from '../../businesses/index.ts';
import { importProducts, type ProductImport } from '../../catalog/index.ts';
import { importEntries } from '../../content/index.ts';
import { importSubscribers } from '../../newsletters/index.ts';
import { importDocuments, importOrders, importPastOrders } from '../../orders/index.ts';
import type { Command, Steps } from '../context.ts';
import { type Item, located } from '../conversion/convert-record.ts';
import {
  type Body,
  type Converted,
  type PartImport,
  type Repeated,
  type RowError,
  rowError,
} from '../formats/format.ts';
import { addressId } from '../formats/product-draft.ts';
import { findAddresses, insertImages, type NewImage } from '../images/queries.ts';
import { FETCH_IMAGES } from '../jobs.ts';
import {
  addProgress,
  type Counts,
  type ImportRow,
  insertErrors,
  insertKeys,
  lockClaimed,
  type Severity,
  updateIgnored,
} from '../queries.ts';
import { importPart, prepareInvitation, prepareMailTemplate, prepareOwnSender } from './import-part.ts';

/** The lease of an import. Every batch renews it. */
export const LEASE_SECONDS = 60;
/** An import with more errors than this fails, because the file is probably the wrong one. */
const MAX_ERRORS = 100_000;
/** An import with more records that take too long fails, because each costs seconds. */
export const MAX_SLOW = 20;
const MAX_ERRORS_OF_RECORD = 20;
const MAX_WARNINGS_OF_RECORD = 100;
const MAX_IGNORED = 1000;

type Saved =
  | { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string; waiting?: string[]; warnings?: FieldError[] }
  | { errors: FieldError[] };

/** Rolls back the savepoint of a dry run. */
class DryRunRollback extends Error {}

/** Does the work that waits for something outside the transaction. */
export async function prepareBatch(ctx: Steps, batch: readonly Item[]): Promise<void> {
  for (const item of batch) {
    if (item.failure)
      ctx.log.error({ row: item.row, failure: item.failure }, 'An imported record could not be converted');
    if (!('record' in item.outcome)) continue;
    const { record } = item.outcome;
    if (record.texts) setTexts(record, preparedTexts(record.texts.texts, record.texts.processed));
    delete record.texts;
    const found = await prepareRecord(ctx, record);
    if (found) item.outcome = { errors: found.map((error) => located(record, error, item.row)) };
  }
}

const setTexts = ({ data }: Converted, texts: PreparedTexts) => Object.assign(data, { texts });

/** Returns the record's errors, or null. */
async function prepareRecord(ctx: Steps, record: Converted): Promise<FieldError[] | null> {
  try {
    if (record.kind === 'member') await prepareInvitation(ctx, record.data);
    else if (record.kind === 'mailTemplate') await prepareMailTemplate(ctx, record.data);
    else if (record.kind === 'sender') await prepareOwnSender(ctx, record.data);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.details.length > 0) return error.details;
    if (error.kind === 'RATE_LIMITED') return [tooManyInvitations];
    throw error;
  }
}

const tooManyInvitations: FieldError = {
  field: 'email',
  error: 'RATE_LIMITED',
  message: 'Too many invitations at once. Invite this person later.',
};

/** GONE: the import has ended or the lease was lost. FULL or SLOW: the limit of errors or of slow records is reached. */
export async function writeBatch(
  ctx: Command,
  row: ImportRow,
  owner: string,
  batch: readonly Item[],
): Promise<'GONE' | 'FULL' | 'SLOW' | 'OK'> {
  const { db: tx, businessId } = ctx;
  const claimed = await lockClaimed(tx, row, owner, ctx.now + LEASE_SECONDS);
  if (!claimed) return 'GONE';
  const slowRecords = batch.filter(({ isSlow, failure }) => isSlow || failure).length;
  const counts: Counts = { rows: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, slowRecords };
  const errors: RowError[] = [];
  const warnings: RowError[] = [];
  const reject = (found: readonly RowError[]) => {
    counts.failed++;
    errors.push(...found.slice(0, MAX_ERRORS_OF_RECORD));
  };
  const records = await rejectDuplicates(tx, row, batch, { reject, warnings });
  for (const item of batch) {
    counts.rows += item.rows;
    if ('skipped' in item.outcome) {
      counts.skipped++;
      warnings.push(...item.outcome.skipped);
    } else if ('errors' in item.outcome) reject(item.outcome.errors);
  }
  const images: NewImage[] = [];
  for (const [i, saved] of (await (row.dryRun ? trySave(ctx, records) : saveRecords(ctx, records))).entries()) {
    const { record, row: at } = records[i]!;
    if ('errors' in saved) {
      reject(saved.errors.map((error) => located(record, error, at)));
      continue;
    }
    const own = (saved.warnings ?? []).map((error) => located(record, error, at));
    warnings.push(...own, ...(record.warnings ?? []).slice(0, MAX_WARNINGS_OF_RECORD));
    counts[saved.result === 'CREATED' ? 'created' : saved.result === 'UPDATED' ? 'updated' : 'unchanged']++;
    for (const url of saved.waiting ?? []) {
      const named = record.images?.get(url) ?? { row: at, alt: '' };
      images.push({ addressId: addressId(url), recordId: saved.id, url, ...named });
    }
  }
  const store = (severity: Severity, found: RowError[]) => {
    if (found.length === 0) return null;
    found.sort((a, b) => a.row - b.row);
    return insertErrors(tx, businessId, row.id, severity, found.map(named(row)));
  };
  await store('WARNING', warnings);
  const errorCount = (await store('ERROR', errors))?.errorCount ?? claimed.errorCount;
  const ignored = new Set([...claimed.ignored, ...batch.flatMap((item) => item.ignored)].slice(0, MAX_IGNORED));
  if (ignored.size > claimed.ignored.length) ctx.issue(updateIgnored(tx, row, [...ignored]));
  ctx.issue(addProgress(tx, row, batch.at(-1)!.end, counts));
  if (images.length > 0 && !row.dryRun) {
    await insertImages(tx, businessId, row.id, images);
    await ctx.enqueue(FETCH_IMAGES, {}, { key: FETCH_IMAGES });
  }
  if (claimed.slowRecords + slowRecords > MAX_SLOW) return 'SLOW';
  return errorCount > MAX_ERRORS ? 'FULL' : 'OK';
}

type RecordAtRow = { record: Converted; row: number };

/**
 * Reports records whose keys an earlier record already has. Returns the others. A repeated value that a record can do
 * without is dropped, with a warning.
 */
async function rejectDuplicates(
  tx: Command['db'],
  { businessId, id }: ImportRow,
  items: readonly Item[],
  { reject, warnings }: { reject: (errors: RowError[]) => void; warnings: RowError[] },
): Promise<RecordAtRow[]> {
  const records = items.flatMap(({ outcome, row }) => ('record' in outcome ? [{ record: outcome.record, row }] : []));
  const first = new Map<string, { row: number; by: Converted }>();
  for (const { record } of records) {
    for (const { key, row } of record.keys) if (!first.has(key)) first.set(key, { row, by: record });
  }
  const earlier = await insertKeys(
    tx,
    businessId,
    id,
    [...first].map(([key, { row }]) => ({ key, row })),
  );
  return records.filter(({ record }) => {
    const seen = new Set<string>();
    const dropped: RowError[] = [];
    const duplicates = record.keys.flatMap(({ key, field, row, drop }) => {
      const other =
        earlier.get(key) ?? (first.get(key)!.by !== record || seen.has(key) ? first.get(key)!.row : undefined);
      seen.add(key);
      // Error messages are stored, so they never contain an email address.
      const label = key.startsWith('email:') ? 'This email address' : `“${key.slice(key.indexOf(':') + 1, 100)}”`;
      if (other === undefined) return [];
      const message = `${label} is already used in row ${other}`;
      if (!drop) return [rowError(row, field, 'DUPLICATE', `${message}.`)];
      dropRepeated(record, drop);
      dropped.push(rowError(row, field, 'REPEATED', `${message}. It was left out here.`));
      return [];
    });
    if (duplicates.length === 0) warnings.push(...dropped);
    // Two keys can come from the same cell.
    if (duplicates.length > 0)
      reject(duplicates.filter((error, i) => !duplicates.slice(0, i).some((other) => isDeepStrictEqual(error, other))));
    return duplicates.length === 0;
  });
}

/** Replaces URLs in records with the IDs of files that are now in the library. */
async function resolveUrls(ctx: Command, records: readonly RecordAtRow[]): Promise<void> {
  const urls = new Set(records.flatMap(({ record }) => [...(record.images?.keys() ?? [])]));
  if (urls.size === 0) return;
  const known = await findAddresses(ctx.db, ctx.businessId, [...urls].map(addressId));
  for (const { record } of records) {
    if ((record.kind !== 'product' && record.kind !== 'entry') || !record.images) continue;
    record.data.addresses = new Map(
      [...record.images.keys()].map((url) => [url, known.get(addressId(url)) ?? addressId(url)]),
    );
  }
}

/** Saves the records in a savepoint and rolls it back, to report what an import would do. */
async function trySave(ctx: Command, records: readonly RecordAtRow[]): Promise<Saved[]> {
  let saved: Saved[] = [];
  await ctx.db
    .savepoint(async () => {
      saved = await saveRecords(ctx, records);
      throw new DryRunRollback();
    })
    .catch((error) => {
      if (!(error instanceof DryRunRollback)) throw error;
    });
  return saved;
}

/** Writes consecutive records of the same kind together. */
async function saveRecords(ctx: Command, records: readonly RecordAtRow[]): Promise<Saved[]> {
  await resolveUrls(ctx, records);
  const saved: Saved[] = [];
  for (let i = 0; i < records.length; ) {
    const { kind } = records[i]!.record;
    let end = i + 1;
    while (end < records.length && records[end]!.record.kind === kind) end++;
    const data = records.slice(i, end).map(({ record }) => record.data);
    saved.push(...(await saveKind(ctx, kind, data)));
    i = end;
  }
  return saved;
}

async function saveKind(ctx: Command, kind: Body['kind'], data: unknown[]): Promise<Saved[]> {
  switch (kind) {
    case 'product':
      return importProducts(ctx, data as Parameters<typeof importProducts>[1]);
    case 'customer':
      return importCustomers(ctx, data as Parameters<typeof importCustomers>[1]);
    case 'subscriber':
      return importSubscribers(ctx, data as Parameters<typeof importSubscribers>[1]);
    case 'entry':
      return importEntries(ctx, data as Parameters<typeof importEntries>[1]);
    case 'order':
      return importOrders(ctx, data as Parameters<typeof importOrders>[1]);
    case 'pastOrder':
      return importPastOrders(ctx, data as Parameters<typeof importPastOrders>[1]);
    case 'document':
      return importDocuments(ctx, data as Parameters<typeof importDocuments>[1]);
    default: {
      const saved: Saved[] = [];
      for (const one of data) saved.push(await importPart(ctx, kind, one as PartImport));
      return saved;
    }
  }
}

function dropRepeated({ data }: Converted, drop: Repeated): void {
  if ('email' in drop) delete (data as CustomerImport).input.email;
  else {
    const { input } = data as ProductImport;
    input.variants![drop.variant]!.sku = '';
    if (drop.id !== undefined) (data as ProductImport).id = drop.id;
  }
}

/** Column names are matched in lower case but reported as in the file. */
function named({ options: { header = [] } }: ImportRow): (error: RowError) => RowError {
  const names = new Map(header.map((name) => [name.toLowerCase(), name]));
  return (error) => ({ ...error, field: names.get(error.field.toLowerCase()) ?? error.field });
}
