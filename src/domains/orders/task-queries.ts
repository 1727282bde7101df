import type { Statement, Tx } from '../../db/sql.ts';
import type { MailKind } from './order.ts';

/** What is still to be done for an order: a mail to its customer, or its end when nobody has paid. */
export type OrderTask = {
  businessId: string;
  id: number;
  orderId: string;
  kind: MailKind | 'EXPIRY';
  /** Of a refund. */
  amount: number | null;
};
export type NewTask = Omit<OrderTask, 'id'> & { dueAt: number };

/** Written in the transaction of its cause. */
export const insertTask = (tx: Tx, { businessId, orderId, kind, amount, dueAt }: NewTask): Statement<object[]> => tx`
  insert into order_tasks (business_id, order_id, kind, amount, due_at)
  values (${businessId}, ${orderId}, ${kind}, ${amount}, ${dueAt})`;

export async function deleteTask(tx: Tx, { businessId, id }: OrderTask): Promise<void> {
  await tx`delete from order_tasks where business_id = ${businessId} and id = ${id}`;
}

export async function updateTaskDue(tx: Tx, { businessId, id }: OrderTask, dueAt: number): Promise<void> {
  await tx`update order_tasks set due_at = ${dueAt} where business_id = ${businessId} and id = ${id}`;
}
