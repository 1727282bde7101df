import { type Done, done } from '../../context/command.ts';
import type { Versioned } from '../../context/index.ts';
import { consumeCallLimit } from '../../db/call-limits.ts';
import { notFound } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import { etagOf } from '../../shared/records/etag.ts';
import { may } from '../../shared/security/caller.ts';
import { type CartKey, findOwnCart } from './access.ts';
import { type CartRow, viewCart } from './cart.ts';
import { showVersioned } from './change-cart.ts';
import { command, type Query } from './context.ts';
import { findCart, listCarts } from './queries.ts';
import type { Cart, CartListQuery, ListedCart } from './schemas.ts';

/** A command with a `prepare` step, because computing the price can call other servers. */
export const readCart = command({
  async prepare(ctx, key: CartKey): Promise<Done<Versioned<Cart>>> {
    await consumeCallLimit(ctx, 'quote');
    const isStaff = may(ctx.caller, ctx.businessId, 'ORDER_READ');
    const row = await (isStaff ? findCart(ctx.db, ctx.businessId, key.id, ctx.now) : findOwnCart(ctx, key));
    if (!row) throw notFound('Cart');
    return done(await showVersioned(ctx, row));
  },
  execute: async (_ctx, cart: Versioned<Cart>) => cart,
});

/** The open carts of the business for staff, otherwise those of the caller. */
export async function readCarts(ctx: Query, { limit: requested, cursor }: CartListQuery): Promise<Page<ListedCart>> {
  const { replica, businessId, caller, cursors, now: nowSeconds } = ctx;
  const limit = pageLimit(requested);
  const ownerId = may(caller, businessId, 'ORDER_READ') ? null : caller.userId;
  const scope = `carts:${businessId}:${ownerId ?? ''}`;
  const after = cursors.decode(scope, cursor) as [number, string] | null;
  const rows = await listCarts(replica, businessId, { ownerId, after, limit: limit + 1, nowSeconds });
  return cursors.page(scope, rows, limit, ({ updatedAt, id }) => [updatedAt, id], viewListed);
}

function viewListed(row: CartRow): ListedCart {
  const { id, ownerId: customerId, email, doc, reminderAt, version, createdAt, updatedAt } = row;
  return {
    id,
    customerId,
    email,
    name: (doc.shippingAddress ?? doc.billingAddress)?.name || null,
    market: doc.market,
    items: viewCart(row).items,
    subtotal: doc.items.reduce((sum, { unitPrice, quantity }) => sum + (unitPrice ?? 0) * quantity, 0),
    currency: doc.currency,
    reminderAt,
    remindedAt: doc.remindedAt,
    createdAt,
    updatedAt,
    etag: etagOf(version),
  };
}
