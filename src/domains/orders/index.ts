/**
 * Orders: what was bought. An **order** has lines, sums and two histories, one of its own status and one of its payment's. It
 * comes from a **checkout**, or staff write it by hand. Its payment has the id of the order.
 *
 * Invariants: total = subtotal + tax + shipping − discount. An order holds its stock and its use of a promo code exactly while
 * it is not CANCELLED. Orders of a business are numbered 1, 2, 3 … without gaps. Money is refunded at most once and never
 * more than was paid. Locks are taken in this order: order, payment, stock, promo code, counter of numbers.
 */
import type { Platform } from '../../context/index.ts';
import type { Payments } from '../payments/index.ts';
import { ORDER_PURPOSE } from './order.ts';
import { orderPayments } from './order-payments.ts';
import { registerTasks } from './tasks.ts';

export { changeStatus } from './change-status.ts';
export { checkout } from './checkout.ts';
export type { OrderServices } from './context.ts';
export { importOrders, type OrderImport } from './import-orders.ts';
export { listOrdersForExport, raiseOrderNumber } from './import-queries.ts';
export { exportOrder } from './order.ts';
export { orderData } from './personal-data.ts';
export { customersOf, existingOrders, findLastNumber, findOrderForEntry, listCustomersAmong } from './queries.ts';
export { refundOrder } from './refund.ts';
export { type CheckoutInput, OrderCounter, OrderExport } from './schemas.ts';
export { listProductSales, listSales, type SalesRow } from './stats-queries.ts';

/** This domain remembers nothing: it takes payments, and has tasks. */
export function registerOrders(platform: Platform, payments: Payments): void {
  payments.handle(ORDER_PURPOSE, orderPayments);
  registerTasks(platform);
}
