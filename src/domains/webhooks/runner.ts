import { setTimeout as delay } from 'node:timers/promises';
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

/** Calls to one receiver at once. */
const CONCURRENCY = 20;
const BATCH = 100;
/** Outcomes that come within this time are written together: to write each alone would cost more than the calls. */
const GATHER_MS = 10;
const MAX_FAILING_MS = 3 * 86_400_000;
const GONE = 410;

/**
 * Sends what is due in one queue until nothing is due and nothing under way. Deliveries of one entity are never under way
 * together: the next one goes out when the former has succeeded or was given up.
 */
export function createRunner(ctx: Steps, name: QueueName, signal: AbortSignal) {
  const { config, webhooks } = ctx;
  /** Entities that are under way or waiting here. */
  const busy = new Set<string>();
  const waiting: DueDelivery[] = [];
  const finished: Outcome[] = [];
  let underWay = 0;
  let isGone = false;
  let tell = () => {};

  async function send(url: string, secrets: readonly string[], delivery: DueDelivery, body: string): Promise<void> {
    const nowSeconds = Math.floor(webhooks.nowMs() / 1000);
    const id = eventId(name.businessId, delivery.position);
    const timeoutMs = config.webhookTimeoutSeconds * 1000;
    const attempt = await callReceiver(webhooks.outbound, { url, secrets, id, body, nowSeconds, timeoutMs });
    const waitSeconds = config.webhookRetrySeconds[delivery.attemptCount];
    const status = isSuccess(attempt) ? 'SUCCEEDED' : waitSeconds === undefined ? 'FAILED' : 'PENDING';
    if (attempt.status === GONE) isGone = true;
    finished.push({
      ...{ position: delivery.position, entity: delivery.entity, status, attempt: JSON.stringify(attempt) },
      nextAttemptAt: webhooks.nowMs() + (waitSeconds ?? 0) * 1000,
    });
    underWay--;
    tell();
  }

  /** False: the webhook is to be left alone. */
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
    const reason = isGone
      ? 'It answered 410 Gone.'
      : failingSince !== null && nowMs - failingSince > MAX_FAILING_MS
        ? 'It has failed for three days.'
        : null;
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
    const next = waiting.splice(0, CONCURRENCY - underWay);
    if (next.length === 0) return;
    const rows = await listEventsAt(
      ctx.db,
      name.businessId,
      next.map(({ position }) => position),
    );
    const bodies = new Map(rows.map((row) => [row.position, eventJson(row)]));
    const secrets = webhooks.secretsOf(webhook, Math.floor(webhooks.nowMs() / 1000));
    for (const delivery of next) {
      const body = bodies.get(delivery.position);
      if (body === undefined) {
        // A delivery is deleted with its event.
        await ctx.write((tx) => deleteDelivery(tx, name, delivery.position));
        busy.delete(delivery.entity);
        continue;
      }
      underWay++;
      void send(webhook.url, secrets, delivery, body);
    }
  }

  return {
    async run(): Promise<void> {
      for (;;) {
        const webhook = await findWebhook(ctx.db, name.businessId, name.webhookId);
        const goesOn = (await save()) && webhook?.enabled === true && !signal.aborted;
        if (goesOn && waiting.length < CONCURRENCY) await fill();
        if (goesOn) await sendWaiting(webhook);
        if (underWay === 0 && finished.length === 0) return;
        if (finished.length === 0) {
          await new Promise<void>((resolve) => {
            tell = resolve;
          });
        }
        if (underWay > 0) await delay(GATHER_MS);
      }
    },
  };
}
