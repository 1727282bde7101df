import type { Versioned } from '../../context/index.ts';
import { lockName } from '../../db/lock-name.ts';
import { conflict, invalidField, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import { etagOf } from '../../shared/records/etag.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { newSecret } from '../../shared/security/webhook-signing.ts';
import { type Command, command, type Query, type Steps } from './context.ts';
import { clearFailing, wakeQueues } from './delivery-queries.ts';
import type { NewWebhook, Rotated, Webhook, WebhookChange, WebhookInput } from './schemas.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  type ListedWebhook,
  listWebhookRows,
  lockWebhook,
  updateWebhook,
  viewWebhook,
} from './webhook-queries.ts';

const MAX_WEBHOOKS = 50;
const OVERLAP_SECONDS = 86_400;
const PAYLOAD_VERSION = 1;

const versioned = (row: ListedWebhook): Versioned<Webhook> => ({ record: viewWebhook(row), version: row.version });

export async function listWebhooks(ctx: Query, query: { limit?: number; cursor?: string }): Promise<Page<Webhook>> {
  const scope = `webhooks:${ctx.businessId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = (ctx.cursors.decode(scope, query.cursor) ?? []) as string[];
  const rows = await listWebhookRows(ctx.db, ctx.businessId, after, limit + 1);
  return ctx.cursors.page(
    scope,
    rows,
    limit,
    ({ id }) => [id],
    (row) => ({ ...viewWebhook(row), etag: etagOf(row.version) }),
  );
}

export async function readWebhook(ctx: Query, id: string): Promise<Versioned<Webhook>> {
  const row = await findWebhook(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Webhook');
  return versioned(row);
}

/** The check makes a DNS lookup, so it must run outside the transaction. */
async function checkUrl(ctx: Steps, { url }: { url?: string }): Promise<void> {
  const problem = url === undefined ? null : await ctx.webhooks.outbound.findProblem(url, ctx.businessId);
  if (problem) throw invalidField('url', 'INVALID_VALUE', `url can't be used: ${problem}.`);
}

export const createWebhook = command({
  async prepare(ctx, input: WebhookInput) {
    await checkUrl(ctx, input);
    return input;
  },
  async execute(ctx, { url, events, description = '', enabled = true }): Promise<NewWebhook> {
    const { db: tx, businessId, now } = ctx;
    await lockName(tx, `webhooks ${businessId}`);
    if ((await countWebhooks(tx, businessId)) >= MAX_WEBHOOKS) {
      throw conflict(`A business can have at most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
    }
    const id = newId('whk');
    const secret = newSecret();
    const row: ListedWebhook = {
      businessId,
      id,
      url,
      events,
      description,
      enabled,
      disabledReason: null,
      failingSince: null,
      payloadVersion: PAYLOAD_VERSION,
      secret: ctx.webhooks.seal(businessId, id, secret),
      previousSecret: null,
      previousUntil: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    const { failingSince: _, ...stored } = row;
    await insertWebhook(tx, stored);
    ctx.emit({ type: 'webhook.created', entity: `webhook:${id}`, data: viewWebhook(row) });
    return { ...viewWebhook(row), secret };
  },
});

type Change = { id: string; changes: WebhookChange };

/** When a webhook is enabled again, pending deliveries are sent, including deliveries of events that occurred in the meantime. */
export const changeWebhook = command({
  async prepare(ctx, change: Change) {
    await checkUrl(ctx, change.changes);
    return change;
  },
  async execute(ctx, { id, changes }): Promise<Versioned<Webhook>> {
    const row = await lockForUpdate(ctx, id);
    const next = { ...row, ...changes, version: row.version + 1, updatedAt: ctx.now };
    if (changes.enabled) next.disabledReason = null;
    await updateWebhook(ctx.db, next);
    if (next.enabled && !row.enabled) {
      next.failingSince = null;
      await clearFailing(ctx.db, { businessId: ctx.businessId, webhookId: id });
      await wakeQueues(ctx.db, ctx.businessId, [id], ctx.webhooks.nowMs());
    }
    const { record, version } = versioned(next);
    ctx.emit({ type: 'webhook.updated', entity: `webhook:${id}`, data: record, before: viewWebhook(row) });
    return { record, version };
  },
});

export async function deleteWebhook(ctx: Command, id: string) {
  const row = await lockForUpdate(ctx, id);
  await deleteWebhookRow(ctx.db, ctx.businessId, id);
  ctx.emit({ type: 'webhook.deleted', entity: `webhook:${id}`, data: viewWebhook(row) });
  return SUCCESS;
}

/** For a day, calls are signed with both secrets, so that receivers can switch without rejecting any. */
export async function rotateSecret(ctx: Command, id: string): Promise<Rotated> {
  const row = await lockForUpdate(ctx, id);
  const secret = newSecret();
  const previousUntil = ctx.now + OVERLAP_SECONDS;
  const next = {
    ...row,
    secret: ctx.webhooks.seal(ctx.businessId, id, secret),
    previousSecret: row.secret,
    previousUntil,
    version: row.version + 1,
    updatedAt: ctx.now,
  };
  await updateWebhook(ctx.db, next);
  ctx.emit({ type: 'webhook.updated', entity: `webhook:${id}`, data: viewWebhook(next) });
  return { secret, previousValidUntil: previousUntil };
}

async function lockForUpdate(ctx: Command, id: string): Promise<ListedWebhook> {
  const row = await lockWebhook(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Webhook');
  ctx.checkVersion(row.version);
  return row;
}
