/** Works an import off in batches, for a while; then others have their share and it goes on where it was. */
import { randomUUID } from 'node:crypto';
import { setImmediate as letOthersRun, setTimeout as pause } from 'node:timers/promises';
import { isRefusedValue } from '../../db/errors.ts';
import { StorageAway } from '../../providers/storage/port.ts';
import type { Caller } from '../../shared/caller.ts';
import { may } from '../../shared/caller.ts';
import { isPassing, ServiceError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import { findUser } from '../accounts/index.ts';
import { listPermissionsOf } from '../businesses/index.ts';
import { NEEDED } from './access.ts';
import type { Steps } from './context.ts';
import { conversionFor } from './conversion.ts';
import { finishImport, forgetFile } from './end-import.ts';
import { wrong } from './formats/format.ts';
import { findFormat } from './formats/index.ts';
import { RUN_IMPORT, type RunImport } from './jobs.ts';
import { claimImport, type ImportRow, releaseImport } from './queries.ts';
import { convertGroup, type Group, readGroups } from './read-records.ts';
import { FileGone, sourceOf } from './stored-file.ts';
import { type Item, LEASE_SECONDS, prepareBatch, writeBatch } from './write-batch.ts';

const SLICE_MS = 20_000;
/** So long the process works on an import before it serves the requests that came meanwhile. */
const BUSY_MS = 4;
const MAX_BATCH_RECORDS = 20;
const MAX_BATCH_ROWS = 128;
/** After a batch the database is left to others, for this part of the time that the batch took. */
const REST = 0.15;
const MAX_BATCH_BYTES = 2_097_152;

export async function runImport(ctx: Steps, { importId }: RunImport): Promise<void> {
  const owner = randomUUID();
  const claim = { owner, now: ctx.now, untilSeconds: ctx.now + LEASE_SECONDS };
  const row = await ctx.write((tx) => claimImport(tx, ctx.businessId, importId, claim));
  if (!row) return;
  try {
    const caller = await callerOf(ctx, row);
    if (!caller)
      return await end(
        ctx,
        row,
        'FAILED',
        `Who began this import may not do it any more: it needs ${NEEDED[row.type]}.`,
      );
    const state = await workOn(ctx.within(row.businessId, caller), row, owner);
    if (state === 'DONE') return await end(ctx, row, 'DONE');
    if (state === 'FULL')
      return await end(ctx, row, 'FAILED', 'Too many records have errors. Check whether this is the right file.');
    if (state === 'GONE') return await forgetFile(ctx, row);
    await ctx.transaction(async (tx) => {
      await releaseImport(tx.db, row, owner);
      await tx.enqueue(RUN_IMPORT, { businessId: row.businessId, importId });
    });
  } catch (error) {
    if (error instanceof FileGone)
      return end(ctx, row, 'FAILED', 'The file is gone: it was deleted before it was read to its end.');
    await ctx.write((tx) => releaseImport(tx, row, owner)).catch(() => {});
    throw error;
  }
}

async function end(ctx: Steps, row: ImportRow, status: 'DONE' | 'FAILED', error: string | null = null): Promise<void> {
  await ctx.transaction((tx) => finishImport(tx, row, { status, error }));
  await forgetFile(ctx, row);
}

/** Who began it, with the permissions that they have now. */
async function callerOf({ db, businessId }: Steps, row: ImportRow): Promise<Caller | null> {
  const permissions = await listPermissionsOf(db, businessId, row.userId);
  const user = await findUser(db, row.userId);
  const caller: Caller = {
    ...{
      userId: row.userId,
      provider: row.keyId === null ? 'EMAIL' : 'API',
      email: user?.email ?? null,
      isGuest: false,
      isConfirmed: true,
    },
    ...{ sessionId: null, keyId: row.keyId, permissions: new Map([[businessId, new Set(permissions)]]) },
  };
  return may(caller, businessId, NEEDED[row.type]) ? caller : null;
}

type State = 'DONE' | 'MORE' | 'GONE' | 'FULL';

async function workOn(ctx: Steps, row: ImportRow, owner: string): Promise<State> {
  const format = findFormat(row.type, row.format, row.options.shape === 'csv');
  let to = await conversionFor(ctx, row.type, row.options);
  const until = Date.now() + SLICE_MS;
  let batch: Item[] = [];
  let [rows, busySince] = [0, performance.now()];
  let start = row.position;

  const flush = async (): Promise<State> => {
    if (batch.length === 0) return 'DONE';
    const begun = performance.now();
    const state = await write(ctx, row, owner, batch);
    await pause((performance.now() - begun) * REST);
    start = batch.at(-1)!.end.offset;
    batch = [];
    rows = 0;
    if (state !== 'DONE') return state;
    return ctx.signal.aborted || Date.now() > until ? 'MORE' : 'DONE';
  };

  let kind: unknown;
  const position = { offset: row.position, row: row.row };
  for await (const group of readGroups(sourceOf(ctx, row), position, format, row.options, ctx.imports.parseJson)) {
    // What comes later in a whole business needs what came before: collections, then their entries.
    if (row.type === 'business' && kindOf(group) !== kind) {
      kind = kindOf(group);
      const state = await flush();
      if (state !== 'DONE') return state;
      to = await conversionFor(ctx, row.type, row.options);
    }
    const end = { offset: group.end, row: group.last };
    batch.push({ outcome: convertGroup(group, format, to), row: group.number, rows: group.count, end });
    rows += group.count;
    if (performance.now() - busySince > BUSY_MS) {
      await letOthersRun();
      busySince = performance.now();
    }
    if (batch.length < MAX_BATCH_RECORDS && rows < MAX_BATCH_ROWS && group.end - start < MAX_BATCH_BYTES) continue;
    const state = await flush();
    busySince = performance.now();
    if (state !== 'DONE') return state;
  }
  const state = await flush();
  return state === 'MORE' ? 'DONE' : state;
}

const kindOf = ({ value }: Group) => (isRecord(value) ? value.kind : undefined);

/**
 * A batch that cannot be written, for a reason that lies in one of its records, is written in halves until that one is alone
 * and told. What others wrote at the same moment, such as the same slug, is looked at again first.
 */
async function write(ctx: Steps, row: ImportRow, owner: string, batch: Item[]): Promise<State> {
  await prepareBatch(ctx, batch);
  for (let attempt = 1; ; attempt++) {
    try {
      const state = await ctx.transaction((tx) => writeBatch(tx, row, owner, batch));
      return state === 'OK' ? 'DONE' : state;
    } catch (error) {
      if (!isAboutData(error) || attempt > 3) throw error;
      if (attempt < 2) continue;
      if (batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        const state = await write(ctx, row, owner, batch.slice(0, middle));
        return state === 'DONE' ? write(ctx, row, owner, batch.slice(middle)) : state;
      }
      const [item] = batch;
      ctx.log.warn({ err: error, importId: row.id, row: item!.row }, 'a record of an import cannot be written');
      item!.outcome = {
        errors: [
          wrong(item!.row, '', 'NOT_WRITTEN', 'The record could not be written. Compare it with one that could.'),
        ],
      };
    }
  }
}

/** The database refuses it, or a rule of ours does. */
function isAboutData(error: unknown): boolean {
  if (error instanceof StorageAway) return false;
  return error instanceof ServiceError ? !isPassing(error) : isRefusedValue(error);
}
