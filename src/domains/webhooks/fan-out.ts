import type { Command } from '../../context/index.ts';
import { listEventRange, type NumberedEvent } from '../events/index.ts';
import type { Steps } from './context.ts';
import { insertDeliveries, type NewDelivery } from './delivery-queries.ts';
import { findWebhook, listPatterns } from './webhook-queries.ts';

export const REPLAY = 'webhook-replay';
/** `after` is the position reached by an earlier run. */
export type Replay = { webhookId: string; from: number; to: number; after?: number };

const BATCH = 500;
/** After this time, another task continues, so that other tasks get their turn. */
const SLICE_MS = 60_000;

export const webhooksSubject = (businessId: string) => `webhooks:${businessId}`;

const isMatch = (patterns: readonly string[], type: string) =>
  patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );

/**
 * Inserts a delivery for each webhook that subscribes to the event. Runs in the transaction that numbers the events. The deliveries of
 * a disabled webhook wait until it is enabled again, or until their events are deleted.
 */
export async function fanOut(ctx: Command, events: readonly NumberedEvent[], nowMs: number): Promise<void> {
  const webhooks = await listPatterns(ctx.db, ctx.businessId);
  const deliveries = webhooks.flatMap(({ id, events: patterns }): NewDelivery[] =>
    events.filter(({ type }) => isMatch(patterns, type)).map((event) => ({ webhookId: id, ...event })),
  );
  if (deliveries.length === 0) return;
  await insertDeliveries(ctx.db, ctx.businessId, deliveries, nowMs);
  await ctx.publish(webhooksSubject(ctx.businessId));
}

/** Sends the events of a period again, including delivered ones. */
export async function replay(ctx: Steps, task: Replay): Promise<void> {
  const { webhookId, from, to } = task;
  const until = Date.now() + SLICE_MS;
  for (let after = task.after ?? 0; ; ) {
    if (ctx.signal.aborted || Date.now() > until)
      return ctx.transaction((tx) => tx.enqueue(REPLAY, { ...task, after }));
    const webhook = await findWebhook(ctx.db, ctx.businessId, webhookId);
    if (!webhook) return;
    const events = await listEventRange(ctx.db, ctx.businessId, { from, to, after, limit: BATCH });
    const matching = events.filter(({ type }) => isMatch(webhook.events, type));
    await ctx.transaction(async (tx) => {
      const deliveries = matching.map((event) => ({ webhookId, ...event }));
      await insertDeliveries(tx.db, ctx.businessId, deliveries, ctx.webhooks.nowMs(), { again: true });
      await tx.publish(webhooksSubject(ctx.businessId));
    });
    if (events.length < BATCH) return;
    after = events.at(-1)!.position;
  }
}
