/** What follows from a new status. Every change of a status of an order goes through here, with the order locked. */
import { invalid } from '../../shared/errors.ts';
import { type StatusEntry, systemStatus } from '../../shared/statuses.ts';
import { endPayment, findPayment } from '../payments/index.ts';
import type { PaymentCommand } from './context.ts';
import { insertMail, noteMail } from './mails.ts';
import type { MailKind, OrderRow } from './order.ts';
import { returnFromOrder, takeForOrder } from './order-stock.ts';
import { updateOrder } from './queries.ts';
import { tellChanges } from './tell.ts';

type Added = { statuses?: readonly StatusEntry[]; paymentStatus?: readonly StatusEntry[] };

/**
 * Adds entries to the histories and does what they mean: into CANCELLED stock and promo use come back, once; out of it they
 * are taken again, or it is 422; PAID moves a PENDING order to PROCESSING. `userId` null: the service itself. `stored`: the order
 * as it was before this call, with the stock and promo use that it has.
 */
export async function addStatuses(
  ctx: PaymentCommand,
  order: OrderRow,
  { statuses = [], paymentStatus = [] }: Added,
  userId: string | null,
  stored = order,
): Promise<OrderRow> {
  const next = withEntries(order, statuses, paymentStatus, ctx.now);
  const [before, after] = [order.doc.statuses.at(-1)!.status, next.doc.statuses.at(-1)!.status];
  const [paidBefore, paidAfter] = [order.doc.paymentStatus.at(-1)!.status, next.doc.paymentStatus.at(-1)!.status];

  if (paidAfter !== paidBefore) Object.assign(next, await bookPayment(ctx, next, paidAfter));
  if (after === 'CANCELLED') await endPayment(ctx, order.id);
  if (after === 'CANCELLED' && order.holds) {
    await returnFromOrder(ctx, stored, userId);
    next.holds = false;
  } else if (after !== 'CANCELLED' && !order.holds) {
    const errors = await takeForOrder(ctx, next, userId);
    if (errors.length > 0) throw invalid(errors.map((error) => ({ ...error, field: 'status' })));
    next.holds = true;
  }
  const mails = mailsFor(before, after, paidBefore, paidAfter).filter((kind) => {
    const noted = noteMail(next.doc, kind);
    if (noted) next.doc = noted;
    return noted !== null;
  });
  const written = updateOrder(ctx, next);
  for (const kind of mails) insertMail(ctx, next, kind);
  await tellChanges(ctx, stored, written);
  return written;
}

/** Neither paid nor moved on by anybody. */
export const isWaiting = ({ status, paymentStatus }: OrderRow) =>
  status === 'PENDING' && ['PENDING', 'FAILED'].includes(paymentStatus);

/** By the service itself: it has waited long enough. */
export const cancelUnpaid = (ctx: PaymentCommand, order: OrderRow): Promise<OrderRow> =>
  addStatuses(
    ctx,
    order,
    { statuses: [systemStatus('CANCELLED', ctx.now)], paymentStatus: failedFrom(order, ctx.now) },
    null,
  );

export const failedFrom = ({ paymentStatus }: OrderRow, nowSeconds: number): StatusEntry[] =>
  paymentStatus === 'PENDING' ? [systemStatus('FAILED', nowSeconds)] : [];

function withEntries(
  order: OrderRow,
  statuses: readonly StatusEntry[],
  paymentStatus: readonly StatusEntry[],
  nowSeconds: number,
): OrderRow {
  const doc = {
    ...order.doc,
    statuses: [...order.doc.statuses, ...statuses],
    paymentStatus: [...order.doc.paymentStatus, ...paymentStatus],
  };
  const becamePaid = paymentStatus.at(-1)?.status === 'PAID' && order.paymentStatus !== 'PAID';
  if (becamePaid && doc.statuses.at(-1)?.status === 'PENDING')
    doc.statuses.push(systemStatus('PROCESSING', nowSeconds));
  return { ...order, doc };
}

/** A payment status that somebody sets says how much money there is, beside what came through a provider. */
async function bookPayment(
  { db }: PaymentCommand,
  { businessId, id, paid, refunded, doc }: OrderRow,
  status: string,
): Promise<{ paid: number; refunded: number }> {
  if (status === 'PAID') return { paid: paid || doc.total, refunded };
  if (status === 'REFUNDED') return { paid, refunded: paid };
  if (status === 'PARTIALLY_REFUNDED') return { paid, refunded };
  const received = (await findPayment(db, businessId, id))?.paid ?? 0;
  return { paid: Math.max(received, refunded), refunded };
}

function mailsFor(before: string, after: string, paidBefore: string, paidAfter: string): MailKind[] {
  const kinds: MailKind[] = [];
  if (paidAfter === 'PAID' && paidBefore !== 'PAID') kinds.push('PAID');
  if (after !== before && (after === 'SHIPPED' || after === 'CANCELLED')) kinds.push(after);
  return kinds;
}
