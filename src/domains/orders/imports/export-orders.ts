/** Orders with their refunds and returns, as exports contain them. */
import type { Db } from '../../../db/sql.ts';
import { listRefundsAmong, type RefundRow } from '../../payments/index.ts';
import { withTaxDetails } from '../../pricing/index.ts';
import { ORDER_PURPOSE, type OrderRow, viewNewOrder } from '../order.ts';
import { listReturnsAmong } from '../returns/queries.ts';
import type { ReturnRow } from '../returns/return.ts';
import type { RefundExport, ReturnExport } from './after-sale-schemas.ts';
import { listOrdersForExport } from './queries.ts';

type Exported = { id: string; number: number };

/** Sorted by ID, starting after the given ID. `isWhole`: the documents of the business are exported too. */
export async function exportOrders(
  db: Db,
  businessId: string,
  { after, limit, isWhole = false }: { after: string; limit: number; isWhole?: boolean },
): Promise<Exported[]> {
  const orders = await listOrdersForExport(db, businessId, after, limit);
  const ids = orders.map(({ id }) => id);
  const refunds = Map.groupBy(
    await listRefundsAmong(db, { businessId, purpose: ORDER_PURPOSE, references: ids }),
    ({ reference }) => reference,
  );
  const returns = Map.groupBy(await listReturnsAmong(db, businessId, ids), ({ orderId }) => orderId);
  return orders.map((order) => exportOrder(order, refunds.get(order.id) ?? [], returns.get(order.id) ?? [], isWhole));
}

function exportOrder(
  order: OrderRow,
  refunds: readonly RefundRow[],
  returns: readonly ReturnRow[],
  isWhole: boolean,
): Exported {
  const {
    etag: _,
    businessId: __,
    display: ___,
    cancelledLines: ____,
    refundable: _____,
    returnable: ______,
    ...shown
  } = { ...viewNewOrder(order), number: order.number };
  const { lines, taxMode, promoUserId, mailed, notes, hasDocuments } = withTaxDetails(order.doc);
  const data = {
    ...shown,
    lines,
    taxMode,
    ...(order.doc.bankTransfer ? { bankTransfer: order.doc.bankTransfer } : {}),
    ...(promoUserId === undefined ? {} : { promoUserId }),
    ...(mailed === undefined ? {} : { mailed }),
    ...(notes === undefined ? {} : { notes }),
    ...(refunds.length > 0 ? { refunds: refunds.map(exportRefund) } : {}),
    ...(returns.length > 0 ? { returns: returns.map(exportReturn) } : {}),
    ...(isWhole && hasDocuments ? { hasDocuments } : {}),
  };
  return data;
}

const exportRefund = ({
  businessId: _,
  paymentId: __,
  purpose: ___,
  reference: ____,
  dueAt: _____,
  ...refund
}: RefundRow): RefundExport => refund as RefundExport;

const exportReturn = ({ id, type, status, doc, createdAt, updatedAt }: ReturnRow): ReturnExport => ({
  id,
  type,
  status,
  ...doc,
  createdAt,
  updatedAt,
});
