import { isDeepStrictEqual } from 'node:util';
import type { Versioned } from '../../../context/index.ts';
import { type FieldError, invalid, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { completeEntry, MAX_AHEAD_SECONDS, MAX_HISTORY } from '../../../shared/records/status-history.ts';
import type { Command } from '../context.ts';
import { emitChanges } from '../emit-order.ts';
import { versioned } from '../order.ts';
import { lockOrder, updateOrderRow } from '../queries.ts';
import { ORDER_STATUSES, type Order, PAYMENT_STATUSES } from '../schemas.ts';
import { changeTracking } from '../shipments/change-shipments.ts';
import { applyStatuses } from './apply-statuses.ts';
import type { OrderStatusItem, StatusChange } from './schemas.ts';

type Change = { id: string; history: 'statuses' | 'paymentStatus'; entry: StatusChange };

/** Sets the order status or the payment status. Setting the current status again adds no entry. */
export async function changeStatus(ctx: Command, { id, history, entry }: Change): Promise<Versioned<Order>> {
  const { caller, businessId, now } = ctx;
  const order = await lockOrder(ctx.db, businessId, id);
  if (!order) throw notFound('Order');
  ctx.checkVersion(order.version);
  const entries = order.doc[history];
  const entryId = entry.id === undefined || entry.id === id ? newId('st') : entry.id;
  const errors = checkEntry(history, entry, now);
  const tracking = entry.tracking ?? undefined;
  if (entries.at(-1)!.status === entry.status && errors.length === 0) {
    const isSame = tracking === undefined || isDeepStrictEqual(tracking, order.doc.tracking);
    if (isSame) return versioned(order, caller);
    const written = updateOrderRow(ctx, { ...order, doc: changeTracking(order, tracking, now) });
    emitChanges(ctx, order, written);
    return versioned(written, caller);
  }
  if (entries.some((each) => each.id === entryId)) {
    errors.push({ field: 'id', error: 'DUPLICATE', message: 'A status with this ID already exists.' });
  }
  if (entries.length >= MAX_HISTORY) {
    errors.push({
      field: 'status',
      error: 'TOO_LONG',
      message: `A status history can have at most ${MAX_HISTORY} items.`,
    });
  }
  if (errors.length > 0) throw invalid(errors);
  const added = completeEntry(entry, entryId, caller, businessId, now);
  const changed = await applyStatuses(ctx, order, { [history]: [added], tracking, userId: caller.userId });
  return versioned(changed, caller);
}

/** For bulk requests. Their items have no response headers, so each order contains its ETag. */
export async function changeOneOfMany(ctx: Command, { orderId, ...entry }: OrderStatusItem): Promise<Order> {
  const { record, version } = await changeStatus(ctx, { id: orderId, history: 'statuses', entry });
  return { ...record, etag: etagOf(version) };
}

function checkEntry(history: Change['history'], entry: StatusChange, nowSeconds: number): FieldError[] {
  const { status, timestamp, tracking } = entry;
  const allowed: readonly string[] = history === 'statuses' ? ORDER_STATUSES : PAYMENT_STATUSES;
  const errors: FieldError[] = [];
  if (!allowed.includes(status)) {
    errors.push({ field: 'status', error: 'INVALID_VALUE', message: `status must be one of ${allowed.join(', ')}.` });
  }
  if (timestamp !== undefined && timestamp > nowSeconds + MAX_AHEAD_SECONDS) {
    errors.push({ field: 'timestamp', error: 'OUT_OF_RANGE', message: 'timestamp must not be in the future.' });
  }
  if (tracking && status !== 'SHIPPED') {
    errors.push({
      field: 'tracking',
      error: 'INVALID_VALUE',
      message: 'tracking is only allowed with the status SHIPPED.',
    });
  }
  return errors;
}
