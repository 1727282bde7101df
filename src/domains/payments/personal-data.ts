/** What payments say of who pays. Their figures stay: they are the books. */
import type { Db, Tx } from '../../db/sql.ts';
import type { PaymentRow } from './queries.ts';

type Sold = { purpose: string; references: readonly string[]; paymentIds: readonly string[] };

/** How many of these payments are open still: money may arrive for them. */
export async function erasePayers(tx: Tx, businessId: string, sold: Sold): Promise<number> {
  const rows = await tx<{ status: string }[]>`
    update payments set doc = doc || '{"email": null, "returnUrl": null, "cancelUrl": null}'
    where business_id = ${businessId} and id = any(${sold.paymentIds as string[]})
    returning status`;
  await tx`update refunds set reason = null
    where business_id = ${businessId} and reference = any(${sold.references as string[]}) and purpose = ${sold.purpose}`;
  return rows.filter(({ status }) => status === 'OPEN').length;
}

export type PaymentSummary = Pick<
  PaymentRow,
  'id' | 'reference' | 'status' | 'amount' | 'currency' | 'paid' | 'createdAt'
>;

/** The payments for these subscriptions, whatever their plan. */
export const listPlanPayments = (db: Db, businessId: string, subscriptionIds: readonly string[]) => db<
  PaymentSummary[]
>`
  select p.id, p.reference, p.status, p.amount, p.currency, p.paid, p.created_at
  from unnest(${subscriptionIds as string[]}::text[]) as s (id)
  join payments p on p.business_id = ${businessId} and p.purpose = 'SUBSCRIPTION' and p.reference like s.id || '/%'
  order by p.id`;
