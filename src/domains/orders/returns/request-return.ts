import { conflict, invalid, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { may } from '../../../shared/security/caller.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { getBusiness } from '../../businesses/index.ts';
import { type Command, command, type Steps } from '../context.ts';
import { checkQuantities } from '../money/refund-parts.ts';
import { removeUnstocked, unstockedOf } from '../money/unstocked.ts';
import type { OrderRow } from '../order.ts';
import { lockOrder } from '../queries.ts';
import { unshippedQuantities } from '../shipments/fulfillment.ts';
import { insertReturn, listReturnsOf } from './queries.ts';
import { isWithinPeriod, type ReturnRow, returnableQuantities, viewReturn } from './return.ts';
import type { Return, ReturnInput } from './schemas.ts';
import { emitReturn, finishChange } from './write-return.ts';

const MAX_RETURNS = 100;
/** Requests by customers, per IP address. */
const LIMIT = { name: 'return-address', max: 30, windowSeconds: 300 };

export const consumeReturnLimit = (ctx: Steps): Promise<void> =>
  ctx.callLimits.consume(ctx, LIMIT, addressKey(ctx.address));

type ReturnRequest = ReturnInput & { orderId: string };

/** Staff can request a return at any time, customers within the period. */
export const requestReturn = command({
  async prepare(ctx, input: ReturnRequest): Promise<ReturnRequest> {
    if (!may(ctx.caller, ctx.businessId, 'ORDER_WRITE')) await consumeReturnLimit(ctx);
    return input;
  },
  async execute(ctx, { orderId, ...input }): Promise<Return> {
    const { caller, businessId } = ctx;
    const order = await lockOrder(ctx.db, businessId, orderId);
    const isStaff = may(caller, businessId, 'ORDER_WRITE');
    if (!order || !(isStaff || order.customerId === caller.userId)) throw notFound('Order');
    const request = { ...input, name: null, userId: caller.userId, isStaff };
    const { row, order: written } = await addReturn(ctx, order, request);
    return viewReturn(row, written, caller);
  },
});

type NewReturn = ReturnInput & {
  id?: string;
  /** The name that the customer entered. */
  name: string | null;
  /** Null for a customer who opened the link in an email. */
  userId: string | null;
  isStaff: boolean;
};

/** Adds a return to a locked order. */
export async function addReturn(
  ctx: Command,
  order: OrderRow,
  { id = newId('ret'), type, lines, note = null, name, userId, isStaff }: NewReturn,
): Promise<{ row: ReturnRow; order: OrderRow }> {
  const { businessId, now } = ctx;
  const { configs } = await getBusiness(ctx, businessId);
  const inTime = isWithinPeriod(order, configs, now);
  if (!inTime && !isStaff) throw conflict('The return period for this order has ended. Contact the shop.');
  const errors = checkQuantities(lines, returnableQuantities(order, type), 'return');
  if (errors.length > 0) throw invalid(errors);
  const previous = await listReturnsOf(ctx.db, businessId, order.id);
  if (previous.length >= MAX_RETURNS) throw conflict(`An order can have at most ${MAX_RETURNS} returns.`);

  const waiting = order.status === 'CANCELLED' || type !== 'WITHDRAWAL' ? new Map() : unshippedQuantities(order);
  const row: ReturnRow = {
    businessId,
    id,
    orderId: order.id,
    type,
    status: 'REQUESTED',
    doc: {
      lines: lines.map(({ lineId, quantity, reason }) => {
        const unshipped = Math.min(quantity, waiting.get(lineId) ?? 0);
        const returned = Math.min(unshipped, unstockedOf(order.doc, lineId));
        return { lineId, quantity, unshipped, ...(returned > 0 ? { returned } : {}), reason: reason?.trim() || null };
      }),
      note: note?.trim() || null,
      name: name?.trim() || null,
      rejectable: !(type === 'WITHDRAWAL' && inTime),
      instructions: null,
      labelUrl: null,
      rejection: null,
      restocked: null,
      refundId: null,
      exchangeOrderId: null,
      statuses: [{ status: 'REQUESTED', ...(userId ? { userId } : {}), timestamp: now }],
    },
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await insertReturn(ctx.db, row);
  emitReturn(ctx, row, order);
  const mail = type === 'WITHDRAWAL' ? 'WITHDRAWAL_RECEIVED' : 'RETURN_REQUESTED';
  const doc = removeUnstocked(order.doc, row.doc.lines);
  return { row, order: await finishChange(ctx, order, { row, mail, doc }) };
}
