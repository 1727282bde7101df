import type { Db, Tx } from '../../db/sql.ts';
import type { Interval } from './agreements/periods.ts';

export type PaymentStatus = 'OPEN' | 'PAID' | 'CLOSED';

/** What the customer sees on the way to pay: rows that add up to the amount. */
export type PaymentLine = { name: string; quantity: number; unitPrice: number };

export type PaymentDoc = {
  description: string;
  lines: PaymentLine[];
  email: string | null;
  returnUrl: string | null;
  cancelUrl: string | null;
  /** It is paid again after each of these. */
  interval?: Interval;
  /** Where the customer pays, once the provider has said so. */
  url?: string;
};

export type PaymentRow = {
  businessId: string;
  /** Also the provider's idempotency key. */
  id: string;
  /** What is sold: its kind, whose handlers are registered, and its name there. */
  purpose: string;
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
  /** When it is looked at next, while it is open. */
  dueAt: number;
  createdAt: number;
  updatedAt: number;
};

const columns = (db: Db) => db`
  business_id, id, purpose, reference, provider, status, amount, currency, paid, charge_id, session_id, doc, expires_at,
  due_at, created_at, updated_at`;

export const insertPayment = (tx: Tx, row: PaymentRow) => tx`
  insert into payments (business_id, id, purpose, reference, provider, status, amount, currency, paid, charge_id,
    session_id, doc, expires_at, due_at, created_at, updated_at)
  values (${row.businessId}, ${row.id}, ${row.purpose}, ${row.reference}, ${row.provider}, ${row.status}, ${row.amount},
    ${row.currency}, ${row.paid}, ${row.chargeId}, ${row.sessionId}, ${tx.json(row.doc as never)}, ${row.expiresAt},
    ${row.dueAt}, ${row.createdAt}, ${row.updatedAt})`;

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
export async function updatePaid(
  tx: Tx,
  { businessId, id }: PaymentRow,
  money: { amount: number; chargeId: string | null },
  nowSeconds: number,
): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    update payments set status = 'PAID', paid = ${money.amount}, charge_id = ${money.chargeId}, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status <> 'PAID'
    returning ${columns(tx)}`;
  return row ?? null;
}

/** All of its amount, whatever that is by now. Null when it is not open any more, or has run out. */
export async function updatePaidInSandbox(
  tx: Tx,
  { businessId, id }: PaymentRow,
  nowSeconds: number,
): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    update payments set status = 'PAID', paid = amount, charge_id = id, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN' and expires_at > ${nowSeconds}
    returning ${columns(tx)}`;
  return row ?? null;
}

/** Null when it was not open any more. */
export async function updateClosed(
  tx: Tx,
  { businessId, id }: PaymentRow,
  nowSeconds: number,
): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    update payments set status = 'CLOSED', updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN'
    returning ${columns(tx)}`;
  return row ?? null;
}

/** An open payment runs out now, and is looked at at once. */
export async function updateExpired(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<void> {
  await tx`
    update payments set expires_at = least(expires_at, ${nowSeconds}::bigint), due_at = ${nowSeconds}, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN'`;
}

/** When an open payment is looked at again. One that was to be looked at at once meanwhile stays so. */
export async function updateDue(tx: Tx, { businessId, id, dueAt }: PaymentRow, next: number): Promise<void> {
  await tx`
    update payments set due_at = ${next}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN' and due_at = ${dueAt}`;
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
  { amount, currency, lines }: Pick<PaymentRow, 'amount' | 'currency'> & { lines: PaymentLine[] },
  nowSeconds: number,
): Promise<void> {
  await tx`
    update payments set amount = ${amount}, currency = ${currency}, doc = doc || ${tx.json({ lines })}, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id}`;
}

/** False when this event has had its effect already. Waits for a transaction that is handling it. */
export async function insertEvent(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<boolean> {
  const rows = await tx`
    insert into payment_events (business_id, id, received_at) values (${businessId}, ${id}, ${nowSeconds})
    on conflict do nothing returning id`;
  return rows.length > 0;
}

export async function deleteOldEvents(tx: Tx, receivedBefore: number): Promise<void> {
  await tx`delete from payment_events where received_at < ${receivedBefore}`;
}
