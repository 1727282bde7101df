import type { Db, Tx } from '../../../db/sql.ts';
import type { Command } from '../context.ts';
import { type CustomerRow, selectCustomers } from './queries.ts';
import type { Customer } from './schemas.ts';

/** Those with one of these ids or e-mails, locked in the order of their ids. */
export const lockCustomersOf = (tx: Tx, businessId: string, ids: string[], emailKeys: string[]) => tx<CustomerRow[]>`
  ${selectCustomers(tx)} where c.business_id = ${businessId} and (c.id = any(${ids}) or c.email_key = any(${emailKeys}))
  order by c.id for no key update of c`;

/** New ones and their events. */
export async function insertCustomers(ctx: Command, customers: readonly Customer[]): Promise<void> {
  if (customers.length === 0) return;
  const { db: tx, businessId } = ctx;
  const texts = customers.map((customer) => JSON.stringify(customer));
  await tx`
    with given as (select data, data::jsonb as c from unnest(${texts}::text[]) as each (data)),
    made as (
      insert into customers (business_id, id, email, email_key, name, phone, addresses, tags, note, consent, created_at, updated_at)
      select ${businessId}, c ->> 'id', c ->> 'email', lower(c ->> 'email'), c ->> 'name', c ->> 'phone', c -> 'addresses',
        array(select jsonb_array_elements_text(c -> 'tags')), c ->> 'note', nullif(c -> 'consent', 'null'::jsonb),
        (c ->> 'createdAt')::bigint, (c ->> 'updatedAt')::bigint
      from given
    )
    ${ctx.eventsFrom(tx, tx`select 'customer.created' as type, 'customer:' || (c ->> 'id') as entity, data from given`)}`;
}

/** In the order of their ids, from after one on. */
export const listCustomersForExport = (db: Db, businessId: string, after: string, limit: number) => db<CustomerRow[]>`
  ${selectCustomers(db)} where c.business_id = ${businessId} and c.id > ${after} order by c.id limit ${limit}`;
