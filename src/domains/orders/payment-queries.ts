import type { Db, Tx } from '../../db/connection.ts';
import type { PaymentLine } from './order.ts';

export type Purpose = 'ORDER' | 'SUBSCRIPTION';
export type PaymentStatus = 'OPEN' | 'PAID' | 'CLOSED';

export type PaymentDoc = {
  description: string;
  lines: PaymentLine[];
  email: string | null;
  returnUrl: string | null;
  cancelUrl: string | null;
  /** Where the customer pays, once the provider has said so. */
  url?: string;
};

export type PaymentRow = {
  businessId: string;
  /** Also the provider's idempotency key. An order's payment has the id of the order. */
  id: string;
  purpose: Purpose;
  /** What is paid for. */
  reference: string;
  provider: 'SANDBOX' | 'STRIPE';
  status: PaymentStatus;
  amount: number;
  currency: string;
  paid: number;
  chargeId: string | null;
  /** Null: the provider has not been asked yet, or its answer was lost. */
  sessionId: string | null;
  doc: PaymentDoc;
  expiresAt: number;
  createdAt: number;
  updatedAt: number;
};

const columns = (db: Db) => db`
  business_id, id, purpose, reference, provider, status, amount, currency, paid, charge_id, session_id, doc, expires_at,
  created_at, updated_at`;

export const insertPayment = (tx: Tx, row: PaymentRow) => tx`
  insert into payments (business_id, id, purpose, reference, provider, status, amount, currency, paid, charge_id,
    session_id, doc, expires_at, created_at, updated_at)
  values (${row.businessId}, ${row.id}, ${row.purpose}, ${row.reference}, ${row.provider}, ${row.status}, ${row.amount},
    ${row.currency}, ${row.paid}, ${row.chargeId}, ${row.sessionId}, ${tx.json(row.doc as never)}, ${row.expiresAt},
    ${row.createdAt}, ${row.updatedAt})`;

export async function findPayment(db: Db, businessId: string, id: string): Promise<PaymentRow | null> {
  const [row] = await db<PaymentRow[]>`
    select ${columns(db)} from payments where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockPayment(tx: Tx, businessId: string, id: string): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    select ${columns(tx)} from payments where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Null when it was paid before: the effect of being paid is due once. */
export async function markPaid(
  tx: Tx,
  { businessId, id }: PaymentRow,
  paid: { amount: number; chargeId: string | null },
  nowSeconds: number,
): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    update payments set status = 'PAID', paid = ${paid.amount}, charge_id = ${paid.chargeId}, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status <> 'PAID'
    returning ${columns(tx)}`;
  return row ?? null;
}

/** False when it was not open any more. */
export async function closePayment(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<boolean> {
  const rows = await tx`
    update payments set status = 'CLOSED', updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN'
    returning id`;
  return rows.length > 0;
}

export async function updateSession(
  tx: Tx,
  { businessId, id }: PaymentRow,
  session: { id: string; url: string },
): Promise<void> {
  await tx`
    update payments set session_id = ${session.id}, doc = doc || ${tx.json({ url: session.url })}
    where business_id = ${businessId} and id = ${id}`;
}

/** What is still to be paid has changed. */
export async function updateAmount(
  tx: Tx,
  { businessId, id }: PaymentRow,
  amount: number,
  lines: PaymentLine[],
  nowSeconds: number,
): Promise<void> {
  await tx`
    update payments set amount = ${amount}, doc = doc || ${tx.json({ lines })}, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id}`;
}

/** False when this event has had its effect already. Waits for a transaction that is handling it. */
export async function insertEvent(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<boolean> {
  const rows = await tx`
    insert into payment_events (business_id, id, received_at) values (${businessId}, ${id}, ${nowSeconds})
    on conflict do nothing returning id`;
  return rows.length > 0;
}

export type RefundRow = {
  businessId: string;
  id: string;
  /** Null: the money did not come through a provider. */
  paymentId: string | null;
  /** Null: for something else than an order. */
  orderId: string | null;
  amount: number;
  reason: string | null;
  userId: string | null;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  providerRefundId: string | null;
  createdAt: number;
  updatedAt: number;
};

export async function insertRefund(tx: Tx, row: RefundRow): Promise<void> {
  await tx`insert into refunds ${tx(row)}`;
}

export async function findRefund(db: Db, businessId: string, id: string): Promise<RefundRow | null> {
  const [row] = await db<RefundRow[]>`
    select business_id, id, payment_id, order_id, amount, reason, user_id, status, provider_refund_id, created_at, updated_at
    from refunds where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** False when it was settled before. */
export async function settleRefund(
  tx: Tx,
  { businessId, id }: RefundRow,
  status: 'SUCCEEDED' | 'FAILED',
  providerRefundId: string | null,
  nowSeconds: number,
): Promise<boolean> {
  const rows = await tx`
    update refunds set status = ${status}, provider_refund_id = ${providerRefundId}, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status = 'PENDING'
    returning id`;
  return rows.length > 0;
}

export async function sumRefunds(db: Db, businessId: string, orderId: string): Promise<number> {
  const [row] = await db<{ sum: number }[]>`
    select coalesce(sum(amount), 0)::bigint as sum from refunds
    where business_id = ${businessId} and order_id = ${orderId} and status = 'SUCCEEDED'`;
  return row!.sum;
}

/** An open payment runs out now. False: there is none. */
export async function expirePayment(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<boolean> {
  const rows = await tx`
    update payments set expires_at = least(expires_at, ${nowSeconds}::bigint), updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN'
    returning id`;
  return rows.length > 0;
}
