import { isDeepStrictEqual } from 'node:util';
import type { Versioned } from '../../context/index.ts';
import { type FieldError, invalid, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { completeEntry, MAX_AHEAD_SECONDS, MAX_HISTORY } from '../../shared/statuses.ts';
import type { Command } from './context.ts';
import { type OrderRow, versioned } from './order.ts';
import { lockOrder, updateOrder } from './queries.ts';
import { ORDER_STATUSES, type Order, PAYMENT_STATUSES, type StatusChange } from './schemas.ts';
import { tellChanges } from './tell.ts';
import { addStatuses } from './transitions.ts';

type Change = { id: string; history: 'statuses' | 'paymentStatus'; entry: StatusChange };

/** Sets the order status or the payment status. The status it has already changes nothing. */
export async function changeStatus(ctx: Command, { id, history, entry }: Change): Promise<Versioned<Order>> {
  const { caller, businessId, now } = ctx;
  const order = await lockOrder(ctx.db, businessId, id);
  if (!order) throw notFound('Order');
  ctx.checkVersion(order.version);
  const entries = order.doc[history];
  const ownId = entry.id === undefined || entry.id === id ? newId('st') : entry.id;
  const errors = checkEntry(history, entry, now);
  const tracked = withTracking(order, entry);
  if (entries.at(-1)!.status === entry.status && errors.length === 0) {
    const isSame = isDeepStrictEqual(tracked.doc.tracking, order.doc.tracking);
    if (isSame) return versioned(order, caller);
    const written = updateOrder(ctx, tracked);
    await tellChanges(ctx, order, written);
    return versioned(written, caller);
  }
  if (entries.some((each) => each.id === ownId)) {
    errors.push({ field: 'id', error: 'DUPLICATE', message: 'The history has an entry with this id already.' });
  }
  if (entries.length >= MAX_HISTORY) {
    errors.push({ field: 'status', error: 'TOO_LONG', message: `A history has at most ${MAX_HISTORY} entries.` });
  }
  if (errors.length > 0) throw invalid(errors);
  const added = completeEntry(entry, ownId, caller, businessId, now);
  return versioned(await addStatuses(ctx, tracked, { [history]: [added] }, caller.userId, order), caller);
}

const withTracking = (order: OrderRow, { tracking }: StatusChange): OrderRow =>
  tracking ? { ...order, doc: { ...order.doc, tracking } } : order;

function checkEntry(history: Change['history'], entry: StatusChange, nowSeconds: number): FieldError[] {
  const { status, timestamp, tracking } = entry;
  const allowed: readonly string[] = history === 'statuses' ? ORDER_STATUSES : PAYMENT_STATUSES;
  const errors: FieldError[] = [];
  if (!allowed.includes(status)) {
    errors.push({ field: 'status', error: 'INVALID_VALUE', message: `status must be one of ${allowed.join(', ')}.` });
  }
  if (timestamp !== undefined && timestamp > nowSeconds + MAX_AHEAD_SECONDS) {
    errors.push({ field: 'timestamp', error: 'OUT_OF_RANGE', message: 'timestamp must not lie in the future.' });
  }
  if (tracking && status !== 'SHIPPED') {
    errors.push({ field: 'tracking', error: 'INVALID_VALUE', message: 'tracking belongs to the status SHIPPED.' });
  }
  return errors;
}
