import type { Kept, PersonalDataHolder } from '../../context/personal-data.ts';
import { eraseResponses } from '../../db/idempotency.ts';
import { lockName } from '../../db/lock-name.ts';
import { newId } from '../../shared/ids.ts';
import { requireStepUp } from '../businesses/index.ts';
import { eraseEventsOf, eraseMentions } from '../events/index.ts';
import { deleteResponses } from '../webhooks/index.ts';
import type { Command, Steps } from './context.ts';
import {
  deleteIdempotencyKeys,
  type ErasureRow,
  findRunning,
  insertErasure,
  lockRunning,
  updateErasure,
} from './queries.ts';
import { addToReport, EMPTY } from './report.ts';
import { type Erasure, viewErasure } from './schemas.ts';
import { findSubject, type Subject } from './subject.ts';

export const ERASE_TASK = 'erase-person';
export type EraseTask = { erasureId: string };

/** Starts an erasure for the business. While one is running for this ID, returns that one. */
export async function requestErasure(ctx: Command, id: string): Promise<Erasure> {
  const { businessId, caller } = ctx;
  await requireStepUp(ctx, businessId);
  await lockName(ctx.db, `erasure ${businessId} ${id}`);
  const running = await findRunning(ctx.db, businessId, id);
  if (running) return viewErasure(running);
  const row = newErasure(ctx, newId('ers'), id, await findSubject(ctx, id), caller.userId);
  await insertErasure(ctx.db, row);
  await ctx.enqueue(ERASE_TASK, { erasureId: row.id } satisfies EraseTask);
  ctx.emit({ type: 'customer.erasure_requested', entity: `erasure:${row.id}`, data: viewErasure(row) });
  return viewErasure(row);
}

export const newErasure = (
  { businessId, now, privacy }: Pick<Command, 'businessId' | 'now' | 'privacy'>,
  id: string,
  subject: string,
  person: Subject,
  requestedBy: string | null,
): ErasureRow => ({
  businessId,
  id,
  subject,
  status: 'RUNNING',
  person: privacy.seal(id, person),
  step: 0,
  after: null,
  report: EMPTY,
  requestedBy,
  createdAt: now,
  completedAt: null,
});

/** Safe to repeat after a crash: continues after the last committed batch. */
export async function erasePerson(ctx: Steps, { erasureId }: EraseTask): Promise<void> {
  await prepareHolders(ctx, erasureId);
  for (let isDone = false; !isDone; ) {
    if (ctx.signal.aborted)
      throw new Error('The process is shutting down. The next attempt will pick up where this one left off.');
    isDone = await ctx.transaction((tx) => eraseBatch(tx, erasureId));
  }
}

/** Holders notify external systems, such as a payment provider, before any data is erased. */
async function prepareHolders(ctx: Steps, erasureId: string): Promise<void> {
  const row = await ctx.transaction((tx) => lockRunning(tx.db, ctx.businessId, erasureId));
  if (!row || row.step > 0) return;
  const person = ctx.privacy.open(row.id, row.person!);
  const kept: Kept[] = [];
  for (const { prepare } of ctx.privacy.holders) kept.push(...((await prepare?.(ctx, person)) ?? []));
  await ctx.transaction(async (tx) => {
    const current = await lockRunning(tx.db, ctx.businessId, erasureId);
    if (current?.step !== 0) return;
    await updateErasure(tx.db, { ...current, step: 1, report: addToReport(current.report, '', 0, kept) });
  });
}

/**
 * Steps: 0 prepares the holders; then one step per holder; then events that mention the person; then responses stored for
 * idempotency keys; then data that belongs to no holder.
 */
async function eraseBatch(ctx: Command, erasureId: string): Promise<boolean> {
  const row = await lockRunning(ctx.db, ctx.businessId, erasureId);
  if (!row) return true;
  const person = ctx.privacy.open(row.id, row.person!);
  const { holders } = ctx.privacy;
  const holder = holders[row.step - 1];
  const done = holder
    ? await eraseHeld(ctx, row, person, holder)
    : { next: await (row.step === holders.length + 1 ? eraseEvents : eraseStored)(ctx, person, row.after) };
  if (done.next === null && row.step > holders.length + 1) {
    await complete(ctx, row, person);
    return true;
  }
  const { next: after, ...counted } = done;
  await updateErasure(ctx.db, { ...row, ...counted, after, step: after === null ? row.step + 1 : row.step });
  return false;
}

async function eraseHeld(ctx: Command, row: ErasureRow, person: Subject, holder: PersonalDataHolder) {
  const { erased, kept, entities, next } = await holder.erase(ctx, person, row.after);
  await deleteResponses(ctx.db, ctx.businessId, await eraseEventsOf(ctx.db, ctx.businessId, entities));
  return { next, report: addToReport(row.report, holder.name, erased, kept) };
}

async function eraseEvents(ctx: Command, { userId: actorId, emails }: Subject, after: string | null) {
  const { positions, next } = await eraseMentions(ctx.db, ctx.businessId, { emails, actorId }, Number(after ?? 0));
  await deleteResponses(ctx.db, ctx.businessId, positions);
  return next === null ? null : String(next);
}

/** Erases stored responses to other users' requests that mention the person. */
function eraseStored({ db, businessId, config }: Command, person: Subject, after: string | null) {
  const { userId, customerId, emails } = person;
  const words = [userId, customerId, ...emails].filter((word) => typeof word === 'string');
  return eraseResponses(db, { businessId, secretKey: config.secretKey, words }, after);
}

async function complete(ctx: Command, row: ErasureRow, { userId, emails }: Subject): Promise<void> {
  if (userId !== null) await deleteIdempotencyKeys(ctx.db, ctx.businessId, userId);
  await ctx.dropMessages(emails);
  const done: ErasureRow = { ...row, status: 'DONE', person: null, after: null, completedAt: ctx.now };
  await updateErasure(ctx.db, done);
  ctx.emit({ type: 'customer.erased', entity: `erasure:${row.id}`, data: viewErasure(done) });
}
