/**
 * Orders. An **order** has lines, totals and two histories: order statuses and payment statuses. Customers place orders through
 * **checkout**, staff create them by hand (`placing/`). A payment has the ID of its order.
 *
 * - `changing/transitions.ts` computes the effects of a status change; `apply-statuses.ts` applies them.
 * - `shipments/fulfillment.ts` computes the shipped items and those left to ship; the status follows them.
 * - `stock.ts` takes and returns stock, except in checkout, which does it in the pipeline in `placing/checkout.ts`.
 * - `priceCart` in `pricing/` computes prices; orders created by staff use it through `money/price-order.ts`.
 * - `work/` contains the tags, assignee and notes of staff; `imports/` imports orders from other systems.
 * - `documents/issue-documents.ts` issues invoices and credit notes, which `documents/render/` renders.
 * - `money/refund-parts.ts` computes the amount of a refund; `money/after-sale.ts` how much of each line was refunded and returned.
 * - `returns/` contains returns, withdrawals and exchanges. They are protected by the lock on their order.
 * - `bank-transfer/` writes the payment instructions, parses bank statements and records payments.
 * - `money/payment-handlers.ts` updates the order when a payment succeeds, fails or expires.
 *
 * Invariants: total = subtotal + tax + shipping − discount. An order holds its stock and its promo code use unless it is
 * CANCELLED, and a CANCELLED order holds the stock that was shipped. An order is SHIPPED or DELIVERED only if nothing is left to
 * ship. Orders of a business are numbered 1, 2, 3 … without gaps, continuing after the highest number of imported orders. No refund is
 * made twice, and refunds never exceed the paid amount. Each paid order has an invoice, and invoices minus credit notes equal
 * the money that the business keeps (`documents/`). Documents never change, and their numbers have no gaps.
 * The quantities that were refunded, or are in a return, never exceed what was sold.
 * A payment in a bank statement is recorded once. The amount received (`received`) can differ from the total; `paid` is the total or 0.
 * Lock order: order, payment, stock, promo code, order number counter, document number counters.
 */
import type { Platform } from '../../context/index.ts';
import { createRenderer } from './documents/render/renderer.ts';
import type { Orders } from './service.ts';
import { registerTasks } from './tasks.ts';

export { instructionRows } from './bank-transfer/instructions.ts';
export { failedPayment, type NewStatuses, transition } from './changing/transitions.ts';
export type { OrderServices } from './context.ts';
export { derivedColumns } from './derived-columns.ts';
export { newDocument, withDocuments } from './documents/issue-documents.ts';
export {
  type DocumentRow,
  listDocumentsForExport,
  numberOf,
  unnumberedEvent,
} from './documents/queries.ts';
export { invoiceSnapshot, partSnapshot } from './documents/snapshot.ts';
export { emitChanges, emitRefund } from './emit-order.ts';
export { orderEvents } from './event-schemas.ts';
export { DocumentExport } from './imports/after-sale-schemas.ts';
export { exportOrders } from './imports/export-orders.ts';
export { type DocumentImport, importDocuments } from './imports/import-documents.ts';
export { importOrders, type OrderImport } from './imports/import-orders.ts';
export { importPastOrders, type PastOrderImport } from './imports/import-past-orders.ts';
export { listOrdersForExport, raiseOrderNumber } from './imports/queries.ts';
export { OrderCounter, OrderExport } from './imports/schemas.ts';
export { countMail } from './mails/order-mails.ts';
export { previewOrderMail } from './mails/preview-mail.ts';
export { afterSaleOf } from './money/after-sale.ts';
export { orderPayments } from './money/payment-handlers.ts';
export { previousParts, spreadRefund } from './money/refund-parts.ts';
export {
  countReturns,
  listRefunded,
  listRefundedProducts,
  listSold,
  listSoldProducts,
  listTaxes,
  type Period,
} from './money/report-queries.ts';
export { listProductSales, listSales, listSendSales, type SalesRow } from './money/sales-queries.ts';
export type { RefundParts } from './money/schemas.ts';
export { ORDER_PURPOSE, type OrderRow, viewNewOrder } from './order.ts';
export { downloadLinked, type OrderView, showOrder } from './order-link.ts';
export { orderData } from './personal-data.ts';
export { newOrder, paymentOf } from './placing/checkout.ts';
export type { CheckoutInput } from './placing/schemas.ts';
export {
  customersOf,
  existingOrders,
  findLastNumber,
  findOrderForEntry,
  hasOrdered,
  listCustomersAmong,
} from './queries.ts';
export { payExchange } from './returns/pay-exchange.ts';
export { requestByLink } from './returns/request-by-link.ts';
export type { ReturnOptions } from './returns/return-options.ts';
export type { Return } from './returns/schemas.ts';
export { withFulfillment } from './shipments/fulfillment.ts';
export type { Tracking } from './shipments/schemas.ts';

/** Registers the background work of this domain and creates its renderer. */
export function createOrders(platform: Platform): Orders {
  registerTasks(platform);
  return { renderer: createRenderer() };
}
