/**
 * Orders: what was bought. A **quote** is a price that is honoured for a while. An **order** has lines, sums and two
 * histories, one of its own status and one of its payment's. A **promo code** takes something off. A **payment** is one
 * attempt to get money through a provider; a **refund** gives some of it back.
 *
 * Invariants: total = subtotal + tax + shipping − discount. An order holds its stock and its use of a promo code exactly while
 * it is not CANCELLED. Orders of a business are numbered 1, 2, 3 … without gaps. Money is refunded at most once and never
 * more than was paid. Locks are taken in this order: order, payment, stock, promo code, counter of numbers.
 */
import type { Deps } from '../../deps.ts';
import type { Businesses } from '../businesses/index.ts';
import type { Content } from '../content/index.ts';
import type { OrdersContext } from './context.ts';
import { createOrder } from './create-order.ts';
import { registerJobs } from './jobs.ts';
import { orderPayments } from './order-payments.ts';
import { createPaymentPage } from './payment-page.ts';
import { createPayments } from './payments.ts';
import { createPromo } from './promo-codes.ts';

export type { PaymentPage, PaymentView } from './payment-page.ts';
export type { PaymentRow } from './payment-queries.ts';
export type { NewPayment } from './payments.ts';
export { customersOf, existingOrders, findOrderForEntry } from './queries.ts';

export function createOrders(deps: Deps, businesses: Businesses, content: Content) {
  const payments = createPayments(deps, businesses);
  payments.handle('ORDER', orderPayments(deps));
  const context: OrdersContext = { deps, businesses, content, payments };
  registerJobs(context);
  return {
    /** For this domain's routes. */
    context,
    /** What can be paid: `begin`, and `onPaid` for those who sell something else than orders. */
    payments: { begin: payments.begin, onPaid: payments.onPaid },
    /** The sandbox's page. */
    page: createPaymentPage(context),
    createOrder: createOrder.bind(null, context),
    createPromo: createPromo.bind(null, context),
  };
}

export type Orders = ReturnType<typeof createOrders>;
