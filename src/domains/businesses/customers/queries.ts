import type { EventSource } from '../../../context/index.ts';
import type { Db, Fragment, Tx } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/email.ts';
import { escapeLike } from '../../../shared/text.ts';
import type { Customer } from './schemas.ts';

type Acted = { businessId: string; id: string; userId: string; email: string | null; now: number };

/**
 * Ties the record of this address to the person, or makes a record. An address that is another person's record already stays
 * theirs. Either is told.
 */
export const insertActed = (tx: Tx, acted: Acted, source: EventSource) =>
  acted.email === null ? insertActedGuest(tx, acted, source) : insertActedAs(tx, acted, acted.email, source);

/** Whoever is known already costs a look at the index and nothing else. */
const insertActedGuest = (tx: Tx, { businessId, id, userId, now }: Acted, source: EventSource) => tx`
  with made as (
    insert into customers (business_id, id, user_id, created_at, updated_at)
    values (${businessId}, ${id}, ${userId}, ${now}, ${now})
    on conflict do nothing
    returning *
  )
  ${source.eventsFrom(tx, actedEvents(tx, tx`select 'customer.created' as type, made.* from made`))}`;

const insertActedAs = (tx: Tx, { businessId, id, userId, now }: Acted, email: string, source: EventSource) => {
  const key = emailKey(email);
  return tx`
    with tied as (
      update customers set user_id = ${userId}, version = version + 1, updated_at = ${now}
      where business_id = ${businessId} and email_key = ${key} and user_id is null
        and not exists (select from customers where business_id = ${businessId} and user_id = ${userId})
      returning *
    ),
    taken as (select 1 from customers where business_id = ${businessId} and email_key = ${key}),
    made as (
      insert into customers (business_id, id, user_id, email, email_key, created_at, updated_at)
      select ${businessId}, ${id}, ${userId}, case when not exists (select from taken) then ${email}::text end,
        case when not exists (select from taken) then ${key}::text end, ${now}::bigint, ${now}::bigint
      where not exists (select from tied)
        and not exists (select from customers where business_id = ${businessId} and user_id = ${userId})
      on conflict do nothing
      returning *
    )
    ${source.eventsFrom(
      tx,
      actedEvents(
        tx,
        tx`
      select 'customer.updated' as type, tied.* from tied union all select 'customer.created', made.* from made`,
      ),
    )}`;
};

export async function hasRecord(db: Db, businessId: string, userId: string): Promise<boolean> {
  const rows = await db`select id from customers where business_id = ${businessId} and user_id = ${userId}`;
  return rows.length > 0;
}

/** The record as `selectCustomers` reads it. */
const actedEvents = (tx: Tx, records: Fragment) => tx`
  select c.type, 'customer:' || c.id as entity, json_build_object('id', c.id, 'businessId', c.business_id, 'userId', c.user_id,
    'email', ${emailOf(tx)}, 'name', ${nameOf(tx)}, 'phone', c.phone, 'addresses', c.addresses, 'tags', c.tags,
    'note', c.note, 'consent', c.consent, 'createdAt', c.created_at, 'updatedAt', c.updated_at)::text as data
  from (${records}) c left join lateral (select email, name, is_confirmed from users where id = c.user_id offset 0) u on true`;

/** A part of a statement: the ids of those who have acted at one of these businesses, or of those among `userIds`. */
export const actedAt = (db: Db, businessIds: readonly string[], userIds: readonly string[] | null) => db<
  { userId: string }[]
>`
  select user_id from customers where business_id = any(${businessIds as string[]}) and ${among(db, userIds)}
  union
  select user_id from members
  where business_id = any(${businessIds as string[]}) and used_at is not null and ${among(db, userIds)}`;

const among = (db: Db, userIds: readonly string[] | null) =>
  userIds === null ? db`user_id is not null` : db`user_id = any(${userIds as string[]})`;

export const listActed = (db: Db, businessId: string, userIds: readonly string[]) => db<{ userId: string }[]>`
  select user_id from customers where business_id = ${businessId} and user_id = any(${userIds as string[]})
  union
  select user_id from members
  where business_id = ${businessId} and user_id = any(${userIds as string[]}) and used_at is not null`;

export const listPeople = (db: Db, businessId: string, userIds: readonly string[]) => db<{ userId: string }[]>`
  select user_id from customers where business_id = ${businessId} and user_id = any(${userIds as string[]})
  union
  select user_id from members where business_id = ${businessId} and user_id = any(${userIds as string[]})`;

export type CustomerRow = Customer & {
  version: number;
  /** What the record itself says; where it is silent, `email` and `name` are those of the account. */
  ownEmail: string | null;
  ownName: string;
};

export const selectCustomers = (db: Db) => db`
  select c.business_id, c.id, c.user_id, c.phone, c.addresses, c.tags, c.note, c.consent, c.version, c.created_at,
    c.updated_at, c.email as own_email, c.name as own_name, ${emailOf(db)} as email, ${nameOf(db)} as name
  from customers c left join users u on u.id = c.user_id`;

const emailOf = (db: Db) => db`coalesce(c.email, case when u.is_confirmed then u.email end)`;
const nameOf = (db: Db) => db`coalesce(nullif(c.name, ''), u.name, '')`;

export async function findCustomer(db: Db, businessId: string, id: string): Promise<CustomerRow | null> {
  const [row] = await db<CustomerRow[]>`
    ${selectCustomers(db)} where c.business_id = ${businessId} and c.id = ${id}`;
  return row ?? null;
}

export async function lockCustomer(tx: Tx, businessId: string, id: string): Promise<CustomerRow | null> {
  const [row] = await tx<CustomerRow[]>`
    ${selectCustomers(tx)} where c.business_id = ${businessId} and c.id = ${id} for no key update of c`;
  return row ?? null;
}

type CustomerFilter = {
  text: string | null;
  tags: string[];
  userId: string | null;
  after: string | null;
  limit: number;
};

/** Newest first. */
export function listCustomerRows(db: Db, businessId: string, { text, tags, userId, after, limit }: CustomerFilter) {
  const pattern = text && `%${escapeLike(text)}%`;
  return db<CustomerRow[]>`
    ${selectCustomers(db)} where c.business_id = ${businessId}
      ${after === null ? db`` : db`and c.id < ${after}`}
      ${userId === null ? db`` : db`and c.user_id = ${userId}`}
      ${tags.length === 0 ? db`` : db`and c.tags @> ${tags}::text[]`}
      ${
        pattern === null
          ? db``
          : db`and (${nameOf(db)} ilike ${pattern} or ${emailOf(db)} ilike ${pattern} or c.phone ilike ${pattern})`
      }
    order by c.id desc limit ${limit}`;
}

export type CustomerRecord = Omit<CustomerRow, 'ownEmail' | 'ownName'>;

const columnsOf = (tx: Tx, { email, addresses, consent, ...row }: CustomerRecord) => ({
  ...row,
  email,
  emailKey: email && emailKey(email),
  addresses: tx.json(addresses as never),
  consent: consent && tx.json(consent as never),
});

export async function insertCustomer(tx: Tx, row: CustomerRecord): Promise<void> {
  await tx`insert into customers ${tx(columnsOf(tx, row))}`;
}

export async function updateCustomer(tx: Tx, row: CustomerRecord): Promise<void> {
  const { businessId, id, name, phone, tags, note, version, updatedAt, ...json } = columnsOf(tx, row);
  await tx`update customers set email = ${json.email}, email_key = ${json.emailKey}, name = ${name}, phone = ${phone},
      addresses = ${json.addresses}, tags = ${tags}, note = ${note}, consent = ${json.consent},
      version = ${version}, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}`;
}

export async function deleteCustomerRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from customers where business_id = ${businessId} and id = ${id}`;
}
