import type { Statement, Tx } from '../../db/sql.ts';
import type { MailKind } from './order.ts';

/** Pending work for an order: an email to its customer, its expiry, or another check of its VAT ID. */
export type OrderTask = {
  businessId: string;
  id: number;
  orderId: string;
  kind: MailKind | 'EXPIRY' | 'VAT_CHECK';
  /** The amount of a refund. */
  amount: number | null;
  /** The shipment of a SHIPPED email. Tasks from older versions have none. */
  shipmentId: string | null;
  /** The return that an email is about. */
  returnId: string | null;
};
export type NewTask = Omit<OrderTask, 'id' | 'shipmentId' | 'returnId'> &
  Partial<Pick<OrderTask, 'shipmentId' | 'returnId'>> & { dueAt: number };

/** Call it in the transaction that requires the task. */
export const insertTask = (
  tx: Tx,
  { businessId, orderId, kind, amount, shipmentId = null, returnId = null, dueAt }: NewTask,
): Statement<object[]> => tx`
  insert into order_tasks (business_id, order_id, kind, amount, shipment_id, return_id, due_at)
  values (${businessId}, ${orderId}, ${kind}, ${amount}, ${shipmentId}, ${returnId}, ${dueAt})`;

/** Returns false if another worker has already finished the task. */
export async function deleteTask(tx: Tx, { businessId, id }: OrderTask): Promise<boolean> {
  const rows = await tx`delete from order_tasks where business_id = ${businessId} and id = ${id} returning id`;
  return rows.length > 0;
}

/** The order must be locked. */
export async function deleteExpiry(tx: Tx, businessId: string, orderId: string): Promise<void> {
  await tx`delete from order_tasks where business_id = ${businessId} and order_id = ${orderId} and kind = 'EXPIRY'`;
}

export async function updateTaskDue(tx: Tx, { businessId, id }: OrderTask, dueAt: number): Promise<void> {
  await tx`update order_tasks set due_at = ${dueAt} where business_id = ${businessId} and id = ${id}`;
}
