/** Writes a return and the order that it belongs to, which must be locked. */
import type { PaymentCommand } from '../context.ts';
import { emitChanges } from '../emit-order.ts';
import { countMail, insertMail } from '../mails/order-mails.ts';
import { withAfterSale } from '../money/with-after-sale.ts';
import type { MailKind, OrderDoc, OrderRow } from '../order.ts';
import { updateOrderRow } from '../queries.ts';
import { updateReturn } from './queries.ts';
import { type ReturnRow, type ReturnStatus, viewReturn } from './return.ts';

const EVENTS = {
  REQUESTED: 'return.requested',
  APPROVED: 'return.approved',
  REJECTED: 'return.rejected',
  RECEIVED: 'return.received',
  CLOSED: 'return.closed',
} as const satisfies Record<ReturnStatus, string>;

/** Returns belong to the entity of their order, so that the erasure of an order finds their events too. */
export function emitReturn(ctx: Pick<PaymentCommand, 'emit'>, row: ReturnRow, order: OrderRow): void {
  const { lines, statuses, ...shown } = viewReturn(row, order, null);
  const data = { ...shown, lines, statuses: row.doc.statuses };
  ctx.emit({ type: EVENTS[row.status], entity: `order:${order.id}`, data });
}

/** Stores the next status of a return and emits it. */
export async function saveReturn(ctx: PaymentCommand, row: ReturnRow, order: OrderRow): Promise<ReturnRow> {
  const next = { ...row, version: row.version + 1, updatedAt: ctx.now };
  await updateReturn(ctx.db, next);
  emitReturn(ctx, next, order);
  return next;
}

/** `doc`: the document of the order, if the step changes it. */
type Step = { row: ReturnRow; mail: MailKind; doc?: OrderDoc };

/** Updates the returned quantities of the order and emails the customer. */
export async function finishChange(
  ctx: PaymentCommand,
  order: OrderRow,
  { row, mail, doc = order.doc }: Step,
): Promise<OrderRow> {
  const counted = countMail(doc, mail);
  const next = await withAfterSale(ctx, { ...order, doc: counted ?? doc });
  const written = updateOrderRow(ctx, next);
  emitChanges(ctx, order, written);
  if (counted) insertMail(ctx, order, mail, { returnId: row.id });
  return written;
}
