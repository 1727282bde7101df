/** Writes a batch of records and how far the import has come, in one transaction: after a crash neither is there without the other. */
import { isDeepStrictEqual } from 'node:util';
import { prepareTexts } from '../../shared/blocks.ts';
import { type FieldError, ServiceError } from '../../shared/errors.ts';
import { importCustomers } from '../businesses/index.ts';
import { importProducts } from '../catalog/index.ts';
import { importEntries } from '../content/index.ts';
import { importSubscribers } from '../newsletters/index.ts';
import { importOrders } from '../orders/index.ts';
import type { Command, Steps } from './context.ts';
import { type Body, type Converted, type Outcome, type PartImport, type RowError, wrong } from './formats/format.ts';
import { noteFiles } from './formats/own-media.ts';
import { addressId } from './formats/product-draft.ts';
import { importPart, prepareInvitation } from './import-part.ts';
import { FETCH_PICTURES } from './jobs.ts';
import { findAddresses, insertPictures, type Picture } from './picture-queries.ts';
import { addProgress, type Counts, type ImportRow, insertErrors, insertKeys, lockClaimed } from './queries.ts';
import type { Position } from './source/rows.ts';

/** A record, its first row, how many it has, and where the file goes on behind them. */
export type Item = { outcome: Outcome; row: number; rows: number; end: Position };

/** How long an import is ours without a word. */
export const LEASE_SECONDS = 60;
/** More than anybody reads. */
export const MAX_ERRORS = 100_000;
const MAX_ERRORS_OF_RECORD = 20;

type Saved = { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string; waiting?: string[] } | { errors: FieldError[] };

/** What is tried and undone. */
class Undone extends Error {}

/** Everything that takes time and needs no transaction: rich text is sanitised in a thread. */
export async function prepareBatch(ctx: Steps, batch: readonly Item[]): Promise<void> {
  for (const item of batch) {
    if (item.outcome === 'SKIPPED' || 'errors' in item.outcome) continue;
    const { record } = item.outcome;
    noteFiles(record, item.row);
    const found =
      ctx.imports.checks[record.kind]?.('input' in record.data ? record.data.input : null) ??
      (await prepareRecord(ctx, record));
    if (found) item.outcome = { errors: found.map((error) => locate(record, error, item.row)) };
  }
}

/** What is wrong with it; null: nothing. */
async function prepareRecord(ctx: Steps, record: Converted): Promise<FieldError[] | null> {
  try {
    if (record.kind === 'product' || record.kind === 'entry' || record.kind === 'order')
      record.data.texts = await prepareTexts(record.data.input.blocks);
    else if (record.kind === 'member') await prepareInvitation(ctx, record.data);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.details.length > 0) return error.details;
    if (error.kind === 'RATE_LIMITED') return [tooManyMails];
    throw error;
  }
}

const tooManyMails: FieldError = {
  field: 'email',
  error: 'RATE_LIMITED',
  message: 'Too many invitations at once. Invite this person yourself in a while.',
};

/** GONE: the import is not ours any more. FULL: more errors than anybody reads. */
export async function writeBatch(
  ctx: Command,
  row: ImportRow,
  owner: string,
  batch: readonly Item[],
): Promise<'GONE' | 'FULL' | 'OK'> {
  const { db: tx, businessId } = ctx;
  const claimed = await lockClaimed(tx, row, owner, ctx.now + LEASE_SECONDS);
  if (!claimed) return 'GONE';
  const counts: Counts = { rows: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
  const errors: RowError[] = [];
  const refuse = (found: readonly RowError[]) => {
    counts.failed++;
    errors.push(...found.slice(0, MAX_ERRORS_OF_RECORD));
  };
  const wanted = await refuseRepeated(tx, row, batch, refuse);
  for (const item of batch) {
    counts.rows += item.rows;
    if (item.outcome === 'SKIPPED') counts.skipped++;
    else if ('errors' in item.outcome) refuse(item.outcome.errors);
  }
  const pictures: Picture[] = [];
  for (const [i, one] of (await (row.dryRun ? trySave(ctx, wanted) : saveRecords(ctx, wanted))).entries()) {
    const { record, row: at } = wanted[i]!;
    if ('errors' in one) {
      refuse(one.errors.map((error) => locate(record, error, at)));
      continue;
    }
    counts[one.result === 'CREATED' ? 'created' : one.result === 'UPDATED' ? 'updated' : 'unchanged']++;
    for (const url of one.waiting ?? []) {
      const named = record.pictures?.get(url) ?? { row: at, alt: '' };
      pictures.push({ addressId: addressId(url), recordId: one.id, url, ...named });
    }
  }
  errors.sort((a, b) => a.row - b.row);
  const errorCount =
    errors.length > 0 ? await insertErrors(tx, businessId, row.id, errors.map(named(row))) : claimed.errorCount;
  ctx.issue(addProgress(tx, row, batch.at(-1)!.end, counts));
  if (pictures.length > 0 && !row.dryRun) {
    await insertPictures(tx, businessId, row.id, pictures);
    await ctx.enqueue(FETCH_PICTURES, { businessId }, { key: businessId });
  }
  return errorCount > MAX_ERRORS ? 'FULL' : 'OK';
}

type Wanted = { record: Converted; row: number };

/** The records that are the first with their keys. */
async function refuseRepeated(
  tx: Command['db'],
  { businessId, id }: ImportRow,
  items: readonly Item[],
  refuse: (errors: RowError[]) => void,
): Promise<Wanted[]> {
  const records = items.flatMap(({ outcome, row }) =>
    outcome !== 'SKIPPED' && 'record' in outcome ? [{ record: outcome.record, row }] : [],
  );
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
    const repeated = record.keys.flatMap(({ key, field, row }) => {
      const other =
        earlier.get(key) ?? (first.get(key)!.by !== record || seen.has(key) ? first.get(key)!.row : undefined);
      seen.add(key);
      // Who is in the file is not told again in its errors, which stay for a while.
      const what = key.startsWith('email:') ? 'This e-mail' : `“${key.slice(key.indexOf(':') + 1, 100)}”`;
      return other === undefined ? [] : [wrong(row, field, 'DUPLICATE', `${what} stands in row ${other} already.`)];
    });
    // Two keys may be the same cell.
    if (repeated.length > 0)
      refuse(repeated.filter((error, i) => !repeated.slice(0, i).some((other) => isDeepStrictEqual(error, other))));
    return repeated.length === 0;
  });
}

/** Tells records which of their files lie in the library by now. */
async function nameAddresses(ctx: Command, wanted: readonly Wanted[]): Promise<void> {
  const urls = new Set(wanted.flatMap(({ record }) => [...(record.pictures?.keys() ?? [])]));
  if (urls.size === 0) return;
  const known = await findAddresses(ctx.db, ctx.businessId, [...urls].map(addressId));
  for (const { record } of wanted) {
    if ((record.kind !== 'product' && record.kind !== 'entry') || !record.pictures) continue;
    record.data.addresses = new Map(
      [...record.pictures.keys()].map((url) => [url, known.get(addressId(url)) ?? addressId(url)]),
    );
  }
}

/** What would come of it: saved and undone. */
async function trySave(ctx: Command, wanted: readonly Wanted[]): Promise<Saved[]> {
  let saved: Saved[] = [];
  await ctx.db
    .savepoint(async () => {
      saved = await saveRecords(ctx, wanted);
      throw new Undone();
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  return saved;
}

/** Records of one kind that follow each other are written together. */
async function saveRecords(ctx: Command, wanted: readonly Wanted[]): Promise<Saved[]> {
  await nameAddresses(ctx, wanted);
  const saved: Saved[] = [];
  for (let i = 0; i < wanted.length; ) {
    const { kind } = wanted[i]!.record;
    let end = i + 1;
    while (end < wanted.length && wanted[end]!.record.kind === kind) end++;
    const data = wanted.slice(i, end).map(({ record }) => record.data);
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
    default: {
      const saved: Saved[] = [];
      for (const one of data) saved.push(await importPart(ctx, kind, one as PartImport));
      return saved;
    }
  }
}

function locate(record: Converted, error: FieldError, row: number): RowError {
  const at = record.locate?.(error) ?? { row, field: error.field };
  return { ...at, error: error.error, message: error.message };
}

/** Columns compare without case, and are told as the file writes them. */
function named({ options: { header = [] } }: ImportRow): (error: RowError) => RowError {
  const names = new Map(header.map((name) => [name.toLowerCase(), name]));
  return (error) => ({ ...error, field: names.get(error.field.toLowerCase()) ?? error.field });
}
