/**
 * Loaded into every process that runs a test file: notes each statement that the service sends. At the end of the run `run.ts`
 * checks that those on tables of businesses name their business (or businesses), so that a cluster knows the one node that has the rows.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const FOLDER = process.env.SOUK_TEST_STATEMENTS;

/** The sessions of the service itself; those of tests have other names. */
const SERVICE = new Set(['souk', 'souk-quick', 'souk-jobs', 'souk-snapshots']);

if (process.env.NODE_TEST_CONTEXT && FOLDER) {
  const seen = new Set<string>();
  const { prototype } = pg.Client as unknown as { prototype: { query: (...given: unknown[]) => unknown } };
  const { query } = prototype;
  prototype.query = function (this: { connectionParameters: { application_name: string } }, ...given: unknown[]) {
    const [first] = given as [string | { text?: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text && SERVICE.has(this.connectionParameters.application_name)) seen.add(text);
    return query.apply(this, given);
  };
  process.on('exit', () => writeFileSync(join(FOLDER, `${process.pid}.seen.json`), JSON.stringify([...seen])));
}

/** Work that looks over all businesses, by a part of its statement, and why that is right. */
const OVER_ALL: Record<string, string> = {
  'delete from idempotency_keys where expires_at <': 'Upkeep deletes what has expired.',
  'from stock where sold_as is null': 'Finds products that an older version has saved.',
  'select distinct business_id from event_outbox': 'Finds the businesses whose events wait to be numbered.',
  'select business_id from event_heads where business_id >': 'Walks through all businesses to delete old events.',
  'select business_id from entries where index_rules <':
    'Finds the next business whose entries are to be indexed anew.',
  'select business_id, id from collections where deleted_at is not null': 'Finds what is left of deleted collections.',
  'select business_id, id from sends where open': 'Finds the newsletters that are due.',
  'select business_id, webhook_id from webhook_queues where due_at <=': 'Finds the webhooks that are due.',
  'from webhook_queues where (business_id, webhook_id) >': 'Walks through all webhooks to delete old deliveries.',
  'from media_uploads where created_at <': 'Finds uploads that nobody has finished.',
  "update media_uploads set updated_at = $1 where status = 'CHECKING'": 'Takes over checks whose process has died.',
  'from media where (business_id, id) >': 'Walks through the files of all businesses.',
  'select distinct business_id from subscriptions where status =': 'Finds subscriptions that nobody has confirmed.',
  'select distinct customer_id from orders where customer_id = any(':
    'Says which guest accounts have ordered anywhere.',
  ' as key from payments where (case when': 'Finds what is due; each business is claimed by itself.',
  ' as key from refunds where (case when': 'Finds what is due; each business is claimed by itself.',
  ' as key from order_tasks where due_at <=': 'Finds what is due; each business is claimed by itself.',
  'select business_id, id from agreements where due_at <=': 'Finds the plans whose provider is to be asked.',
  'select business_id, entity, due_at from planned where due_at <=': 'Finds what is to be published.',
  "select business_id, id from erasures where status = 'RUNNING'": 'Finds erasures whose job was lost.',
  "select business_id, id from imports where status in ('QUEUED', 'RUNNING')": 'Finds imports whose worker has died.',
  'select business_id, id from imports where created_at <': 'Deletes the records of old imports.',
  "select distinct business_id from import_pictures where status = 'WAITING'": 'Finds pictures that are to be fetched.',
};

/** Statements of the run that touch a table of businesses and name none. */
export function checkStatements(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.seen.json'));
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[];
  const tables = read('tables.json').join('|');
  const touches = new RegExp(`\\b(?:from|join|into|update|only)\\s+"?(?:${tables})\\b`, 'i');
  const names = /\bbusiness_id\s*=\s*(?:any ?\()?\$|\binsert into \w+(?: as \w+)? \([^)]*\bbusiness_id\b/i;
  const statements = new Set(files.flatMap(read).map((text) => text.replaceAll(/\s+/g, ' ').trim()));
  return [...statements]
    .filter((text) => touches.test(text) && !names.test(text))
    .filter((text) => !Object.keys(OVER_ALL).some((part) => text.includes(part)))
    .sort();
}
