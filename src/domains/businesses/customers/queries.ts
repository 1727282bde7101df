import type { Db, Tx } from '../../../db/sql.ts';

export const emailKey = (email: string) => email.toLowerCase();

type Acted = { businessId: string; id: string; userId: string; email: string | null; now: number };

/**
 * Ties the record of this address to the person, or makes a record. An address that is another person's record already stays
 * theirs.
 */
export const insertActed = (tx: Tx, { businessId, id, userId, email, now }: Acted) => {
  const key = email && emailKey(email);
  return tx`
    with tied as (
      update customers set user_id = ${userId}, version = version + 1, updated_at = ${now}
      where business_id = ${businessId} and email_key = ${key} and user_id is null
        and not exists (select from customers where business_id = ${businessId} and user_id = ${userId})
      returning id
    ),
    taken as (select from customers where business_id = ${businessId} and email_key = ${key})
    insert into customers (business_id, id, user_id, email, email_key, created_at, updated_at)
    select ${businessId}, ${id}, ${userId}, case when not exists (select from taken) then ${email}::text end,
      case when not exists (select from taken) then ${key}::text end, ${now}::bigint, ${now}::bigint
    where not exists (select from tied)
      and not exists (select from customers where business_id = ${businessId} and user_id = ${userId})
    on conflict do nothing`;
};

/** A part of a statement: the ids of all who have acted at one of these businesses. */
export const actedAt = (db: Db, businessIds: readonly string[]) => db`
  select user_id from customers where business_id = any(${businessIds as string[]}) and user_id is not null
  union all
  select user_id from members where business_id = any(${businessIds as string[]}) and used_at is not null`;

export const listActed = (db: Db, businessId: string, userIds: readonly string[]) => db<{ userId: string }[]>`
  select user_id from customers where business_id = ${businessId} and user_id = any(${userIds as string[]})
  union
  select user_id from members
  where business_id = ${businessId} and user_id = any(${userIds as string[]}) and used_at is not null`;

export const listPeople = (db: Db, businessId: string, userIds: readonly string[]) => db<{ userId: string }[]>`
  select user_id from customers where business_id = ${businessId} and user_id = any(${userIds as string[]})
  union
  select user_id from members where business_id = ${businessId} and user_id = any(${userIds as string[]})`;
