/** A return as it is stored, and its rules. Pure. */
import { conflict } from '../../../shared/errors.ts';
import { pickFields } from '../../../shared/records/pick-fields.ts';
import { type Caller, isMember } from '../../../shared/security/caller.ts';
import type { Configs } from '../../businesses/index.ts';
import type { CountedReturn } from '../money/after-sale.ts';
import type { OrderRow } from '../order.ts';
import {
  linesToShip,
  namedLines,
  OPEN,
  returnableLines,
  shipmentsOf,
  unshippedQuantities,
} from '../shipments/fulfillment.ts';
import { CustomerReturn, type RETURN_STATUSES, type RETURN_TYPES, Return } from './schemas.ts';

export type ReturnStatus = (typeof RETURN_STATUSES)[number];
export type ReturnType = (typeof RETURN_TYPES)[number];

type ReturnDoc = {
  /** `returned`: how many of the unshipped items were in stock already, because they were `unstocked` in the order. */
  lines: { lineId: string; quantity: number; unshipped: number; returned?: number; reason: string | null }[];
  note: string | null;
  /** The name that the customer entered. */
  name: string | null;
  /** False for a withdrawal within the withdrawal period. */
  rejectable: boolean;
  instructions: string | null;
  labelUrl: string | null;
  rejection: string | null;
  /** Null until the items are received. */
  restocked: boolean | null;
  /** The refund of its items. Pending until the return is CLOSED. */
  refundId: string | null;
  exchangeOrderId: string | null;
  statuses: { status: ReturnStatus; userId?: string; timestamp: number }[];
};

export type ReturnRow = {
  businessId: string;
  id: string;
  orderId: string;
  type: ReturnType;
  status: ReturnStatus;
  doc: ReturnDoc;
  version: number;
  createdAt: number;
  updatedAt: number;
};

/**
 * The items that a return takes out of the order; null if it was rejected. If the parcel never arrived, only the
 * unshipped items.
 */
export function countReturn({ status, doc }: ReturnRow): CountedReturn | null {
  const { refundId, exchangeOrderId, restocked, lines } = doc;
  if (status === 'REJECTED') return null;
  const hasNeverArrived = status === 'CLOSED' && refundId === null && exchangeOrderId === null && restocked === null;
  return {
    refundId,
    isExchange: exchangeOrderId !== null,
    lines: lines.map((line) => ({ ...line, quantity: hasNeverArrived ? line.unshipped : line.quantity })),
  };
}

export const DAY_SECONDS = 86_400;
const DEFAULT_PERIOD_DAYS = 14;
/** The period starts with the delivery. If its date is unknown, a parcel is assumed to arrive within this time. */
const DELIVERY_DAYS = 14;

/**
 * When the customer can no longer withdraw from the order or request a return. Counts from the delivery or, if none is known, from two
 * weeks after the last shipment, not counting that day. Null while something is left to ship. An order without shipments counts from the
 * day it was placed.
 */
export function periodEnd(order: OrderRow, { returns }: Configs): number | null {
  const days = returns?.periodDays ?? DEFAULT_PERIOD_DAYS;
  if (linesToShip(order).length > 0 && order.status !== 'CANCELLED') return null;
  // If the order was reopened after a delivery, that delivery was not the last one.
  const latest = order.doc.statuses.findLast(({ status }) => status === 'DELIVERED' || OPEN.includes(status));
  const delivered = latest?.status === 'DELIVERED' ? latest.timestamp : null;
  const shipped = shipmentsOf(order).at(-1)?.createdAt;
  const arrived = shipped === undefined ? order.createdAt : shipped + DELIVERY_DAYS * DAY_SECONDS;
  const start = delivered ?? arrived;
  return start + (days + 1) * DAY_SECONDS;
}

export const isWithinPeriod = (order: OrderRow, configs: Configs, nowSeconds: number) =>
  nowSeconds < (periodEnd(order, configs) ?? Number.POSITIVE_INFINITY);

/** The quantity of each line that can be returned. Only a withdrawal covers items that were not shipped. */
export function returnableQuantities(order: OrderRow, type: ReturnType): Map<string, number> {
  const sent = new Map(returnableLines(order).map(({ lineId, quantity }) => [lineId, quantity]));
  const coversUnshipped = type === 'WITHDRAWAL' && order.status !== 'CANCELLED';
  return new Map(
    [...unshippedQuantities(order)].map(([lineId, waiting]) => [
      lineId,
      (sent.get(lineId) ?? 0) + (coversUnshipped ? waiting : 0),
    ]),
  );
}

/** The return with its next status. Throws 409 if its status is not in `from`. */
export function moveReturn(
  row: ReturnRow,
  from: readonly ReturnStatus[],
  status: ReturnStatus,
  by: { userId: string | null; now: number },
): ReturnRow {
  if (!from.includes(row.status)) {
    throw conflict(`This return is ${row.status}. Only a return that is ${from.join(' or ')} can be set to ${status}.`);
  }
  const entry = { status, ...(by.userId ? { userId: by.userId } : {}), timestamp: by.now };
  return { ...row, status, doc: { ...row.doc, statuses: [...row.doc.statuses, entry] } };
}

/** The return as the caller may see it. Without a caller, as its customer sees it. */
export function viewReturn(
  row: ReturnRow,
  order: Pick<OrderRow, 'id' | 'number' | 'doc'>,
  caller: Caller | null,
): Return {
  const { businessId, id, orderId, type, status, doc, createdAt, updatedAt } = row;
  const lines = doc.lines.map((line) => ({ ...line, name: namedLines(order, [line])[0]?.name ?? '' }));
  const shown = { id, orderId, orderNumber: order.number, type, status, ...doc, lines, createdAt, updatedAt };
  return pickFields<Return>(caller && isMember(caller, businessId) ? Return : CustomerReturn, shown);
}
