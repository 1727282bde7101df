/** The refunds and returns of imported orders: history only. No money moves, and nothing returns to stock. */
import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { insertRefund, type RefundRow } from '../../payments/index.ts';
import { lineId } from '../../pricing/index.ts';
import type { Command } from '../context.ts';
import { afterSaleOf } from '../money/after-sale.ts';
import { ORDER_PURPOSE, type OrderRow } from '../order.ts';
import { insertReturn } from '../returns/queries.ts';
import { countReturn, type ReturnRow } from '../returns/return.ts';
import type { RefundExport, ReturnExport } from './after-sale-schemas.ts';
import { listTakenIds } from './queries.ts';
import type { OrderExport } from './schemas.ts';

export type AfterSaleRows = { refunds: RefundRow[]; returns: ReturnRow[] };

/** The order with its refunded and returned quantities, and the rows to store. */
export function composeAfterSale(
  order: OrderRow,
  { refunds, returns = [] }: Pick<OrderExport, 'refunds' | 'returns'>,
): AfterSaleRows & { order: OrderRow } {
  if (!refunds && returns.length === 0) return { order, refunds: wholeRefund(order), returns: [] };
  const rows = {
    refunds: refunds ? refunds.map((each) => refundRow(order, each)) : wholeRefund(order),
    returns: returns.map((each) => returnRow(order, each, refunds ?? [])),
  };
  const counted = rows.returns.flatMap((row) => countReturn(row) ?? []);
  return { order: { ...order, doc: { ...order.doc, afterSale: afterSaleOf(order, rows.refunds, counted) } }, ...rows };
}

const common = ({ businessId, id, updatedAt }: OrderRow) => ({
  businessId,
  paymentId: null,
  purpose: ORDER_PURPOSE,
  reference: id,
  dueAt: updatedAt,
});

/** Other systems export only the refunded amount. Later refunds add to it. */
function wholeRefund(order: OrderRow): RefundRow[] {
  const { refunded: amount, updatedAt } = order;
  if (amount === 0) return [];
  const details = { reason: null, parts: null, userId: null, providerRefundId: null, failure: null };
  const times = { createdAt: updatedAt, updatedAt };
  return [{ ...common(order), id: newId('rfd'), amount, ...details, status: 'SUCCEEDED', ...times }];
}

/** Pending refunds are made by the exporting business. Here, their amount counts as refunded. */
const refundRow = (order: OrderRow, refund: RefundExport): RefundRow => ({
  ...common(order),
  ...refund,
  status: refund.status === 'PENDING' ? 'SUCCEEDED' : refund.status,
});

function returnRow(order: OrderRow, given: ReturnExport, refunds: readonly RefundExport[]): ReturnRow {
  const { id, type, status, createdAt, updatedAt, ...doc } = given;
  const isClosing = refunds.some((refund) => refund.id === doc.refundId && refund.status === 'PENDING');
  const closed = { status: 'CLOSED' as const, timestamp: updatedAt };
  return {
    businessId: order.businessId,
    id,
    orderId: order.id,
    type,
    status: isClosing ? 'CLOSED' : status,
    doc: isClosing ? { ...doc, statuses: [...doc.statuses, closed] } : doc,
    version: 1,
    createdAt,
    updatedAt,
  };
}

/** No refund or return can have more of a line than was ordered. Lines that an edited file no longer contains are not checked. */
export function checkAfterSale({ lines, refunds = [], returns = [] }: OrderExport): FieldError[] {
  const quantities = new Map(lines.map((line, i) => [lineId(line, i), line.quantity]));
  const check = (items: readonly { lineId: string; quantity: number }[], field: string): FieldError[] =>
    items.flatMap(({ lineId: id, quantity }, i) => {
      const most = quantities.get(id) ?? quantity;
      if (quantity <= most) return [];
      const message = `quantity must be at most ${most}, the quantity of the line.`;
      return [{ field: `${field}.lines[${i}].quantity`, error: 'OUT_OF_RANGE', message }];
    });
  return [
    ...refunds.flatMap(({ parts }, n) => check(parts?.lines ?? [], `refunds[${n}].parts`)),
    ...returns.flatMap((each, n) => check(each.lines, `returns[${n}]`)),
  ];
}

/** Orders with refunds or returns whose ID is taken. */
export async function findTaken(
  { db, businessId }: Command,
  composed: readonly (AfterSaleRows & { order: OrderRow })[],
): Promise<Set<string>> {
  const idsOf = ({ refunds, returns }: AfterSaleRows) => [...refunds, ...returns].map(({ id }) => id);
  const all = composed.flatMap(idsOf);
  const taken = new Set(all.length > 0 ? await listTakenIds(db, businessId, all) : []);
  const repeated = all.filter((id, i) => all.indexOf(id) < i);
  for (const id of repeated) taken.add(id);
  return new Set(composed.filter((each) => idsOf(each).some((id) => taken.has(id))).map(({ order }) => order.id));
}

export async function insertAfterSale({ db: tx }: Command, composed: readonly AfterSaleRows[]): Promise<void> {
  for (const { refunds, returns } of composed) {
    for (const refund of refunds) await insertRefund(tx, refund);
    for (const row of returns) await insertReturn(tx, row);
  }
}
