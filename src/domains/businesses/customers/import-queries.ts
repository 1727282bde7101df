import type { Db, Tx } from '../../../db/sql.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import type { Command } from '../context.ts';
import { type CustomerRow, selectCustomers } from './queries.ts';
import type { Customer } from './schemas.ts';

/** Locks the customers with one of these IDs or emails, in order of their ID. */
export const lockCustomersOf = (tx: Tx, businessId: string, ids: string[], emailKeys: string[]) => tx<CustomerRow[]>`
  ${selectCustomers(tx)} where c.business_id = ${businessId} and (c.id = any(${ids}) or c.email_key = any(${emailKeys}))
  order by c.id for no key update of c`;

/** Inserts new customers and, unless it is silent, their events. */
export async function insertCustomers(
  ctx: Command,
  customers: readonly Customer[],
  { isSilent = false } = {},
): Promise<void> {
  if (customers.length === 0) return;
  const { db: tx, businessId } = ctx;
  const texts = customers.map(jsonText);
  await tx`
    with incoming as (select c from unnest(${texts}::jsonb[]) as each (c)),
    created as (
      insert into customers (business_id, id, email, email_key, name, phone, addresses, shipping_address,
        billing_address, tags, note, consent, created_at, updated_at)
      select ${businessId}, c ->> 'id', c ->> 'email', lower(c ->> 'email'), c ->> 'name', c ->> 'phone', c -> 'addresses',
        nullif(c -> 'shippingAddress', 'null'::jsonb), nullif(c -> 'billingAddress', 'null'::jsonb),
        array(select jsonb_array_elements_text(c -> 'tags')), c ->> 'note', nullif(c -> 'consent', 'null'::jsonb),
        (c ->> 'createdAt')::bigint, (c ->> 'updatedAt')::bigint
      from incoming
    )
    ${ctx.eventsFrom(tx, tx`select 'customer.created' as type, 'customer:' || (c ->> 'id') as entity, c as data from incoming where ${!isSilent}`)}`;
}

/** Lists customers by ID, starting after `after`. */
export const listCustomersForExport = (db: Db, businessId: string, after: string, limit: number) => db<CustomerRow[]>`
  ${selectCustomers(db)} where c.business_id = ${businessId} and c.id > ${after} order by c.id limit ${limit}`;
