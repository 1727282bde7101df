/**
 * Carts. A **cart** holds the items and choices of a customer before an order, on the server. It belongs to the user whose token created
 * it, and to anyone with its **secret**. A **reminder** is an email about an abandoned cart.
 *
 * - `access.ts` checks access to a cart; `write-cart.ts` has the steps of every change.
 * - `price-cart.ts` computes the current price. Stored unit prices are used only in the list of carts. Items that can't be sold are
 *   listed in the cart's `problems`.
 * - `merge-carts.ts` merges carts at login; `restore-cart.ts` copies the cart of a reminder.
 * - `checkout-cart.ts` closes the cart in the transaction of a checkout, and reopens it if the order is never paid.
 *
 * Invariants: a cart becomes at most one order that is not canceled. A reminder is sent only if the customer asked for it, at most once per
 * cart and once a day per mailbox, and never after an order or an opt-out. Carts expire 30 days after their last change. Lock order: carts
 * in ID order, before everything that a checkout locks.
 */
import type { Platform } from '../../context/index.ts';
import { deleteExpiredCarts } from './queries.ts';
import { createReferences } from './references.ts';
import { createCartLinks } from './reminders/links.ts';
import { sendReminder } from './reminders/send-reminder.ts';
import type { Carts } from './service.ts';

export type { CartRow } from './cart.ts';
export { cartChanged, closeCart, getCheckoutCart, reopenCart } from './checkout-cart.ts';
export type { CartServices } from './context.ts';
export { cartEvents } from './event-schemas.ts';
export { cartData } from './personal-data.ts';
export { type Attribution, isCounted } from './references.ts';
export { findAbandonedCartEmail } from './reminders/abandoned.ts';
export { optOut, readOptOut } from './reminders/opt-out.ts';
export { previewReminder } from './reminders/preview-reminder.ts';
export { CartHeaders } from './schemas.ts';

export function createCarts(
  platform: Platform,
  { hasOrdered, findSuppressed }: Pick<Carts, 'hasOrdered' | 'findSuppressed'>,
): Carts {
  platform.handleDueRows<{ businessId: string; id: string }>({
    name: 'cart-reminders',
    concurrency: 1,
    table: { name: 'carts', key: 'id', due: 'reminder_at', lease: 'reminder_at', columns: [] },
    handle: sendReminder,
  });
  platform.handleJobs({
    name: 'carts-upkeep',
    cron: '*/15 * * * *',
    handle: (ctx) => ctx.write((tx) => deleteExpiredCarts(tx, ctx.now)),
  });
  const { secretKey } = platform.config;
  return { links: createCartLinks(secretKey), references: createReferences(secretKey), hasOrdered, findSuppressed };
}
