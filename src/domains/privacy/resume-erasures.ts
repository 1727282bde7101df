import type { Steps } from './context.ts';
import { eraseAccount } from './erase-account.ts';
import { erasePerson } from './erase-person.ts';
import { listRunning, listRunningAccounts } from './queries.ts';

const BATCH = 100;
/** The job of a new one is at it. */
const OWN_JOB_SECONDS = 900;

/** Goes on with erasures whose job was lost or has failed too often. The row says what there is to do, not the queue. */
export async function resumeErasures(ctx: Steps): Promise<void> {
  const before = ctx.now - OWN_JOB_SECONDS;
  for (const { businessId, id } of await listRunning(ctx.db, before, BATCH)) {
    await attempt(ctx, id, () => erasePerson(ctx.within(businessId), { businessId, erasureId: id }));
  }
  for (const { id } of await listRunningAccounts(ctx.db, before, BATCH)) {
    await attempt(ctx, id, () => eraseAccount(ctx, { erasureId: id }));
  }
}

/** One that fails, for a provider that is away, holds up no other. */
async function attempt({ log, signal }: Steps, erasureId: string, work: () => Promise<void>): Promise<void> {
  if (signal.aborted) return;
  await work().catch((error) => log.warn({ err: error, erasureId }, 'an erasure could not go on, trying again later'));
}
