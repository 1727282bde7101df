/** What follows from a new status. Every change of a status of an order goes through here, with the order locked. */
import type { Tx } from '../../db/connection.ts';
import { invalid } from '../../shared/errors.ts';
import { type StatusEntry, systemStatus } from '../../shared/statuses.ts';
import type { OrdersContext } from './context.ts';
import { returnFromOrder, takeForOrder } from './holding.ts';
import { enqueueMail, type MailKind } from './mails.ts';
import type { OrderRow } from './order.ts';
import { expirePayment, findPayment } from './payment-queries.ts';
import { WATCH_JOB } from './payments.ts';
import { updateOrder } from './queries.ts';

type Added = { statuses?: readonly StatusEntry[]; paymentStatus?: readonly StatusEntry[] };

/**
 * Adds entries to the histories and does what they mean: into CANCELLED stock and promo use come back, once; out of it they
 * are taken again, or it is 422; PAID moves a PENDING order to PROCESSING. `userId` null: the service itself.
 */
export async function addStatuses(
  ctx: Pick<OrdersContext, 'deps'>,
  tx: Tx,
  order: OrderRow,
  { statuses = [], paymentStatus = [] }: Added,
  userId: string | null,
): Promise<OrderRow> {
  const nowSeconds = ctx.deps.clock.seconds();
  const next = withEntries(order, statuses, paymentStatus, nowSeconds);
  const [before, after] = [order.doc.statuses.at(-1)!.status, next.doc.statuses.at(-1)!.status];
  const [paidBefore, paidAfter] = [order.doc.paymentStatus.at(-1)!.status, next.doc.paymentStatus.at(-1)!.status];

  if (paidAfter !== paidBefore) Object.assign(next, await bookPayment(tx, next, paidAfter));
  if (after === 'CANCELLED') await endPayment(ctx, tx, order, nowSeconds);
  if (after === 'CANCELLED' && order.holds) {
    await returnFromOrder(tx, order, { userId, nowSeconds });
    next.holds = false;
  } else if (after !== 'CANCELLED' && !order.holds) {
    const errors = await takeForOrder(tx, next, { userId, nowSeconds }, 'status');
    if (errors.length > 0) throw invalid(errors);
    next.holds = true;
  }
  const written = await updateOrder(tx, next, nowSeconds);
  for (const kind of mailsFor(before, after, paidBefore, paidAfter))
    await enqueueMail(ctx.deps.jobs, tx, written, kind);
  return written;
}

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
async function bookPayment(tx: Tx, order: OrderRow, status: string): Promise<{ paid: number; refunded: number }> {
  const { paid, refunded, doc } = order;
  if (status === 'PAID') return { paid: paid || doc.total, refunded };
  if (status === 'REFUNDED') return { paid, refunded: paid };
  if (status === 'PARTIALLY_REFUNDED') return { paid, refunded };
  const received = (await findPayment(tx, order.businessId, order.id))?.paid ?? 0;
  return { paid: Math.max(received, refunded), refunded };
}

/** A cancelled order cannot be paid any more; what is open at the provider is closed there by the payment's job. */
async function endPayment({ deps }: Pick<OrdersContext, 'deps'>, tx: Tx, order: OrderRow, nowSeconds: number) {
  if (!(await expirePayment(tx, order.businessId, order.id, nowSeconds))) return;
  await deps.jobs.enqueue(tx, WATCH_JOB, { businessId: order.businessId, paymentId: order.id });
}

function mailsFor(before: string, after: string, paidBefore: string, paidAfter: string): MailKind[] {
  const kinds: MailKind[] = [];
  if (paidAfter === 'PAID' && paidBefore !== 'PAID') kinds.push('PAID');
  if (after !== before && (after === 'SHIPPED' || after === 'CANCELLED')) kinds.push(after);
  return kinds;
}
