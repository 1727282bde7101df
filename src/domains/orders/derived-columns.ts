import { isCard } from '../pricing/index.ts';
import type { OrderRow } from './order.ts';

/** Longer lists of products don't fit into an index. */
const MAX_BOUGHT_LENGTH = 1800;

/**
 * Lists, reports and segments read these columns instead of documents. Every statement that writes an order sets them. Generated columns
 * would be safer, but they take a tenth of the CPU time of a checkout. A trigger derives the same values for processes of 0.2
 * (`migrations/0054_beside_version_0_2.sql`).
 */
export function derivedColumns({ doc, ...order }: Omit<OrderRow, 'number' | 'version' | 'createdAt' | 'updatedAt'>) {
  const productIds = doc.lines.flatMap(({ productId }) => productId ?? []);
  const last = doc.statuses.at(-1);
  return {
    total: doc.total,
    /** In lower case, like the currency. */
    market: doc.market.toLowerCase(),
    currency: doc.currency.toLowerCase(),
    /** When the order was first paid. */
    paidAt: doc.paymentStatus.find(({ status }) => status === 'PAID')?.timestamp ?? null,
    /** After an erasure, only the country of the tax lines is left. */
    country: doc.shippingAddress?.country ?? doc.billingAddress?.country ?? doc.taxLines?.[0]?.country ?? null,
    /** The customer started to pay online, and the payment expired or the customer canceled it. */
    isAbandoned:
      order.status === 'CANCELLED' &&
      order.paymentStatus === 'FAILED' &&
      order.paid === 0 &&
      isCard(doc.paymentMethod ?? '') &&
      (last?.changedBy === 'SYSTEM' || last?.userId === order.customerId),
    bought: JSON.stringify(productIds).length <= MAX_BOUGHT_LENGTH ? productIds : null,
  };
}
