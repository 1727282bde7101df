import type { Db, Tx } from '../../../db/sql.ts';

/** An event that may start or end runs, or a cart that is abandoned when it is due. */
export type Signal = { subject: string; automationId: string; position: number | null };

export async function insertEventSignals(
  tx: Tx,
  businessId: string,
  positions: readonly number[],
  nowSeconds: number,
): Promise<void> {
  await tx`
    insert into automation_signals (business_id, subject, position, due_at)
    select ${businessId}, 'event:' || position, position, ${nowSeconds}
    from unnest(${positions as number[]}::bigint[]) as p (position)
    on conflict do nothing`;
}

/** A later change to the cart postpones its signal. */
export async function upsertCartSignals(
  tx: Tx,
  businessId: string,
  automationId: string,
  cartIds: readonly string[],
  dueAt: number,
): Promise<void> {
  await tx`
    insert into automation_signals as s (business_id, subject, automation_id, due_at)
    select ${businessId}, 'cart:' || id, ${automationId}, ${dueAt} from unnest(${cartIds as string[]}::text[]) as c (id)
    on conflict (business_id, subject, automation_id) do update set due_at = greatest(s.due_at, excluded.due_at)`;
}

/** Removes due signals and returns them in the order of their events. Skips signals that another worker has locked. */
export const takeSignals = (tx: Tx, businessId: string, nowSeconds: number, limit: number) => tx<Signal[]>`
  with taken as (
    delete from automation_signals where business_id = ${businessId} and (subject, automation_id) in (
      select subject, automation_id from automation_signals
      where business_id = ${businessId} and due_at <= ${nowSeconds}
      order by due_at, position limit ${limit} for update skip locked)
    returning subject, automation_id, position
  )
  select * from taken order by position nulls last, subject`;

export const listSignaledBusinesses = (db: Db, businessId: string | null, nowSeconds: number, limit: number) => db<
  { businessId: string }[]
>`
  select distinct business_id from automation_signals
  where due_at <= ${nowSeconds} ${businessId === null ? db`` : db`and business_id = ${businessId}`} limit ${limit}`;

export type Buyer = { orderId: string; emailKey: string };

/** The customers of these paid orders, with one of the products or categories if any are given. */
export const listBuyers = (
  db: Db,
  businessId: string,
  orderIds: readonly string[],
  { productIds = [], categories = [] }: { productIds?: readonly string[]; categories?: readonly string[] },
) => db<Buyer[]>`
  select o.id as order_id, o.customer_email as email_key from orders o
  where o.business_id = ${businessId} and o.id = any(${orderIds as string[]}) and o.payment_status = 'PAID'
    and o.customer_email is not null
    ${
      productIds.length + categories.length === 0
        ? db``
        : db`and exists (
            select 1 from jsonb_array_elements(o.doc -> 'lines') l
            left join products p on p.business_id = ${businessId} and p.id = l ->> 'productId'
            where l ->> 'productId' = any(${productIds as string[]}) or lower(p.category) = any(${lower(categories)})
              or p.doc -> 'categoryIds' ?| ${categories as string[]})`
    }`;

const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase());
