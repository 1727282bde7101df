import type { Person } from '../../../context/personal-data.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { insertChanges } from '../stats/growth-queries.ts';
import type { SubscriptionRow } from './queries.ts';

/** An SQL condition on subscriptions. */
const isPerson = (db: Db, { userId, emails }: Person) =>
  db`(user_id = ${userId} or email_key = any(${emails as string[]}))`;

export const listSubscriptionsOfPerson = (db: Db, businessId: string, person: Person) => db<SubscriptionRow[]>`
  select * from subscriptions where business_id = ${businessId} and ${isPerson(db, person)} order by id`;

export const deleteSubscriptionsOfPerson = (tx: Tx, businessId: string, person: Person, nowSeconds: number) => tx<
  { id: string }[]
>`
  with deleted as (
    delete from subscriptions where business_id = ${businessId} and ${isPerson(tx, person)} returning *
  ), ended as (select * from deleted where status in ('ACTIVE', 'PAST_DUE')
  ), changes as (${insertChanges(tx, 'ended', 'LEFT', nowSeconds)})
  select id from deleted`;

export async function listBusinessesOfPerson(
  db: Db,
  businessIds: readonly string[],
  person: Person,
): Promise<string[]> {
  const rows = await db<{ businessId: string }[]>`
    select distinct business_id from subscriptions
    where business_id = any(${businessIds as string[]}) and ${isPerson(db, person)}`;
  return rows.map((row) => row.businessId);
}
