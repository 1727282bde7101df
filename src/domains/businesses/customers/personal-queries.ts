import type { Person } from '../../../context/index.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { type CustomerRow, selectCustomers } from './queries.ts';

/** A condition on customers: they are this person. */
const isPerson = (db: Db, { userId, emails }: Person) =>
  db`(user_id = ${userId} or email_key = any(${emails as string[]}))`;

/** By the id of their record or of their account. The account's own e-mail counts only when it is confirmed. */
export async function findPersonOf(db: Db, businessId: string, id: string): Promise<Person | null> {
  const [row] = await db<{ userId: string | null; emails: string[] }[]>`
    select c.user_id, array_remove(array[c.email_key, case when u.is_confirmed then u.email_key end], null) as emails
    from customers c left join users u on u.id = c.user_id
    where c.business_id = ${businessId} and (c.id = ${id} or c.user_id = ${id})`;
  return row ? { userId: row.userId, emails: [...new Set(row.emails)] } : null;
}

export const listCustomersOf = (db: Db, businessId: string, { userId, emails }: Person) => db<CustomerRow[]>`
  ${selectCustomers(db)}
  where c.business_id = ${businessId} and (c.user_id = ${userId} or c.email_key = any(${emails as string[]}))
  order by c.id`;

export const deleteCustomersOf = (tx: Tx, businessId: string, person: Person) => tx<{ id: string }[]>`
  delete from customers where business_id = ${businessId} and ${isPerson(tx, person)} returning id`;

export const deleteInvitationsTo = (tx: Tx, businessId: string, emails: readonly string[]) => tx<{ id: string }[]>`
  delete from invitations where business_id = ${businessId} and email_key = any(${emails as string[]}) returning id`;

export async function isMemberOf(db: Db, businessId: string, userId: string): Promise<boolean> {
  return (await db`select from members where business_id = ${businessId} and user_id = ${userId} limit 1`).length > 0;
}

export async function listHolding(db: Db, businessIds: readonly string[], person: Person): Promise<string[]> {
  const ids = businessIds as string[];
  const rows = await db<{ businessId: string }[]>`
    select business_id from customers where business_id = any(${ids}) and ${isPerson(db, person)}
    union select business_id from invitations where business_id = any(${ids}) and email_key = any(${person.emails as string[]})
    union select business_id from members where business_id = any(${ids}) and user_id = ${person.userId}`;
  return rows.map((row) => row.businessId);
}
