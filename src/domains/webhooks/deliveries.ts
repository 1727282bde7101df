import { consumeCallLimit } from '../../db/call-limits.ts';
import { invalidField, notFound } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { newSecret } from '../../shared/security/webhook-signing.ts';
import { countEvents, eventId, likePatterns, positionOf } from '../events/index.ts';
import { callReceiver, isSuccess } from './call.ts';
import { type Command, command, type Query, type Steps } from './context.ts';
import { type DeliveryRow, findDelivery, insertDeliveries, listDeliveryRows } from './delivery-queries.ts';
import { REPLAY, type Replay, webhooksSubject } from './fan-out.ts';
import type { DeliveryQuery, Replayed, ReplayInput, TestResult, WebhookDelivery } from './schemas.ts';
import { findWebhook } from './webhook-queries.ts';

const view = (businessId: string, row: DeliveryRow): WebhookDelivery => ({
  id: eventId(businessId, row.position),
  type: row.type,
  entity: row.entity,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.status === 'PENDING' ? Math.ceil(row.nextAttemptAt / 1000) : null,
  createdAt: row.createdAt,
});

type WithWebhookId<T> = T & { webhookId: string };

async function getWebhook({ db, businessId }: Query | Command | Steps, webhookId: string) {
  const webhook = await findWebhook(db, businessId, webhookId);
  if (!webhook) throw notFound('Webhook');
  return webhook;
}

export async function listDeliveries(ctx: Query, query: WithWebhookId<DeliveryQuery>): Promise<Page<WebhookDelivery>> {
  const { replica, businessId, cursors } = ctx;
  const { webhookId, status = null } = query;
  await getWebhook(ctx, webhookId);
  const scope = `deliveries:${businessId}:${webhookId}:${status}`;
  const limit = pageLimit(query.limit);
  const [before = null] = (cursors.decode(scope, query.cursor) ?? []) as number[];
  const rows = await listDeliveryRows(replica, { businessId, webhookId }, { status, before, limit: limit + 1 });
  return cursors.page(
    scope,
    rows,
    limit,
    ({ position }) => [position],
    (row) => view(businessId, row),
    ({ bytes }) => bytes,
  );
}

/** Sends a delivery again, regardless of its status. */
export async function retryDelivery(
  ctx: Command,
  { webhookId, id }: WithWebhookId<{ id: string }>,
): Promise<WebhookDelivery> {
  const { db, businessId } = ctx;
  await getWebhook(ctx, webhookId);
  const name = { businessId, webhookId };
  const row = id.startsWith('evt_') ? await findDelivery(db, name, positionOf(businessId, id)) : null;
  if (!row) throw notFound('Delivery');
  const { position, type, entity } = row;
  await insertDeliveries(db, businessId, [{ webhookId, position, type, entity }], ctx.webhooks.nowMs(), {
    again: true,
  });
  await ctx.publish(webhooksSubject(businessId));
  return view(businessId, (await findDelivery(db, name, position))!);
}

/** Enqueues a task, because there may be many events. */
export async function replayEvents(
  ctx: Command,
  { webhookId, from, to }: WithWebhookId<ReplayInput>,
): Promise<Replayed> {
  const { events } = await getWebhook(ctx, webhookId);
  if (to < from) throw invalidField('to', 'OUT_OF_RANGE', '`to` must not be earlier than `from`.');
  await ctx.enqueue(REPLAY, { webhookId, from, to } satisfies Replay);
  const count = await countEvents(ctx.db, ctx.businessId, { from, to, types: likePatterns(events) });
  return { ...SUCCESS, events: count };
}

/** Sends a test event to the endpoint immediately and returns the outcome. */
export const testWebhook = command({
  async prepare(ctx, webhookId: string) {
    const webhook = await getWebhook(ctx, webhookId);
    return sendTest(ctx, webhook.url, ctx.webhooks.secretsOf(webhook, ctx.now));
  },
  execute: async (_ctx, result) => result,
});

export const testUrl = command({
  prepare: (ctx, url: string) => sendTest(ctx, url, [newSecret()]),
  execute: async (_ctx, result) => result,
});

async function sendTest(ctx: Steps, url: string, secrets: string[]): Promise<TestResult> {
  const { businessId, now, caller } = ctx;
  const problem = await ctx.webhooks.outbound.findProblem(url, businessId);
  if (problem) throw invalidField('url', 'INVALID_VALUE', `url can't be used: ${problem}.`);
  await consumeCallLimit(ctx, 'webhookTest');
  const id = `evt_test_${now}`;
  const body = JSON.stringify({
    id,
    type: 'webhook.test',
    businessId,
    entity: `business:${businessId}`,
    actor: { type: 'USER', userId: caller.userId },
    sequence: 0,
    data: {},
    changes: null,
    createdAt: now,
  });
  const timeoutMs = ctx.config.webhookTimeoutSeconds * 1000;
  const attempt = await callReceiver(ctx.webhooks.outbound, {
    businessId,
    url,
    secrets,
    id,
    body,
    nowSeconds: now,
    timeoutMs,
  });
  return { ...attempt, success: isSuccess(attempt) };
}
