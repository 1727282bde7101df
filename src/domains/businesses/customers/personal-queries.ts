import type { Person } from '../../../context/personal-data.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { type CustomerRow, selectCustomers } from './queries.ts';

/** A condition that matches the customer records of this person, including records of guests who entered their email. */
const isPerson = (db: Db, { userId, customerId = null, emails }: Person) => db`(
  id = ${customerId} or user_id = ${userId} or email_key = any(${emails as string[]})
  or (email_key is null and lower(email) = any(${emails as string[]})))`;

/** Finds a person by customer ID or user ID. The email of the account counts only if it is confirmed. */
export async function findPersonOf(db: Db, businessId: string, id: string): Promise<Person | null> {
  const [row] = await db<{ id: string; userId: string | null; emails: string[] }[]>`
    select c.id, c.user_id, array_remove(array[c.email_key, case when u.is_confirmed then u.email_key end], null) as emails
    from customers c left join users u on u.id = c.user_id
    where c.business_id = ${businessId} and (c.id = ${id} or c.user_id = ${id})`;
  return row ? { userId: row.userId, customerId: row.id, emails: [...new Set(row.emails)] } : null;
}

export function listCustomersOf(db: Db, businessId: string, person: Person) {
  const { userId, customerId = null, emails } = person;
  return db<CustomerRow[]>`
    ${selectCustomers(db)}
    where c.business_id = ${businessId} and (c.id = ${customerId} or c.user_id = ${userId}
      or c.email_key = any(${emails as string[]})
      or (c.email_key is null and lower(c.email) = any(${emails as string[]})))
    order by c.id`;
}

export const deleteCustomersOf = (tx: Tx, businessId: string, person: Person) => tx<{ id: string }[]>`
  delete from customers where business_id = ${businessId} and ${isPerson(tx, person)} returning id`;

export const deleteInvitationsTo = (tx: Tx, businessId: string, emails: readonly string[]) => tx<{ id: string }[]>`
  delete from invitations where business_id = ${businessId} and email_key = any(${emails as string[]}) returning id`;

export async function isMemberOf(db: Db, businessId: string, userId: string): Promise<boolean> {
  return (await db`select from members where business_id = ${businessId} and user_id = ${userId} limit 1`).length > 0;
}

export async function listBusinessesWithCustomer(
  db: Db,
  businessIds: readonly string[],
  person: Person,
): Promise<string[]> {
  const ids = businessIds as string[];
  const rows = await db<{ businessId: string }[]>`
    select business_id from customers where business_id = any(${ids}) and ${isPerson(db, person)}
    union select business_id from invitations where business_id = any(${ids}) and email_key = any(${person.emails as string[]})
    union select business_id from members where business_id = any(${ids}) and user_id = ${person.userId}`;
  return rows.map((row) => row.businessId);
}
