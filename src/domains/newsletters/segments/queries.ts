import type { Db, Statement, Tx } from '../../../db/sql.ts';
import { type Filter, splitSubscribers } from './filter.ts';
import { matches, matchesSubscription } from './match.ts';
import { countOf } from './sets.ts';

export type SegmentRow = {
  businessId: string;
  id: string;
  name: string;
  filter: Filter;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export async function insertSegment(tx: Tx, row: SegmentRow): Promise<void> {
  await tx`insert into segments ${tx({ ...row, filter: tx.json(row.filter) })}`;
}

export async function updateSegment(tx: Tx, { businessId, id, name, filter, updatedAt }: SegmentRow): Promise<void> {
  await tx`
    update segments set name = ${name}, filter = ${tx.json(filter)}, version = version + 1, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}`;
}

export async function deleteSegment(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from segments where business_id = ${businessId} and id = ${id}`;
}

export async function findSegment(db: Db, businessId: string, id: string): Promise<SegmentRow | null> {
  const [row] = await db<SegmentRow[]>`select * from segments where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockSegment(tx: Tx, businessId: string, id: string): Promise<SegmentRow | null> {
  const [row] = await tx<SegmentRow[]>`
    select * from segments where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Keeps the segment from being changed or deleted until the transaction ends. Several transactions can protect it at the same time. */
export async function protectSegment(tx: Tx, businessId: string, id: string): Promise<SegmentRow | null> {
  const [row] = await tx<SegmentRow[]>`
    select * from segments where business_id = ${businessId} and id = ${id} for share`;
  return row ?? null;
}

/** Newest first. */
export const listSegments = (db: Db, businessId: string, before: string | null, limit: number) => db<SegmentRow[]>`
  select * from segments where business_id = ${businessId} ${before === null ? db`` : db`and id < ${before}`}
  order by id desc limit ${limit}`;

/** In the order of their IDs, starting after the given ID. */
export const listSegmentsForExport = (db: Db, businessId: string, after: string, limit: number) => db<SegmentRow[]>`
  select * from segments where business_id = ${businessId} and id > ${after} order by id limit ${limit}`;

/** Whether a scheduled send uses the segment. */
export async function isSegmentUsed(db: Db, businessId: string, id: string): Promise<boolean> {
  const rows = await db`
    select from sends where business_id = ${businessId} and segment_id = ${id} and open and not frozen limit 1`;
  return rows.length > 0;
}

/** Everyone with an email address: subscribers of any newsletter and customers. */
const people = (db: Db, businessId: string) => db`
  select business_id, email_key from subscriptions where business_id = ${businessId}
  union select business_id, email_key from customers where business_id = ${businessId} and email_key is not null`;

/**
 * The `from` and `where` clauses for people `p` who match the filter. If only subscribers can match, only subscriptions are read, and a
 * person can have several rows.
 */
function matching(db: Db, businessId: string, filter: Filter, nowSeconds: number) {
  const split = splitSubscribers(filter);
  if (!split) return db`from (${people(db, businessId)}) p where (${matches(db, 'p', filter, nowSeconds)})`;
  const rest = split.rest.length > 0 ? db`and (${matches(db, 'p', { all: split.rest }, nowSeconds)})` : db``;
  return db`from subscriptions p
    where p.business_id = ${businessId} and (${matchesSubscription(db, 'p', split.own, nowSeconds)}) ${rest}`;
}

/** Whether all subscriptions are to one newsletter. Then each person has at most one, and conditions need no joins. */
export async function hasOneNewsletter(db: Db, businessId: string): Promise<boolean> {
  const newsletter = (order: Statement<object[]>) => db`
    (select collection_id from subscriptions where business_id = ${businessId} order by collection_id ${order} limit 1)`;
  const [row] = await db<[{ isSingle: boolean }]>`
    select ${newsletter(db`asc`)} is not distinct from ${newsletter(db`desc`)} as is_single`;
  return row.isSingle;
}

/** Call it in `ctx.scan`. */
export async function countPeople(db: Db, businessId: string, filter: Filter, nowSeconds: number): Promise<number> {
  const scope = { businessId, nowSeconds, isSingle: await hasOneNewsletter(db, businessId) };
  const [row] = await db<{ count: number }[]>`select ${countOf(db, filter, scope)} as count`;
  return row!.count;
}

export type PersonRow = { email: string; name: string; isCustomer: boolean; isSuppressed: boolean };

/**
 * Sorted by email. Searches a range of people by email, then ranges four times as large, until the page is full: most filters match enough
 * people in the first range, so a page does not read everyone.
 */
export async function listPeople(
  db: Db,
  businessId: string,
  filter: Filter,
  { after, limit, nowSeconds }: { after: string | null; limit: number; nowSeconds: number },
): Promise<PersonRow[]> {
  const found: PersonRow[] = [];
  let from = after ?? '';
  for (let size = 2 * limit; ; size *= 4) {
    const to = await findEnd(db, businessId, from, size);
    const range = { from, to, limit: limit - found.length };
    found.push(...(await listPeopleWithin(db, businessId, filter, range, nowSeconds)));
    if (found.length === limit || to === null) return found;
    from = to;
  }
}

/** The last email of the next `size` subscriptions and customers. Null if there are fewer. */
async function findEnd(db: Db, businessId: string, from: string, size: number): Promise<string | null> {
  const next = (table: 'subscriptions' | 'customers') => db`
    select email_key from ${db(table)} where business_id = ${businessId} and email_key > ${from} order by email_key limit ${size}`;
  const [row] = await db<{ emailKey: string }[]>`
    select email_key from ((${next('subscriptions')}) union all (${next('customers')})) e
    order by email_key offset ${size - 1} limit 1`;
  return row?.emailKey ?? null;
}

const listPeopleWithin = (
  db: Db,
  businessId: string,
  filter: Filter,
  { from, to, limit }: { from: string; to: string | null; limit: number },
  nowSeconds: number,
) => db<PersonRow[]>`
  select p.email_key as email, exists (
      select 1 from customers c where c.business_id = ${businessId} and c.email_key = p.email_key
    ) as is_customer, exists (
      select 1 from suppressions x
      where x.business_id = ${businessId} and x.email_key = p.email_key and x.removed_at is null
    ) as is_suppressed, coalesce((
      select (array_agg(s.name order by s.id))[1] from subscriptions s
      where s.business_id = ${businessId} and s.email_key = p.email_key and s.name <> ''
    ), (select name from customers c where c.business_id = ${businessId} and c.email_key = p.email_key), '') as name
  from (
    select distinct p.business_id, p.email_key ${matching(db, businessId, filter, nowSeconds)}
      and p.email_key > ${from} ${to === null ? db`` : db`and p.email_key <= ${to}`}
    order by p.email_key limit ${limit}
  ) p order by p.email_key`;

const MAX_CHOICES = 200;

/** Tags and custom fields in use, in alphabetical order. */
export async function listChoices(db: Db, businessId: string) {
  const [subscriberTags, subscriberFields, customerTags] = await Promise.all([
    db<{ name: string }[]>`
      select distinct tag as name from subscriptions s, unnest(s.tags) as tag
      where s.business_id = ${businessId} and s.tags <> '{}' order by name limit ${MAX_CHOICES}`,
    db<{ name: string }[]>`
      select distinct field as name from subscriptions s, jsonb_object_keys(s.fields) as field
      where s.business_id = ${businessId} and s.fields <> '{}' order by name limit ${MAX_CHOICES}`,
    db<{ name: string }[]>`
      select distinct tag as name from customers c, unnest(c.tags) as tag
      where c.business_id = ${businessId} and c.tags <> '{}' order by name limit ${MAX_CHOICES}`,
  ]);
  return { subscriberTags, subscriberFields, customerTags };
}
