import type { Platform } from '../../../context/index.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { findAbandonedCartEmail } from '../../carts/index.ts';
import { listEventsAt } from '../../events/index.ts';
import type { Command } from '../context.ts';
import { findCandidates, type StoredEvent } from './candidates.ts';
import { SIGNALS } from './fan-out.ts';
import { bringForward, listEnabled, lockAutomation } from './queries.ts';
import { addCounts, type Candidate, exitRuns, insertRuns, type Leaving, type RunReason } from './run-queries.ts';
import { listSignaledBusinesses, type Signal, takeSignals } from './signal-queries.ts';

const BATCH = 200;
/** Maximum number of consecutive batches of one business before it is another business's turn. */
const BATCHES_PER_TURN = 5;

/** Starts and ends runs. Each signal is removed in the transaction of its effects. */
export const handleSignals = ({ handleBatches }: Platform) =>
  handleBatches<{ businessId: string }>({
    name: SIGNALS,
    concurrency: 2,
    waiting: 'from automation_signals where due_at <= $1',
    list: (ctx, businessId, limit) => listSignaledBusinesses(ctx.db, businessId, ctx.now, limit),
    async run(ctx) {
      for (let batch = 0; batch < BATCHES_PER_TURN; batch++) {
        if ((await ctx.transaction(processSignals)) < BATCH || ctx.signal.aborted) return false;
      }
      return true;
    },
  });

async function processSignals(ctx: Command): Promise<number> {
  const { db: tx, businessId, now } = ctx;
  const signals = await takeSignals(tx, businessId, now, BATCH);
  const positions = signals.flatMap(({ position }) => (position === null ? [] : [position]));
  const events = (await listEventsAt(tx, businessId, positions)).toSorted((a, b) => a.position - b.position);
  await endRuns(ctx, events);
  for (const { id } of await listEnabled(tx, businessId)) {
    const automation = await lockAutomation(tx, businessId, id);
    const first = automation?.steps[0];
    if (!automation?.enabled || !first) continue;
    const carts = signals.filter((signal) => signal.automationId === id);
    const candidates = [
      ...(await findCandidates(ctx, automation, events)),
      ...(await findCartCandidates(ctx, carts, automation.trigger.idleSeconds ?? 0)),
    ];
    if (candidates.length > 0 && (await insertRuns(tx, automation, first, candidates, now)) > 0)
      await bringForward(tx, automation, now + first.delaySeconds);
  }
  return signals.length;
}

async function findCartCandidates(ctx: Command, carts: readonly Signal[], idleSeconds: number): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { subject } of carts) {
    const occurrence = subject.slice('cart:'.length);
    const email = await findAbandonedCartEmail(ctx, occurrence, idleSeconds);
    if (email !== null) found.push({ subscriptionId: null, emailKey: emailKey(email), occurrence });
  }
  return found;
}

/** Runs end when the person unsubscribes or is suppressed. Runs about an abandoned cart also end when it is ordered. */
async function endRuns(ctx: Command, events: readonly StoredEvent[]): Promise<void> {
  const of = (...types: string[]) => events.filter(({ type }) => types.includes(type));
  const idOf = ({ entity }: StoredEvent) => entity.slice(entity.indexOf(':') + 1);
  const emailsOf = (found: readonly StoredEvent[]) =>
    found.flatMap(({ data }) => {
      const { email } = data as { email?: unknown };
      return typeof email === 'string' ? [emailKey(email)] : [];
    });
  const ordered = of('cart.ordered');
  await end(ctx, { subscriptionIds: of('subscription.cancelled', 'subscription.bounced').map(idOf) }, 'UNSUBSCRIBED');
  await end(ctx, { emailKeys: emailsOf(of('suppression.created')) }, 'SUPPRESSED');
  await end(ctx, { emailKeys: emailsOf(ordered), occurrences: ordered.map(idOf) }, 'ORDERED');
}

async function end({ db: tx, businessId, now }: Command, leaving: Leaving, reason: RunReason): Promise<void> {
  if (('subscriptionIds' in leaving ? leaving.subscriptionIds : leaving.emailKeys).length === 0) return;
  const left = await exitRuns(tx, businessId, leaving, reason, now);
  await addCounts(
    tx,
    businessId,
    [...Map.groupBy(left, ({ automationId, stepId }) => `${automationId} ${stepId}`).values()].map((rows) => ({
      automationId: rows[0]!.automationId,
      stepId: rows[0]!.stepId,
      done: 0,
      exited: rows.length,
    })),
  );
}
