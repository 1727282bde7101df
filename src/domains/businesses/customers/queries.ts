import type { EventSource } from '../../../context/index.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import type { PartialAddress } from '../../../shared/schemas.ts';
import type { Caller } from '../../../shared/security/caller.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { escapeLike } from '../../../shared/text/text.ts';
import type { Customer } from './schemas.ts';

export type Account = Pick<Caller, 'userId' | 'email' | 'name' | 'isGuest' | 'isConfirmed'>;

/** `typed`: the name and the unverified email that a guest entered. */
type Activity = {
  businessId: string;
  id: string;
  account: Account;
  typed: { name: string; email: string | null };
  now: number;
};

/**
 * Links the customer record with this email to the user, or creates a record. If another user's record already has the email,
 * that record keeps it. Emits an event for either change. An unverified email has no `email_key`: it identifies no one.
 */
export const linkOrInsertCustomer = (
  tx: Tx,
  { businessId, id, account, typed, now }: Activity,
  source: Pick<EventSource, 'eventCause'>,
) => {
  const { userId, isGuest, name } = account;
  const email = account.isConfirmed ? account.email : null;
  const own = email === null ? typed : { email, name: '' };
  return tx`select record_customer(${businessId}, ${id}, ${userId}, ${own.email}, ${email && emailKey(email)}, ${own.name},
    ${now}::bigint, ${!isGuest}::boolean, ${email}, ${name}, ${source.eventCause(tx)})`;
};

export async function hasRecord(db: Db, businessId: string, userId: string): Promise<boolean> {
  const rows = await db`select id from customers where business_id = ${businessId} and user_id = ${userId}`;
  return rows.length > 0;
}

/** A subquery: the IDs of users who have acted at one of these businesses, optionally only among `userIds`. */
export const usersWithActivityAt = (db: Db, businessIds: readonly string[], userIds: readonly string[] | null) => db<
  { userId: string }[]
>`
  select user_id from customers where business_id = any(${businessIds as string[]}) and ${among(db, userIds)}
  union
  select user_id from members
  where business_id = any(${businessIds as string[]}) and used_at is not null and ${among(db, userIds)}`;

const among = (db: Db, userIds: readonly string[] | null) =>
  userIds === null ? db`user_id is not null` : db`user_id = any(${userIds as string[]})`;

export const listUsersWithActivity = (db: Db, businessId: string, userIds: readonly string[]) => db<
  { userId: string }[]
>`
  select user_id from customers where business_id = ${businessId} and user_id = any(${userIds as string[]})
  union
  select user_id from members
  where business_id = ${businessId} and user_id = any(${userIds as string[]}) and used_at is not null`;

export const listPeople = (db: Db, businessId: string, userIds: readonly string[]) => db<{ userId: string }[]>`
  select user_id from customers where business_id = ${businessId} and user_id = any(${userIds as string[]})
  union
  select user_id from members where business_id = ${businessId} and user_id = any(${userIds as string[]})`;

export type CustomerRow = Omit<Customer, 'addresses' | 'shippingAddress' | 'billingAddress'> & {
  /** As entered: fields may be missing. */
  addresses: PartialAddress[];
  shippingAddress: PartialAddress | null;
  billingAddress: PartialAddress | null;
  version: number;
  /** The values stored in the record itself. Where they are empty, `email` and `name` come from the account. */
  ownEmail: string | null;
  ownName: string;
  emailKey: string | null;
};

export const selectCustomers = (db: Db) => db`
  select c.business_id, c.id, c.user_id, c.phone, c.addresses, c.shipping_address, c.billing_address, c.tags, c.note,
    c.consent, c.version, c.created_at, c.updated_at, c.email as own_email, c.email_key, c.name as own_name, ${hasAccount(db)} as has_account,
    ${emailOf(db)} as email, ${nameOf(db)} as name
  from customers c left join users u on u.id = c.user_id`;

const emailOf = (db: Db) => db`coalesce(c.email, case when u.is_confirmed then u.email end)`;
const hasAccount = (db: Db) => db`coalesce(not u.is_guest, false)`;
const nameOf = (db: Db) => db`coalesce(nullif(c.name, ''), u.name, '')`;

export async function findCustomer(db: Db, businessId: string, id: string): Promise<CustomerRow | null> {
  const [row] = await db<CustomerRow[]>`
    ${selectCustomers(db)} where c.business_id = ${businessId} and c.id = ${id}`;
  return row ?? null;
}

/** The records with one of these record or user IDs. */
export const listCustomersOf = (db: Db, businessId: string, ids: readonly string[]) => db<CustomerRow[]>`
  ${selectCustomers(db)}
  where c.business_id = ${businessId} and (c.id = any(${ids as string[]}) or c.user_id = any(${ids as string[]}))`;

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

export type CustomerRecord = Omit<CustomerRow, 'ownEmail' | 'ownName' | 'emailKey' | 'hasAccount'>;

const columnsOf = (tx: Tx, { email, addresses, consent, shippingAddress, billingAddress, ...row }: CustomerRecord) => ({
  ...row,
  shippingAddress: shippingAddress && tx.json(shippingAddress as never),
  billingAddress: billingAddress && tx.json(billingAddress as never),
  email,
  emailKey: email && emailKey(email),
  addresses: tx.json(addresses as never),
  consent: consent && tx.json(consent as never),
});

export async function insertCustomer(tx: Tx, row: CustomerRecord): Promise<void> {
  await tx`insert into customers ${tx(columnsOf(tx, row))}`;
}

export async function updateCustomer(tx: Tx, row: CustomerRecord, { isTyped = false } = {}): Promise<void> {
  const { businessId, id, name, phone, tags, note, version, updatedAt, ...json } = columnsOf(tx, row);
  await tx`update customers set email = ${json.email}, email_key = ${isTyped ? null : json.emailKey}, name = ${name}, phone = ${phone},
      addresses = ${json.addresses}, shipping_address = ${json.shippingAddress}, billing_address = ${json.billingAddress}, tags = ${tags}, note = ${note}, consent = ${json.consent},
      version = ${version}, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}`;
}

export async function deleteCustomerRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from customers where business_id = ${businessId} and id = ${id}`;
}
