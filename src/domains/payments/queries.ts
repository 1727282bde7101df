import type { Db, Tx } from '../../db/sql.ts';
import type { Language } from '../../shared/mail/languages.ts';
import type { Interval } from './agreements/periods.ts';

type PaymentStatus = 'OPEN' | 'PAID' | 'CLOSED';

/** A row on the payment page. The rows add up to the amount. */
export type PaymentLine = { name: string; quantity: number; unitPrice: number };

type PaymentDoc = {
  description: string;
  lines: PaymentLine[];
  email: string | null;
  returnUrl: string | null;
  cancelUrl: string | null;
  /** The language of the payment page. Payments from older versions have none. */
  language?: Language;
  /** The billing interval of a recurring payment. */
  interval?: Interval;
  /** The payment page, once the provider has created the session. */
  url?: string;
};

export type PaymentRow = {
  businessId: string;
  /** Also the provider's idempotency key. */
  id: string;
  /** The kind of purchase and its ID in the domain that sells it. */
  purpose: string;
  reference: string;
  provider: 'SANDBOX' | 'STRIPE';
  status: PaymentStatus;
  amount: number;
  currency: string;
  paid: number;
  chargeId: string | null;
  /** Null if the session has not been requested, or the provider's response was lost. */
  sessionId: string | null;
  doc: PaymentDoc;
  expiresAt: number;
  /** When an open payment is polled next. */
  dueAt: number;
  createdAt: number;
  updatedAt: number;
};

/** Identifies a payment and its purchase, which never change. */
export type PaymentRef = Pick<PaymentRow, 'businessId' | 'id' | 'purpose' | 'reference'>;

const columns = (db: Db) => db`
  business_id, id, purpose, reference, provider, status, amount, currency, paid, charge_id, session_id, doc, expires_at,
  due_at, created_at, updated_at`;

export const insertPayment = (tx: Tx, row: PaymentRow) => tx`
  insert into payments (business_id, id, purpose, reference, provider, status, amount, currency, paid, charge_id,
    session_id, doc, expires_at, due_at, created_at, updated_at)
  values (${row.businessId}, ${row.id}, ${row.purpose}, ${row.reference}, ${row.provider}, ${row.status}, ${row.amount},
    ${row.currency}, ${row.paid}, ${row.chargeId}, ${row.sessionId}, ${tx.json(row.doc as never)}, ${row.expiresAt},
    ${row.dueAt}, ${row.createdAt}, ${row.updatedAt})`;

/** Inserts a payment, or starts a closed one again. An open or paid one stays as it is. */
export const upsertPayment = (tx: Tx, row: PaymentRow) => tx`
  ${insertPayment(tx, row)}
  on conflict (business_id, id) do update set provider = excluded.provider, status = 'OPEN', amount = excluded.amount,
    currency = excluded.currency, session_id = excluded.session_id, doc = excluded.doc, expires_at = excluded.expires_at,
    due_at = excluded.due_at, created_at = excluded.created_at, updated_at = excluded.updated_at
  where payments.status = 'CLOSED'`;

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

/** Returns null if the payment was already paid, so that it takes effect once. */
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

/** Pays the current amount in full. Returns null if the payment has another provider, is no longer open or has expired. */
export async function updatePaidInSandbox(
  tx: Tx,
  { businessId, id }: PaymentRef,
  nowSeconds: number,
): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    update payments set status = 'PAID', paid = amount, charge_id = id, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and provider = 'SANDBOX' and status = 'OPEN'
      and expires_at > ${nowSeconds}
    returning ${columns(tx)}`;
  return row ?? null;
}

/** Returns null if the payment was no longer open, or has a session other than the one in `payment`. */
export async function updateClosed(
  tx: Tx,
  { businessId, id, sessionId }: PaymentRow,
  nowSeconds: number,
): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    update payments set status = 'CLOSED', updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN' and session_id is not distinct from ${sessionId}
    returning ${columns(tx)}`;
  return row ?? null;
}

/** Expires an open payment now and makes it due. */
export async function updateExpired(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<void> {
  await tx`
    update payments set expires_at = least(expires_at, ${nowSeconds}::bigint), due_at = ${nowSeconds}, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN'`;
}

/** Sets the time of the next poll, unless another process has changed it since. */
export async function updateDue(tx: Tx, { businessId, id, dueAt }: PaymentRow, next: number): Promise<void> {
  await tx`
    update payments set due_at = ${next}
    where business_id = ${businessId} and id = ${id} and status = 'OPEN' and due_at = ${dueAt}`;
}

/** Returns false if the payment was closed. */
export async function updateSession(
  tx: Tx,
  { businessId, id }: PaymentRow,
  session: { id: string; url: string },
): Promise<boolean> {
  const rows = await tx`
    update payments set session_id = ${session.id}, doc = doc || ${tx.json({ url: session.url })}
    where business_id = ${businessId} and id = ${id} and status <> 'CLOSED'
    returning id`;
  return rows.length > 0;
}

/** Changes the amount to pay. */
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

/** Returns false if the event was already handled. Waits for a concurrent transaction that is handling it. */
export async function insertEvent(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<boolean> {
  const rows = await tx`
    insert into payment_events (business_id, id, received_at) values (${businessId}, ${id}, ${nowSeconds})
    on conflict do nothing returning id`;
  return rows.length > 0;
}

export async function deleteOldEvents(tx: Tx, receivedBefore: number): Promise<void> {
  await tx`delete from payment_events where received_at < ${receivedBefore}`;
}
