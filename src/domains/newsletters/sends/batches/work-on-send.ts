import type { Platform } from '../../../../context/index.ts';
import type { Command, Steps } from '../../context.ts';
import { decideExperiment, isDecisionDue } from '../choose-winner.ts';
import { emitSend } from '../emit-send.ts';
import { findSend, listWaitingSends, type SendKey, type SendRow } from '../send-queries.ts';
import { deliver, type Share } from './deliver.ts';
import { completeSend, hasDueBatch } from './queries.ts';
import { skipUnsent } from './skip-unsent.ts';
import { DELIVER } from './subject.ts';

/** How long a worker works on one send before it moves on to others; shorter when other sends may be waiting. */
const SLICE_SECONDS = 60;
const CROWDED_SLICE_SECONDS = 2;

/** The number of sends that one process delivers concurrently, and the SMTP connections that they share. */
const CONCURRENCY = 20;
export const CONNECTIONS = 20;

/**
 * Delivers running sends. Any number of workers can work on one send, each leasing its own batches. The batches of a killed worker
 * become available when their leases expire.
 */
export function handleDelivering({ handleBatches }: Platform): void {
  /** The business of each running send. */
  const running = new Map<string, string>();
  const sliceSeconds = () => (running.size < CONCURRENCY ? SLICE_SECONDS : CROWDED_SLICE_SECONDS);
  /** Connections per send: they are shared equally among businesses, and each share among the sends of the business. */
  function connectionsOf(businessId: string): number {
    const businesses = [...running.values()];
    const sends = businesses.filter((each) => each === businessId).length;
    return Math.max(1, Math.floor(CONNECTIONS / new Set(businesses).size / sends));
  }
  handleBatches<SendKey>({
    name: DELIVER,
    concurrency: CONCURRENCY,
    waiting: 'from sends where open and frozen',
    list: (ctx, businessId, limit) => listWaitingSends(ctx.db, businessId, ctx.now, limit),
    async run(ctx, { id }) {
      const { businessId } = ctx;
      running.set(id, businessId);
      try {
        return await workOnSend(ctx, id, { connections: () => connectionsOf(businessId), sliceSeconds });
      } finally {
        running.delete(id);
      }
    },
  });
}

/** Returns true if more deliveries can be sent now. */
async function workOnSend(ctx: Steps, id: string, share: Share): Promise<boolean> {
  const send = await findSend(ctx.db, ctx.businessId, id);
  if (!send?.open || !send.frozen) return false;
  if (isDecisionDue(send, ctx.now)) await ctx.transaction((tx) => decideExperiment(tx, send));
  if (send.status === 'CANCELLED') await skipUnsent(ctx, send);
  else await deliver(ctx, { ...send, content: send.content! }, share);
  if (await ctx.transaction((tx) => complete(tx, send))) return false;
  return hasDueBatch(ctx.db, send, ctx.clock.seconds());
}

async function complete(ctx: Command, send: SendRow): Promise<boolean> {
  const state = await completeSend(ctx.db, send, ctx.now);
  if (state === 'SENT') await emitSend(ctx, 'newsletter.sent', send);
  return state !== 'OPEN';
}
