import type { Command } from '../../context/index.ts';
import { listEventRange, type NumberedEvent } from '../events/index.ts';
import type { Steps } from './context.ts';
import { insertDeliveries, type NewDelivery } from './delivery-queries.ts';
import { findWebhook, listEnabled } from './webhook-queries.ts';

export const REPLAY_JOB = 'webhook-replay';
/** `after`: the position up to which an earlier run has come. */
export type ReplayJob = { businessId: string; webhookId: string; from: number; to: number; after?: number };

const BATCH = 500;
/** Well below the time after which the queue would call the job lost. */
const SLICE_MS = 60_000;

export const webhooksSubject = (businessId: string) => `webhooks:${businessId}`;

const isAsked = (patterns: readonly string[], type: string) =>
  patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );

/** Makes a delivery for each webhook that wants the event. Runs in the transaction that numbers the events. */
export async function fanOut(ctx: Command, events: readonly NumberedEvent[], nowMs: number): Promise<void> {
  const webhooks = await listEnabled(ctx.db, ctx.businessId);
  const deliveries = webhooks.flatMap(({ id, events: patterns }): NewDelivery[] =>
    events.filter(({ type }) => isAsked(patterns, type)).map((event) => ({ webhookId: id, ...event })),
  );
  if (deliveries.length === 0) return;
  await insertDeliveries(ctx.db, ctx.businessId, deliveries, nowMs);
  await ctx.publish(webhooksSubject(ctx.businessId));
}

/** Sends the events of a time again, also those that were delivered. Works for a minute; another job goes on from there. */
export async function replay(ctx: Steps, job: ReplayJob): Promise<void> {
  const { webhookId, from, to } = job;
  const until = Date.now() + SLICE_MS;
  for (let after = job.after ?? 0; ; ) {
    if (ctx.signal.aborted || Date.now() > until)
      return ctx.transaction((tx) => tx.enqueue(REPLAY_JOB, { ...job, after }));
    const webhook = await findWebhook(ctx.db, ctx.businessId, webhookId);
    if (!webhook) return;
    const events = await listEventRange(ctx.db, ctx.businessId, { from, to, after, limit: BATCH });
    const asked = events.filter(({ type }) => isAsked(webhook.events, type));
    await ctx.transaction(async (tx) => {
      const deliveries = asked.map((event) => ({ webhookId, ...event }));
      await insertDeliveries(tx.db, ctx.businessId, deliveries, ctx.webhooks.nowMs(), { again: true });
      await tx.publish(webhooksSubject(ctx.businessId));
    });
    if (events.length < BATCH) return;
    after = events.at(-1)!.position;
  }
}
