import { type FieldError, invalid, notFound } from '../../../shared/errors.ts';
import { systemStatus, userStatus } from '../../../shared/records/status-history.ts';
import { applyStatuses } from '../changing/apply-statuses.ts';
import type { Command } from '../context.ts';
import { emitChanges } from '../emit-order.ts';
import { deductStockAgain } from '../money/payment-handlers.ts';
import type { OrderRow } from '../order.ts';
import { lockOrder, updateOrderRow } from '../queries.ts';
import { BANK_TRANSFER } from './instructions.ts';
import { type EntryRow, findStatement, insertBooking, listEntries, updateEntryOrder } from './queries.ts';
import type { BankPayment, BankStatement, BookInput } from './schemas.ts';
import { viewStatement } from './statements.ts';

type Chosen = { entry: EntryRow; orderId: string; field: string };

/**
 * Records payments on their orders, each payment once, together with the change to the order. Orders are locked first and then the
 * payments, both in the order of their IDs.
 */
export async function bookEntries(
  ctx: Command,
  { statementId, entries }: BookInput & { statementId: string },
): Promise<BankStatement> {
  const statement = await findStatement(ctx.db, ctx.businessId, statementId);
  if (!statement) throw notFound('Bank statement');
  const chosen = choose(await listEntries(ctx.db, ctx.businessId, statementId), entries);
  const orders = await lockOrders(ctx, chosen);
  const booked = new Map<string, BankPayment[]>();
  for (const { entry, orderId } of chosen.toSorted((a, b) => (a.entry.key < b.entry.key ? -1 : 1))) {
    const payment = await bookOnce(ctx, entry, orderId);
    if (payment) booked.set(orderId, [...(booked.get(orderId) ?? []), payment]);
  }
  for (const [orderId, payments] of booked) await receive(ctx, orders.get(orderId)!, payments);
  return viewStatement(ctx, statement);
}

function choose(listed: readonly EntryRow[], sent: BookInput['entries']): Chosen[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const chosen = sent.flatMap(({ id, orderId: sentOrder }, i) => {
    const entry = listed.find(({ key }) => key === id);
    const orderId = sentOrder ?? entry?.orderId;
    if (!entry)
      errors.push({ field: `entries[${i}].id`, error: 'NOT_FOUND', message: 'Payment not found in this statement.' });
    else if (seen.has(id))
      errors.push({
        field: `entries[${i}].id`,
        error: 'DUPLICATE',
        message: `entries[${i}].id is listed more than once.`,
      });
    else if (!orderId)
      errors.push({
        field: `entries[${i}].orderId`,
        error: 'REQUIRED',
        message: 'No order matches this payment. Choose an order.',
      });
    else {
      seen.add(id);
      return [{ entry, orderId, field: `entries[${i}].orderId` }];
    }
    return [];
  });
  if (errors.length > 0) throw invalid(errors);
  return chosen;
}

async function lockOrders(ctx: Command, chosen: readonly Chosen[]): Promise<Map<string, OrderRow>> {
  const orders = new Map<string, OrderRow>();
  for (const id of [...new Set(chosen.map(({ orderId }) => orderId))].sort()) {
    const order = await lockOrder(ctx.db, ctx.businessId, id);
    if (order) orders.set(id, order);
  }
  const errors = chosen.flatMap(({ entry, orderId, field }): FieldError[] => {
    const order = orders.get(orderId);
    if (!order) return [{ field, error: 'NOT_FOUND', message: 'Order not found.' }];
    const { paymentMethod, currency } = order.doc;
    if (paymentMethod !== BANK_TRANSFER)
      return [{ field, error: 'INVALID_VALUE', message: `Order #${order.number} does not use bank transfer.` }];
    if (currency.toLowerCase() !== entry.currency.toLowerCase())
      return [
        { field, error: 'CURRENCY_MISMATCH', message: `Order #${order.number} is in ${currency.toUpperCase()}.` },
      ];
    return [];
  });
  if (errors.length > 0) throw invalid(errors);
  return orders;
}

/** Null if the payment is already recorded. */
async function bookOnce(ctx: Command, { key, amount, date }: EntryRow, orderId: string): Promise<BankPayment | null> {
  const { db: tx, businessId, caller, now } = ctx;
  const { userId } = caller;
  if (!(await insertBooking(tx, { businessId, key, orderId, amount, userId, now }))) return null;
  await updateEntryOrder(tx, businessId, key, orderId);
  return { id: key, amount, date, userId, timestamp: now };
}

/**
 * Adds the payments to an order, which is paid once they reach the total. An order that has expired in the meantime deducts its stock
 * again. If the stock is sold out, or someone canceled the order, the payments are recorded and staff decide what to do.
 */
async function receive(ctx: Command, order: OrderRow, payments: readonly BankPayment[]): Promise<void> {
  const { received: before = 0, bankPayments = [], total } = order.doc;
  const received = payments.reduce((sum, { amount }) => sum + amount, before);
  const next = { ...order, doc: { ...order.doc, received, bankPayments: [...bankPayments, ...payments] } };
  const isUnpaid = ['PENDING', 'FAILED'].includes(order.paymentStatus);
  const isLate = order.status === 'CANCELLED';
  const hasExpired = order.doc.statuses.at(-1)!.changedBy === 'SYSTEM';
  const completes = isUnpaid && received >= total;
  if (!completes || (isLate && !(hasExpired && (await deductStockAgain(ctx, order))))) {
    emitChanges(ctx, order, updateOrderRow(ctx, next));
    return;
  }
  await applyStatuses(
    ctx,
    { ...next, holds: true },
    {
      statuses: isLate ? [systemStatus('PROCESSING', ctx.now)] : [],
      paymentStatus: [userStatus('PAID', ctx.caller, ctx.now)],
      userId: ctx.caller.userId,
      before: order,
    },
  );
}
