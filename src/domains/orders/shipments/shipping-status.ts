import { conflict } from '../../../shared/errors.ts';
import { MAX_HISTORY, userStatus } from '../../../shared/records/status-history.ts';
import type { StatusEntry } from '../../../shared/records/status-schemas.ts';
import type { Command } from '../context.ts';
import type { OrderRow } from '../order.ts';
import { statusToAdd } from './fulfillment.ts';

/** The status entry that makes an order's status match its shipments, if it needs one. */
export function shippingStatus({ caller, now }: Command, order: OrderRow): StatusEntry[] {
  const status = statusToAdd(order);
  if (status === null) return [];
  if (order.doc.statuses.length >= MAX_HISTORY) {
    throw conflict(`The status history of this order has reached its limit of ${MAX_HISTORY} entries.`);
  }
  return [userStatus(status, caller, now)];
}
