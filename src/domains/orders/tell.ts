/** The events of an order that there was before. The order is locked. */
import type { PaymentCommand } from './context.ts';
import { type MailKind, type OrderRow, viewNewOrder } from './order.ts';

/** One event for each kind of change: a receiver of one kind need not look for it among the others. */
export async function tellChanges(ctx: PaymentCommand, before: OrderRow, after: OrderRow): Promise<void> {
  const [was, shownAfter] = [shown(before), shown(after)];
  // Whoever left the lines alone has handed the same ones on: they need not be compared.
  const data = before.doc.lines === after.doc.lines ? { ...shownAfter, lines: was.lines } : shownAfter;
  const { statuses, paymentStatus, paid, refunded } = data;
  const entity = `order:${after.id}` as const;
  await ctx.emit(
    { type: 'order.updated', entity, data, before: { ...was, statuses, paymentStatus, paid, refunded } },
    { type: 'order.status_changed', entity, data, before: { ...data, statuses: was.statuses } },
    { type: 'order.payment_changed', entity, data, before: { ...data, paymentStatus: was.paymentStatus } },
  );
}

export async function tellRefund(ctx: PaymentCommand, order: OrderRow, amount: number): Promise<void> {
  const data = { ...shown(order), refundedAmount: amount };
  await ctx.emit({ type: 'order.refunded', entity: `order:${order.id}`, data });
}

export async function tellResent(ctx: PaymentCommand, order: OrderRow, kind: MailKind): Promise<void> {
  await ctx.emit({ type: 'order.mail_resent', entity: `order:${order.id}`, data: { ...shown(order), mail: kind } });
}

const shown = (order: OrderRow) => ({ ...viewNewOrder(order), number: order.number });
