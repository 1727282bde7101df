import type { Db, Tx } from '../../db/sql.ts';
import type { Webhook } from './schemas.ts';

type WebhookRow = {
  businessId: string;
  id: string;
  url: string;
  events: Webhook['events'];
  description: string;
  enabled: boolean;
  disabledReason: string | null;
  payloadVersion: number;
  /** Encrypted. */
  secret: string;
  previousSecret: string | null;
  previousUntil: number | null;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export type ListedWebhook = WebhookRow & { failingSince: number | null };

export function viewWebhook(row: ListedWebhook): Webhook {
  const { businessId, id, url, events, description, enabled, disabledReason, payloadVersion, createdAt, updatedAt } =
    row;
  const failingSince = row.failingSince === null ? null : Math.floor(row.failingSince / 1000);
  return {
    id,
    businessId,
    url,
    events,
    description,
    enabled,
    disabledReason,
    failingSince,
    payloadVersion,
    createdAt,
    updatedAt,
  };
}

const columns = (db: Db) => db`
  w.business_id, w.id, w.url, w.events, w.description, w.enabled, w.disabled_reason, w.payload_version, w.secret,
  w.previous_secret, w.previous_until, w.version, w.created_at, w.updated_at, q.failing_since`;

export const listWebhookRows = (db: Db, businessId: string, after: string | null, limit: number) => db<ListedWebhook[]>`
  select ${columns(db)} from webhooks w join webhook_queues q on q.business_id = w.business_id and q.webhook_id = w.id
  where w.business_id = ${businessId} ${after === null ? db`` : db`and w.id < ${after}`}
  order by w.id desc limit ${limit}`;

export async function findWebhook(db: Db, businessId: string, id: string): Promise<ListedWebhook | null> {
  const [row] = await db<ListedWebhook[]>`
    select ${columns(db)} from webhooks w join webhook_queues q on q.business_id = w.business_id and q.webhook_id = w.id
    where w.business_id = ${businessId} and w.id = ${id}`;
  return row ?? null;
}

export async function lockWebhook(tx: Tx, businessId: string, id: string): Promise<ListedWebhook | null> {
  const [row] = await tx<ListedWebhook[]>`
    select ${columns(tx)} from webhooks w join webhook_queues q on q.business_id = w.business_id and q.webhook_id = w.id
    where w.business_id = ${businessId} and w.id = ${id} for update of w`;
  return row ?? null;
}

export async function countWebhooks(tx: Tx, businessId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from webhooks where business_id = ${businessId}`;
  return row!.count;
}

export async function insertWebhook(tx: Tx, webhook: WebhookRow): Promise<void> {
  await tx`insert into webhooks ${tx(webhook)}`;
  await tx`insert into webhook_queues (business_id, webhook_id) values (${webhook.businessId}, ${webhook.id})`;
}

/** The webhook must be locked. */
export async function updateWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx`
    update webhooks set url = ${row.url}, events = ${row.events}, description = ${row.description},
      enabled = ${row.enabled}, disabled_reason = ${row.disabledReason}, secret = ${row.secret},
      previous_secret = ${row.previousSecret}, previous_until = ${row.previousUntil}, version = ${row.version},
      updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

export async function deleteWebhookRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from webhooks where business_id = ${businessId} and id = ${id}`;
}

export const listPatterns = (tx: Tx, businessId: string) => tx<{ id: string; events: string[] }[]>`
  select id, events from webhooks where business_id = ${businessId} order by id`;
