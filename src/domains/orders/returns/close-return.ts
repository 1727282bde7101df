import type { Db } from '../../../db/sql.ts';
import { conflict, invalidField } from '../../../shared/errors.ts';
import { finishRefund, listRefunds } from '../../payments/index.ts';
import { type Command, command, type PaymentCommand, type Steps } from '../context.ts';
import { issueOrderRefund, reserveParts } from '../money/refund-order.ts';
import { previousParts, refundParts, splitParts, sumParts, valuesLeft } from '../money/refund-parts.ts';
import type { RefundParts } from '../money/schemas.ts';
import { withAfterSale, writeSettled } from '../money/with-after-sale.ts';
import { ORDER_PURPOSE, type OrderRow } from '../order.ts';
import { findOrder, lockOrder } from '../queries.ts';
import { returnItems } from '../stock.ts';
import { createExchange, type PreparedExchange, payWithCredit, prepareExchange } from './exchange.ts';
import { findReturn, listReturnsOf, updateReturn } from './queries.ts';
import { moveReturn, type ReturnRow, viewReturn } from './return.ts';
import { lockReturn } from './review-return.ts';
import type { CloseInput, Return } from './schemas.ts';
import { saveReturn } from './write-return.ts';

type Closing = { returnId: string; refundIds: string[] };

/**
 * Ends a return. A refund is reserved first, as in `refundOrder`; the return is CLOSED in the transaction that records the refund as
 * made. If the process crashes in between, a job finishes both.
 */
export const closeReturn = command({
  prepare: async (ctx, input: CloseInput & { id: string }) => ({
    ...input,
    prepared: await prepareReturnExchange(ctx, input),
  }),
  async execute(ctx, { id, prepared, ...input }): Promise<Closing> {
    const { row, order } = await lockReturn(ctx, id);
    if (row.doc.refundId !== null && row.status !== 'CLOSED')
      throw conflict('This return is being refunded. Wait until the refund completes.');
    if (input.exchange && row.type === 'WITHDRAWAL') {
      throw invalidField('exchange', 'INVALID_VALUE', "A withdrawal can't be exchanged. Refund it instead.");
    }
    const hasShippedItems = row.doc.lines.some(({ quantity, unshipped }) => quantity > unshipped);
    const from = hasShippedItems
      ? (['APPROVED', 'RECEIVED'] as const)
      : (['REQUESTED', 'APPROVED', 'RECEIVED'] as const);
    moveReturn(row, from, 'CLOSED', { userId: ctx.caller.userId, now: ctx.now });
    if (input.exchange) return { returnId: id, refundIds: await exchange(ctx, row, order, { ...input, prepared }) };
    if (input.refund) return { returnId: id, refundIds: [await reserveReturn(ctx, row, order, input)] };
    await finishReturn(ctx, row, order, ctx.caller.userId);
    await settle(ctx, order);
    return { returnId: id, refundIds: [] };
  },
  afterCommit: issue,
});

/** The tax on an exchange can depend on a provider. */
async function prepareReturnExchange(
  ctx: Steps,
  { id, exchange }: CloseInput & { id: string },
): Promise<PreparedExchange | null> {
  const row = exchange ? await findReturn(ctx.db, ctx.businessId, id) : null;
  const order = row && (await findOrder(ctx.db, ctx.businessId, row.orderId));
  return order && exchange ? prepareExchange(ctx, order, exchange.lines) : null;
}

async function issue(ctx: Steps, { returnId, refundIds }: Closing): Promise<Return> {
  for (const refundId of refundIds) await issueOrderRefund(ctx, refundId);
  const row = (await findReturn(ctx.db, ctx.businessId, returnId))!;
  return viewReturn(row, (await findOrder(ctx.db, ctx.businessId, row.orderId))!, ctx.caller);
}

/** Updates the order after items were withdrawn from it. */
async function settle(ctx: PaymentCommand, order: OrderRow): Promise<void> {
  await writeSettled(ctx, await withAfterSale(ctx, order), order);
}

/** The amount that the customer gets back for the items. Items in other returns don't matter, because each item is in one return only. */
async function returnParts(
  ctx: { db: Db },
  { type, doc }: ReturnRow,
  order: OrderRow,
  input: Pick<CloseInput, 'amount' | 'shipping'> = {},
): Promise<RefundParts> {
  const reference = { businessId: order.businessId, purpose: ORDER_PURPOSE, reference: order.id };
  const previous = previousParts(order, await listRefunds(ctx.db, reference));
  const left = valuesLeft(order.doc, previous);
  const items = new Map(doc.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const isWhole = left.lines.every(({ lineId, quantity }) => quantity === (items.get(lineId) ?? 0));
  const shipping = input.shipping ?? (type === 'WITHDRAWAL' && isWhole ? left.shipping.amount : 0);
  const lines = doc.lines.map(({ lineId, quantity }) => ({ lineId, quantity, restock: false }));
  const parts = refundParts(order.doc, previous, { lines, shipping });
  const most = Math.min(sumParts(parts), order.paid - order.refunded, input.amount ?? Number.POSITIVE_INFINITY);
  return refundParts(order.doc, previous, { lines, shipping, amount: most });
}

async function reserveReturn(ctx: Command, row: ReturnRow, order: OrderRow, input: CloseInput): Promise<string> {
  const parts = await returnParts(ctx, row, order, input);
  const { id } = await reserveParts(ctx, order, { amount: sumParts(parts), parts, reason: input.reason }, (refundId) =>
    linkRefund(ctx, row, refundId),
  );
  return id;
}

async function linkRefund(ctx: PaymentCommand, row: ReturnRow, refundId: string | null): Promise<void> {
  const { version } = row;
  await updateReturn(ctx.db, { ...row, doc: { ...row.doc, refundId }, version: version + 1, updatedAt: ctx.now });
}

type Exchange = CloseInput & { prepared: PreparedExchange | null };

/**
 * The value of the returned items pays for the new order. If the new order costs less, the difference is refunded on request. If
 * it costs more, the difference is still due.
 */
async function exchange(ctx: Command, row: ReturnRow, order: OrderRow, input: Exchange): Promise<string[]> {
  const parts = await returnParts(ctx, row, order, input);
  const value = sumParts(parts);
  const created = await createExchange(ctx, order, {
    returnId: row.id,
    lines: input.exchange!.lines,
    prepared: input.prepared,
  });
  const credit = Math.min(value, created.doc.total);
  const [paid, rest] = splitParts(parts, credit);
  const linked = { ...row, doc: { ...row.doc, exchangeOrderId: created.id } };
  const reason = `Exchanged for order #${created.number}`;
  let current = order;
  if (credit > 0) {
    const refund = await reserveParts(ctx, current, { amount: credit, parts: paid, reason, paysBack: false }, (id) =>
      linkRefund(ctx, linked, id),
    );
    await finishRefund(ctx, { ...refund, status: 'SUCCEEDED' });
    current = (await lockOrder(ctx.db, ctx.businessId, order.id))!;
  } else {
    await finishReturn(ctx, linked, order, ctx.caller.userId);
  }
  const difference = input.refund ? value - credit : 0;
  await payWithCredit(ctx, created.id, credit, difference);
  if (difference === 0) return [];
  return [(await reserveParts(ctx, current, { amount: difference, parts: rest, reason })).id];
}

/** Closes the return that a refund was for. The order must be locked. Returns whether the items were exchanged. */
export async function closeRefunded(
  ctx: PaymentCommand,
  order: OrderRow,
  refund: { id: string; userId: string | null },
): Promise<{ isExchange: boolean }> {
  const row = await findByRefund(ctx, order, refund.id);
  if (row) await finishReturn(ctx, row, order, refund.userId);
  return { isExchange: row?.doc.exchangeOrderId != null };
}

/** The provider refused the refund, so the return can be closed again. */
export async function unlinkRefund(ctx: PaymentCommand, order: OrderRow, refundId: string): Promise<void> {
  const row = await findByRefund(ctx, order, refundId);
  if (row) await linkRefund(ctx, row, null);
}

async function findByRefund(ctx: PaymentCommand, order: OrderRow, refundId: string): Promise<ReturnRow | undefined> {
  const rows = await listReturnsOf(ctx.db, order.businessId, order.id);
  return rows.find(({ status, doc }) => doc.refundId === refundId && status !== 'CLOSED');
}

/** Items that were never shipped return to stock now, unless they did so when the return was received or before. */
async function finishReturn(
  ctx: PaymentCommand,
  row: ReturnRow,
  order: OrderRow,
  userId: string | null,
): Promise<void> {
  if (row.doc.restocked === null) {
    const items = row.doc.lines.map(({ lineId, unshipped, returned = 0 }) => ({
      lineId,
      quantity: unshipped - returned,
    }));
    await returnItems(ctx, order, items, userId);
  }
  const closed = moveReturn(row, ['REQUESTED', 'APPROVED', 'RECEIVED'], 'CLOSED', { userId, now: ctx.now });
  await saveReturn(ctx, closed, order);
}

/** The value of the items in a return, for staff. */
export async function returnValue(ctx: { db: Db }, row: ReturnRow, order: OrderRow): Promise<number | null> {
  if (row.status === 'CLOSED' || row.status === 'REJECTED' || row.doc.refundId !== null) return null;
  return sumParts(await returnParts(ctx, row, order));
}
