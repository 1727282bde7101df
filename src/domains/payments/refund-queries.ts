import type { Db, Tx } from '../../db/sql.ts';

export type RefundRow = {
  businessId: string;
  /** Also the provider's idempotency key. */
  id: string;
  /** Null: the money did not come through a provider. */
  paymentId: string | null;
  /** What was sold, named as its payment names it. */
  purpose: string;
  reference: string;
  amount: number;
  reason: string | null;
  /** Null: by the service itself. */
  userId: string | null;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  providerRefundId: string | null;
  /** Why the provider has refused it. */
  failure: string | null;
  /** When the provider is asked again, while there is no outcome. */
  dueAt: number;
  createdAt: number;
  updatedAt: number;
};

export async function insertRefund(tx: Tx, row: RefundRow): Promise<void> {
  await tx`insert into refunds ${tx(row)}`;
}

export async function findRefund(db: Db, businessId: string, id: string): Promise<RefundRow | null> {
  const [row] = await db<RefundRow[]>`
    select business_id, id, payment_id, purpose, reference, amount, reason, user_id, status, provider_refund_id, failure,
      due_at, created_at, updated_at
    from refunds where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function updateRefundDue(tx: Tx, businessId: string, id: string, next: number): Promise<void> {
  await tx`update refunds set due_at = ${next} where business_id = ${businessId} and id = ${id}`;
}

/** Writes the outcome. False when there was one before. */
export async function updateRefund(tx: Tx, row: RefundRow): Promise<boolean> {
  const rows = await tx`
    update refunds set status = ${row.status}, provider_refund_id = ${row.providerRefundId},
      failure = ${row.failure}, updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id} and status = 'PENDING'
    returning id`;
  return rows.length > 0;
}

/** What has gone back of all that was paid for this. */
export async function sumRefunds(
  db: Db,
  { businessId, purpose, reference }: Pick<RefundRow, 'businessId' | 'purpose' | 'reference'>,
): Promise<number> {
  const [row] = await db<{ sum: number }[]>`
    select coalesce(sum(amount), 0)::bigint as sum from refunds
    where business_id = ${businessId} and purpose = ${purpose} and reference = ${reference} and status = 'SUCCEEDED'`;
  return row!.sum;
}
