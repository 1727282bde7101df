import type { Db, Tx } from '../../db/sql.ts';

export type RefundRow = {
  businessId: string;
  /** Also the provider's idempotency key. */
  id: string;
  /** Null if the payment was not made through a provider. */
  paymentId: string | null;
  /** The purchase, as in its payment. */
  purpose: string;
  reference: string;
  amount: number;
  reason: string | null;
  /** The parts of the refund, as the domain that sells the purchase defines them. */
  parts: object | null;
  /** Null for the system. */
  userId: string | null;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  providerRefundId: string | null;
  /** The provider's reason for refusing the refund. */
  failure: string | null;
  /** When a pending refund is tried next. */
  dueAt: number;
  createdAt: number;
  updatedAt: number;
};

type PurchaseRef = Pick<RefundRow, 'businessId' | 'purpose' | 'reference'>;

export async function insertRefund(tx: Tx, row: RefundRow): Promise<void> {
  await tx`insert into refunds ${tx({ ...row, parts: row.parts && tx.json(row.parts as never) } as never)}`;
}

const columns = (db: Db) => db`
  business_id, id, payment_id, purpose, reference, amount, reason, parts, user_id, status, provider_refund_id, failure,
  due_at, created_at, updated_at`;

export async function findRefund(db: Db, businessId: string, id: string): Promise<RefundRow | null> {
  const [row] = await db<RefundRow[]>`
    select ${columns(db)} from refunds where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** All refunds of a purchase, oldest first. */
export const listRefunds = (db: Db, { businessId, purpose, reference }: PurchaseRef) => db<RefundRow[]>`
  select ${columns(db)} from refunds
  where business_id = ${businessId} and purpose = ${purpose} and reference = ${reference}
  order by created_at, id`;

/** The refunds of these purchases, oldest first. */
export const listRefundsAmong = (
  db: Db,
  { businessId, purpose, references }: Omit<PurchaseRef, 'reference'> & { references: readonly string[] },
) => db<RefundRow[]>`
  select ${columns(db)} from refunds
  where business_id = ${businessId} and purpose = ${purpose} and reference = any(${references as string[]})
  order by created_at, id`;

/** Marks a refund as failed after the provider had made it. Returns false if it already was. */
export async function updateReversed(tx: Tx, { businessId, id, failure, updatedAt }: RefundRow): Promise<boolean> {
  const rows = await tx`
    update refunds set status = 'FAILED', failure = ${failure}, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id} and status = 'SUCCEEDED'
    returning id`;
  return rows.length > 0;
}

export async function updateRefundDue(tx: Tx, businessId: string, id: string, next: number): Promise<void> {
  await tx`update refunds set due_at = ${next} where business_id = ${businessId} and id = ${id}`;
}

export async function updateRefundParts(tx: Tx, { businessId, id }: RefundRow, parts: object): Promise<void> {
  await tx`update refunds set parts = ${tx.json(parts as never)} where business_id = ${businessId} and id = ${id}`;
}

/** Stores the outcome. Returns false if there already was one. */
export async function updateRefund(tx: Tx, row: RefundRow): Promise<boolean> {
  const rows = await tx`
    update refunds set status = ${row.status}, provider_refund_id = ${row.providerRefundId},
      failure = ${row.failure}, updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id} and status = 'PENDING'
    returning id`;
  return rows.length > 0;
}

/** The total refunded amount of a purchase. */
export async function sumRefunds(db: Db, { businessId, purpose, reference }: PurchaseRef): Promise<number> {
  const [row] = await db<{ sum: number }[]>`
    select coalesce(sum(amount), 0)::bigint as sum from refunds
    where business_id = ${businessId} and purpose = ${purpose} and reference = ${reference} and status = 'SUCCEEDED'`;
  return row!.sum;
}
