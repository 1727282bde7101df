import type { Versioned } from '../../context/index.ts';
import { consumeCallLimit } from '../../db/call-limits.ts';
import { notFound } from '../../shared/errors.ts';
import { listSellables } from '../catalog/index.ts';
import { type CartKey, canUse, hashSecret, newSecret } from './access.ts';
import { type CartRow, combineItems } from './cart.ts';
import { dropCart, showVersioned } from './change-cart.ts';
import { type Command, command } from './context.ts';
import { findLatestId, lockCarts } from './queries.ts';
import type { Cart } from './schemas.ts';
import { nameItems, saveCart, withReminder } from './write-cart.ts';

/**
 * Merges a cart into the cart of the caller, after a login: quantities are added, up to the available stock. A caller without a cart takes
 * over this one, and its secret stops working. A repeated merge returns the caller's cart.
 */
export const mergeCart = command({
  async prepare(ctx, key: CartKey) {
    await consumeCallLimit(ctx, 'cart');
    return key;
  },
  async execute(ctx, { id, secret }): Promise<CartRow> {
    const { db: tx, businessId, caller, now } = ctx;
    const ownId = await findLatestId(tx, businessId, caller.userId, now);
    const locked = await lockCarts(tx, businessId, ownId === null ? [id] : [id, ownId], now);
    const source = locked.find((row) => row.id === id && row.orderId === null && canUse(row, caller, secret));
    const own = locked.find((row) => row.id === ownId && row.orderId === null && row.ownerId === caller.userId);
    if (!source && !own) throw notFound('Cart');
    if (!source || source.id === own?.id) return own!;
    if (!own) return takeOver(ctx, source);
    const merged = await withReminder(ctx, await combine(ctx, own, source));
    dropCart(ctx, source);
    return saveCart(ctx, own, merged);
  },
  afterCommit: showVersioned satisfies (...parameters: never[]) => Promise<Versioned<Cart>>,
});

const takeOver = (ctx: Command, source: CartRow): CartRow =>
  saveCart(ctx, source, { ...source, ownerId: ctx.caller.userId, secretHash: hashSecret(newSecret()) });

/** The caller's own cart takes precedence. */
async function combine(ctx: Command, own: CartRow, source: CartRow): Promise<CartRow> {
  const { db, businessId, publicUrl } = ctx;
  const wanted = combineItems([...own.doc.items, ...source.doc.items]);
  const sellables = await listSellables(db, businessId, wanted, publicUrl());
  const items = wanted.map((item) => {
    const sold = sellables.find((each) => each.productId === item.productId && each.variantId === item.variantId);
    return sold?.tracked ? { ...item, quantity: Math.max(1, Math.min(item.quantity, sold.quantity)) } : item;
  });
  const { doc } = own;
  return {
    ...own,
    email: own.email ?? source.email,
    doc: {
      ...doc,
      ...(await nameItems(ctx, doc.market, items)),
      promoCode: doc.promoCode ?? source.doc.promoCode,
      shippingAddress: doc.shippingAddress ?? source.doc.shippingAddress,
      billingAddress: doc.billingAddress ?? source.doc.billingAddress,
      consentAt: doc.consentAt ?? source.doc.consentAt,
      attribution: doc.attribution ?? source.doc.attribution ?? null,
    },
  };
}
