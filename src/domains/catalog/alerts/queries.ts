import type { Db, Tx } from '../../../db/sql.ts';

export type AlertRow = {
  productId: string;
  variantId: string;
  email: string;
  locale: string | null;
  createdAt: number;
};

/** Returns false if the alert exists. */
export async function insertAlert(tx: Tx, businessId: string, emailKey: string, alert: AlertRow): Promise<boolean> {
  const rows = await tx`
    insert into stock_alerts (business_id, product_id, variant_id, email_key, email, locale, created_at)
    values (${businessId}, ${alert.productId}, ${alert.variantId}, ${emailKey}, ${alert.email}, ${alert.locale},
      ${alert.createdAt})
    on conflict do nothing returning 1`;
  return rows.length > 0;
}

export async function countAlerts(db: Db, businessId: string, emailKey: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from stock_alerts where business_id = ${businessId} and email_key = ${emailKey}`;
  return row!.count;
}

/** The products among `ids` that someone is waiting for. */
export async function listProductsWithAlerts(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from unnest(${ids as string[]}::text[]) as product (id)
    where exists (select from stock_alerts where business_id = ${businessId} and product_id = product.id)`;
  return rows.map(({ id }) => id);
}

/** Deletes and returns up to `limit` alerts for variants of a public product that are in stock again. */
export const takeDueAlerts = (tx: Tx, businessId: string, productId: string, limit: number) => tx<AlertRow[]>`
  with due as (
    select a.variant_id, a.email_key from stock_alerts a
    join stock s on s.business_id = ${businessId} and s.product_id = a.product_id and s.variant_id = a.variant_id
    join products p on p.business_id = ${businessId} and p.id = a.product_id
    where a.business_id = ${businessId} and a.product_id = ${productId} and p.status = 'ACTIVE'
      and (not s.tracked or s.quantity > 0)
    order by a.created_at limit ${limit} for update of a skip locked
  )
  delete from stock_alerts a using due
  where a.business_id = ${businessId} and a.product_id = ${productId}
    and a.variant_id = due.variant_id and a.email_key = due.email_key
  returning a.product_id, a.variant_id, a.email, a.locale, a.created_at`;

type Found = AlertRow & { businessId: string };

export const listAlertsOf = (db: Db, businessIds: readonly string[], emailKeys: readonly string[]) => db<Found[]>`
  select business_id, product_id, variant_id, email, locale, created_at from stock_alerts
  where business_id = any(${businessIds as string[]}) and email_key = any(${emailKeys as string[]})`;

export const deleteAlertsOf = (tx: Tx, businessId: string, emailKeys: readonly string[]) => tx`
  delete from stock_alerts where business_id = ${businessId} and email_key = any(${emailKeys as string[]}) returning 1`;
