import type { Steps } from './context.ts';
import { eraseAccount } from './erase-account.ts';
import { erasePerson } from './erase-person.ts';
import { listRunning, listRunningAccounts } from './queries.ts';

const BATCH = 100;
/** A more recent erasure may still be running in its own task or job. */
const RESUME_AFTER_SECONDS = 900;

/** Resumes erasures whose task or job has run out of retries. The rows are the source of truth, not the queue. */
export async function resumeErasures(ctx: Steps): Promise<void> {
  const before = ctx.now - RESUME_AFTER_SECONDS;
  for (const { businessId, id } of await listRunning(ctx.db, before, BATCH)) {
    await attempt(ctx, id, () => erasePerson(ctx.within(businessId), { erasureId: id }));
  }
  for (const { id } of await listRunningAccounts(ctx.db, before, BATCH)) {
    await attempt(ctx, id, () => eraseAccount(ctx, { erasureId: id }));
  }
}

/** A failing erasure, for example because a provider is unreachable, does not block the others. */
async function attempt({ log, signal }: Steps, erasureId: string, work: () => Promise<void>): Promise<void> {
  if (signal.aborted) return;
  await work().catch((error) => log.warn({ err: error, erasureId }, 'Erasure failed, retrying later'));
}
