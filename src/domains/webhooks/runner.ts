import { setTimeout as delay } from 'node:timers/promises';
import { MAX_INTERRUPTIONS } from '../../jobs/index.ts';
import { eventId, eventJson, listEventsAt } from '../events/index.ts';
import { callReceiver, isSuccess } from './call.ts';
import type { Steps } from './context.ts';
import {
  type DueDelivery,
  deleteDelivery,
  listDue,
  type Outcome,
  type QueueName,
  saveOutcomes,
  updateFailing,
} from './delivery-queries.ts';
import { disableWebhook } from './disable-webhook.ts';
import { findWebhook, type ListedWebhook } from './webhook-queries.ts';

/** Maximum number of concurrent calls to one receiver. */
const MAX_CALLS = 20;
const BATCH = 100;
/** Outcomes within this time are stored together, because storing each alone would cost more than the calls. */
const GATHER_MS = 10;
const MAX_FAILING_MS = 3 * 86_400_000;
const GONE = 410;

/**
 * Sends the due deliveries of one queue until none is due and no call is in flight. Only one delivery per entity is in flight: the
 * next is sent when the previous one has succeeded or permanently failed.
 *
 * If processes died during the last runs (`interruptions`), the deliveries that may have been in flight are sent one by one, so that the
 * one that ends the process is the first due one. After too many interruptions, that delivery has failed.
 */
export function createRunner(ctx: Steps, name: QueueName, interruptions = 0) {
  const { config, webhooks, signal } = ctx;
  /** Entities with a delivery in flight or in `waiting`. */
  const busy = new Set<string>();
  const waiting: DueDelivery[] = [];
  const finished: Outcome[] = [];
  /** Deliveries to send one by one. */
  let suspects = interruptions > 0 ? MAX_CALLS : 0;
  let inFlight = 0;
  let isGone = false;
  let onFinished = () => {};

  const maxCalls = () => (suspects > 0 ? 1 : MAX_CALLS);

  async function send(url: string, secrets: readonly string[], delivery: DueDelivery, body: string): Promise<void> {
    const nowSeconds = Math.floor(webhooks.nowMs() / 1000);
    const id = eventId(name.businessId, delivery.position);
    const timeoutMs = config.webhookTimeoutSeconds * 1000;
    const { businessId } = name;
    const call = { businessId, url, secrets, id, body, nowSeconds, timeoutMs };
    const attempt = await callReceiver(webhooks.outbound, call);
    const waitSeconds = config.webhookRetrySeconds[delivery.attemptCount];
    const status = isSuccess(attempt) ? 'SUCCEEDED' : waitSeconds === undefined ? 'FAILED' : 'PENDING';
    if (attempt.status === GONE) isGone = true;
    finished.push({
      position: delivery.position,
      entity: delivery.entity,
      status,
      attempt,
      nextAttemptAt: webhooks.nowMs() + (waitSeconds ?? 0) * 1000,
    });
    inFlight--;
    onFinished();
  }

  /** Returns false if the webhook was disabled. */
  async function save(): Promise<boolean> {
    const outcomes = finished.splice(0);
    if (outcomes.length === 0) return true;
    const nowMs = webhooks.nowMs();
    const succeeded = outcomes.some(({ status }) => status === 'SUCCEEDED');
    const failingSince = await ctx.transaction(async (tx) => {
      await saveOutcomes(tx.db, name, outcomes);
      return updateFailing(tx.db, name, { succeeded, nowMs });
    });
    for (const { entity } of outcomes) busy.delete(entity);
    const reason = isGone ? 'GONE' : failingSince !== null && nowMs - failingSince > MAX_FAILING_MS ? 'FAILING' : null;
    if (reason === null) return true;
    await ctx.transaction((tx) => disableWebhook(tx, name.webhookId, reason));
    return false;
  }

  async function fill(): Promise<void> {
    const due = await listDue(ctx.db, name, { nowMs: webhooks.nowMs(), busy: [...busy], limit: BATCH });
    for (const delivery of due) {
      busy.add(delivery.entity);
      waiting.push(delivery);
    }
  }

  async function sendWaiting(webhook: ListedWebhook): Promise<void> {
    const next = waiting.splice(0, maxCalls() - inFlight);
    if (next.length === 0) return;
    if (suspects > 0) suspects--;
    const rows = await listEventsAt(
      ctx.db,
      name.businessId,
      next.map(({ position }) => position),
    );
    const bodies = new Map(rows.map((row) => [row.position, eventJson(ctx.events, row)]));
    const secrets = webhooks.secretsOf(webhook, Math.floor(webhooks.nowMs() / 1000));
    for (const delivery of next) {
      const body = bodies.get(delivery.position);
      if (body === undefined) {
        // A delivery is deleted with its event.
        await ctx.write((tx) => deleteDelivery(tx, name, delivery.position));
        busy.delete(delivery.entity);
        continue;
      }
      inFlight++;
      void send(webhook.url, secrets, delivery, body);
    }
  }

  /** Fails the delivery during which the processes died. */
  async function failFirst(): Promise<void> {
    const nowMs = webhooks.nowMs();
    for (const { position, entity } of await listDue(ctx.db, name, { nowMs, busy: [], limit: 1 })) {
      const error = `The service stopped ${interruptions} times in a row while it sent this event.`;
      const attempt = { at: Math.floor(nowMs / 1000), status: null, durationMs: 0, error, answer: null };
      finished.push({ position, entity, status: 'FAILED', attempt, nextAttemptAt: nowMs });
    }
  }

  return {
    async run(): Promise<void> {
      if (interruptions >= MAX_INTERRUPTIONS) await failFirst();
      for (;;) {
        const webhook = await findWebhook(ctx.db, name.businessId, name.webhookId);
        const canContinue = (await save()) && webhook?.enabled === true && !signal.aborted;
        if (canContinue && waiting.length < maxCalls()) await fill();
        if (canContinue) await sendWaiting(webhook);
        if (inFlight === 0 && finished.length === 0) return;
        if (finished.length === 0) {
          await new Promise<void>((resolve) => {
            onFinished = resolve;
          });
        }
        if (inFlight > 0) await delay(GATHER_MS);
      }
    },
  };
}
