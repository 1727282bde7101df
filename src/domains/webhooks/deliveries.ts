import { spendLimit } from '../../db/call-limits.ts';
import { invalidField, notFound } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { eventId, positionOf } from '../events/index.ts';
import { callReceiver, isSuccess } from './call.ts';
import type { Command, Query, Steps } from './context.ts';
import { type DeliveryRow, findDelivery, insertDeliveries, listDeliveryRows } from './delivery-queries.ts';
import { REPLAY_JOB, webhooksSubject } from './fan-out.ts';
import type { DeliveryQuery, ReplayInput, TestResult, WebhookDelivery } from './schemas.ts';
import { newSecret } from './signing.ts';
import { findWebhook } from './webhook-queries.ts';

const view = (businessId: string, row: DeliveryRow): WebhookDelivery => ({
  ...{ id: eventId(businessId, row.position), type: row.type, entity: row.entity, status: row.status },
  attempts: JSON.parse(row.attempts),
  nextAttemptAt: row.status === 'PENDING' ? Math.ceil(row.nextAttemptAt / 1000) : null,
  createdAt: row.createdAt,
});

type Named<T> = T & { webhookId: string };

async function getWebhook({ db, businessId }: Query | Command | Steps, webhookId: string) {
  const webhook = await findWebhook(db, businessId, webhookId);
  if (!webhook) throw notFound('Webhook');
  return webhook;
}

export async function listDeliveries(ctx: Query, query: Named<DeliveryQuery>): Promise<Page<WebhookDelivery>> {
  const { db, businessId, cursors } = ctx;
  const { webhookId, status = null } = query;
  await getWebhook(ctx, webhookId);
  const scope = `deliveries:${businessId}:${webhookId}:${status}`;
  const limit = pageLimit(query.limit);
  const [before = null] = (cursors.decode(scope, query.cursor) ?? []) as number[];
  const rows = await listDeliveryRows(db, { businessId, webhookId }, { status, before, limit: limit + 1 });
  return cursors.page(
    scope,
    rows,
    limit,
    ({ position }) => [position],
    (row) => view(businessId, row),
    ({ attempts }) => attempts.length,
  );
}

/** Sends it once more, now, whatever became of it. */
export async function retryDelivery(ctx: Command, { webhookId, id }: Named<{ id: string }>): Promise<WebhookDelivery> {
  const { db, businessId } = ctx;
  await getWebhook(ctx, webhookId);
  const name = { businessId, webhookId };
  const row = id.startsWith('evt_') ? await findDelivery(db, name, positionOf(businessId, id)) : null;
  if (!row) throw notFound('WebhookDelivery');
  const { position, type, entity } = row;
  await insertDeliveries(db, businessId, [{ webhookId, position, type, entity }], ctx.webhooks.nowMs(), {
    again: true,
  });
  await ctx.publish(webhooksSubject(businessId));
  return view(businessId, (await findDelivery(db, name, position))!);
}

/** A job sends them: there may be many. */
export async function replayEvents(ctx: Command, { webhookId, from, to }: Named<ReplayInput>) {
  const { businessId } = ctx;
  await getWebhook(ctx, webhookId);
  if (to < from) throw invalidField('to', 'OUT_OF_RANGE', 'to must not lie before from.');
  await ctx.enqueue(REPLAY_JOB, { businessId, webhookId, from, to });
  return SUCCESS;
}

/** Calls the receiver at once with an event that says it is a test, and tells what came of it. */
export async function testWebhook(ctx: Steps, webhookId: string): Promise<TestResult> {
  const webhook = await getWebhook(ctx, webhookId);
  return sendTest(ctx, webhook.url, ctx.webhooks.secretsOf(webhook, ctx.now));
}

export const testAddress = (ctx: Steps, url: string): Promise<TestResult> => sendTest(ctx, url, [newSecret()]);

async function sendTest(ctx: Steps, url: string, secrets: string[]): Promise<TestResult> {
  const { businessId, now, caller } = ctx;
  const problem = await ctx.webhooks.outbound.findProblem(url);
  if (problem) throw invalidField('url', 'INVALID_VALUE', `url cannot be called: ${problem}.`);
  await spendLimit(ctx, 'webhookTest');
  const id = `evt_test_${now}`;
  const body = JSON.stringify({
    ...{ id, type: 'webhook.test', businessId, entity: `business:${businessId}` },
    ...{ actor: { type: 'USER', userId: caller.userId }, sequence: 0, data: {}, changes: null, createdAt: now },
  });
  const timeoutMs = ctx.config.webhookTimeoutSeconds * 1000;
  const attempt = await callReceiver(ctx.webhooks.outbound, { url, secrets, id, body, nowSeconds: now, timeoutMs });
  return { ...attempt, success: isSuccess(attempt) };
}
