/** Personal data in payments. Erasure keeps the amounts for accounting. */
import type { Db, Tx } from '../../db/sql.ts';
import type { PaymentRow } from './queries.ts';

type Purchases = { purpose: string; references: readonly string[]; paymentIds: readonly string[] };

/** Returns the number of payments that are still open: they may still be paid. */
export async function erasePayers(tx: Tx, businessId: string, purchases: Purchases): Promise<number> {
  const rows = await tx<{ status: string }[]>`
    update payments set doc = doc || '{"email": null, "returnUrl": null, "cancelUrl": null}'
    where business_id = ${businessId} and id = any(${purchases.paymentIds as string[]})
    returning status`;
  await tx`update refunds set reason = null
    where business_id = ${businessId} and reference = any(${purchases.references as string[]}) and purpose = ${purchases.purpose}`;
  return rows.filter(({ status }) => status === 'OPEN').length;
}

type PaymentSummary = Pick<PaymentRow, 'id' | 'reference' | 'status' | 'amount' | 'currency' | 'paid' | 'createdAt'>;

/** Payments for these subscriptions, for any plan. */
export const listPlanPayments = (db: Db, businessId: string, subscriptionIds: readonly string[]) => db<
  PaymentSummary[]
>`
  select p.id, p.reference, p.status, p.amount, p.currency, p.paid, p.created_at
  from unnest(${subscriptionIds as string[]}::text[]) as s (id)
  join payments p on p.business_id = ${businessId} and p.purpose = 'SUBSCRIPTION' and p.reference like s.id || '/%'
  order by p.id`;
