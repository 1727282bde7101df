/**
 * Records each statement that the service sends. When the process ends, it fails if a statement on a tenant table has no
 * business ID, which a cluster needs to find the node that stores the rows.
 */
import pg from 'pg';
import type { TestServer } from './setup.ts';

/** Names of sessions that serve tests or migrations rather than requests. */
const OTHERS = ['test', 'souk-migrate'];

const seen = new Set<string>();
const { prototype } = pg.Client as unknown as { prototype: { query: (...given: unknown[]) => unknown } };
const { query } = prototype;
prototype.query = function (this: { connectionParameters: { application_name: string } }, ...given: unknown[]) {
  const [first] = given as [string | { text?: string }];
  const text = typeof first === 'string' ? first : first.text;
  if (text && !OTHERS.includes(this.connectionParameters.application_name)) seen.add(text);
  return query.apply(this, given);
};

process.on('exit', () => {
  if (!process.env.SOUK_TEST_SERVER) return;
  const { tenantTables } = JSON.parse(process.env.SOUK_TEST_SERVER) as TestServer;
  const unscoped = listUnscoped(tenantTables);
  if (unscoped.length === 0) return;
  process.exitCode = 1;
  for (const text of unscoped) process.stderr.write(`A statement on a tenant table has no business ID: ${text}\n`);
});

/** Statements that span all businesses, by a part of their text, with the reason. */
const OVER_ALL: Record<string, string> = {
  'delete from idempotency_keys where expires_at <': 'Upkeep deletes expired rows.',
  'from stock where sold_as is null': 'Finds products saved by an older version.',
  'select distinct business_id from event_outbox': 'Finds the businesses with unnumbered events.',
  'select business_id from event_heads where business_id >': 'Iterates over all businesses to delete old events.',
  'select business_id from entries where index_rules <': 'Finds the next business with entries to reindex.',
  'select business_id, id from collections where deleted_at is not null':
    'Finds the remaining rows of deleted collections.',
  'select distinct s.business_id, s.id from sends s': 'Finds newsletters to deliver.',
  'select distinct business_id from automation_signals where due_at <=': 'Finds events that may start automations.',
  'select distinct business_id from automations where (case when': 'Finds due steps of automations.',
  'select business_id, webhook_id from webhook_queues where due_at <=': 'Finds due webhooks.',
  'from webhook_queues where (business_id, webhook_id) >': 'Iterates over all webhooks to delete old deliveries.',
  'from media_uploads where created_at <': 'Finds unfinished uploads.',
  'from media where (business_id, id) >': 'Iterates over the files of all businesses.',
  'select distinct business_id from subscriptions where status =': 'Finds unconfirmed subscriptions.',
  'select business_id from mail_senders where business_id >':
    'Iterates over all sender addresses to check their records.',
  'select distinct customer_id from orders where customer_id = any(':
    'Finds guest accounts with orders in any business.',
  'select distinct queue as name, business_id from tasks where due_at <=':
    'Finds businesses with due work; each is claimed separately.',
  'select business_id, origins from publishable_keys': 'Loads the origins of pages that may call the API.',
  'from tasks group by queue': 'Counts tasks for the metrics.',
  'delete from tasks where expires_at <=': 'Upkeep deletes expired rows.',
  'delete from carts where expires_at <=': 'Upkeep deletes expired rows.',
  'delete from quotes where expires_at <': 'Upkeep deletes expired rows.',
  'delete from vat_checks where checked_at <': 'Upkeep deletes old rows.',
  'delete from bank_statements where created_at <': 'Upkeep deletes old rows.',
  "select business_id, id from erasures where status = 'RUNNING'": 'Finds erasures whose task ran out of retries.',
  "select business_id, id from imports where status in ('QUEUED', 'RUNNING')": 'Finds imports without a lease.',
  'select business_id, id from imports where created_at <': 'Deletes the records of old imports.',
};

function listUnscoped(tenantTables: string[]): string[] {
  const touches = new RegExp(`\\b(?:from|join|into|update|only)\\s+"?(?:${tenantTables.join('|')})\\b`, 'i');
  const names = /\bbusiness_id\s*=\s*(?:any ?\()?\$|\binsert into \w+(?: as \w+)? \([^)]*\bbusiness_id\b/i;
  const statements = new Set([...seen].map((text) => text.replaceAll(/\s+/g, ' ').trim()));
  return [...statements]
    .filter((text) => touches.test(text) && !names.test(text))
    .filter((text) => !Object.keys(OVER_ALL).some((part) => text.includes(part)))
    .sort();
}
