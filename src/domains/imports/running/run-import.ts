/** Runs an import in batches for a time slice. Then other imports get their turn, and it resumes later. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isRefusedValue } from '../../../db/errors.ts';
import { MAX_INTERRUPTIONS } from '../../../jobs/index.ts';
import { StorageUnavailable } from '../../../providers/storage/port.ts';
import { isTemporary, ServiceError } from '../../../shared/errors.ts';
import { type Caller, may } from '../../../shared/security/caller.ts';
import { readCaller } from '../../accounts/index.ts';
import { REQUIRED_PERMISSION } from '../access.ts';
import type { Command, Steps } from '../context.ts';
import type { Item } from '../conversion/convert-record.ts';
import { readBatches, Unreadable } from '../conversion/read-batches.ts';
import { rowError } from '../formats/format.ts';
import type { RunImport } from '../jobs.ts';
import { claimImport, type ImportRow, releaseImport } from '../queries.ts';
import { FileGone } from '../stored-file.ts';
import { conversionFor } from './conversion.ts';
import { deleteFile, finishImport } from './end-import.ts';
import { LEASE_SECONDS, MAX_SLOW, prepareBatch, writeBatch } from './write-batch.ts';

const SLICE_MS = 20_000;
/** The pause after a batch, as a share of its duration, to leave the database to others. */
const PAUSE_RATIO = 0.15;

/** Returns true if the time slice is over and work remains. */
export async function runImport(ctx: Steps, { id }: RunImport): Promise<boolean> {
  const owner = randomUUID();
  const claim = { owner, now: ctx.now, untilSeconds: ctx.now + LEASE_SECONDS };
  const row = await ctx.write((tx) => claimImport(tx, ctx.businessId, id, claim));
  if (!row) return false;
  if (row.interruptions >= MAX_INTERRUPTIONS) {
    const at = `The import was interrupted ${MAX_INTERRUPTIONS} times at row ${row.row}.`;
    return end(ctx, row, 'FAILED', `${at} Check the record after it, and import the file again.`);
  }
  try {
    const caller = await callerOf(ctx, row);
    if (!caller) return await end(ctx, row, 'FAILED', permissionLost(row));
    const state = await workOn(ctx.within(row.businessId, caller, row.id), row, owner);
    if (state === 'DENIED') return await end(ctx, row, 'FAILED', permissionLost(row));
    if (state === 'DONE') return await end(ctx, row, 'DONE');
    if (state === 'FULL')
      return await end(ctx, row, 'FAILED', 'Too many records have errors. Check that this is the right file.');
    if (state === 'SLOW')
      return await end(
        ctx,
        row,
        'FAILED',
        `More than ${MAX_SLOW} records take too long to convert. Check that this is the right file.`,
      );
    if (state === 'MORE') await ctx.write((tx) => releaseImport(tx, row, owner));
    else await deleteFile(ctx, row);
    return state === 'MORE';
  } catch (error) {
    if (error instanceof FileGone) return end(ctx, row, 'FAILED', 'The file was deleted before the import finished.');
    if (error instanceof Unreadable)
      return end(ctx, row, 'FAILED', `The file can't be read after row ${error.row}: the next record takes too long.`);
    await ctx.write((tx) => releaseImport(tx, row, owner)).catch(() => {});
    if (ctx.signal.aborted) return true;
    throw error;
  }
}

async function end(ctx: Steps, row: ImportRow, status: 'DONE' | 'FAILED', error: string | null = null): Promise<false> {
  await ctx.transaction((tx) => finishImport(tx, row, { status, error }));
  await deleteFile(ctx, row);
  return false;
}

const permissionLost = ({ type }: ImportRow) =>
  `The user who started this import no longer has the ${REQUIRED_PERMISSION[type]} permission.`;

/** The account or API key that started the import, with its current permissions. Null if it has lost the one it needs. */
async function callerOf({ db, businessId, now }: Steps | Command, row: ImportRow): Promise<Caller | null> {
  const caller = await readCaller(db, { userId: row.userId, sessionId: null, keyId: row.keyId }, now);
  return caller && may(caller, businessId, REQUIRED_PERMISSION[row.type]) ? caller : null;
}

const isAllowed = async (ctx: Command, row: ImportRow): Promise<boolean> => (await callerOf(ctx, row)) !== null;

type State = 'DONE' | 'MORE' | 'GONE' | 'FULL' | 'SLOW' | 'DENIED';

async function workOn(ctx: Steps, row: ImportRow, owner: string): Promise<State> {
  const until = Date.now() + SLICE_MS;
  const contextOf = () => conversionFor(ctx, row.type, row.options);
  for await (const batch of readBatches(ctx, row, contextOf)) {
    const startedAt = performance.now();
    const state = await write(ctx, row, owner, batch);
    if (state !== 'DONE') return state;
    if (ctx.signal.aborted || Date.now() > until) return 'MORE';
    await pause((performance.now() - startedAt) * PAUSE_RATIO);
  }
  return 'DONE';
}

/**
 * Writes a batch. If a record makes it fail, splits the batch in halves until that record is alone, and reports it.
 * Conflicts with concurrent writes, such as the same slug, are retried first.
 */
async function write(ctx: Steps, row: ImportRow, owner: string, batch: Item[]): Promise<State> {
  await prepareBatch(ctx, batch);
  for (let attempt = 1; ; attempt++) {
    try {
      const state = await ctx.transaction(async (tx) =>
        (await isAllowed(tx, row)) ? writeBatch(tx, row, owner, batch) : 'DENIED',
      );
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
      ctx.log.warn({ err: error, importId: row.id, row: item!.row }, 'Failed to import a record');
      item!.outcome = {
        errors: [
          rowError(
            item!.row,
            '',
            'NOT_WRITTEN',
            'The record could not be saved. Compare it with a record that was imported successfully.',
          ),
        ],
      };
    }
  }
}

/** Whether the database or a domain rule rejected the data. */
function isAboutData(error: unknown): boolean {
  if (error instanceof StorageUnavailable) return false;
  return error instanceof ServiceError ? !isTemporary(error) : isRefusedValue(error);
}
