import { invalidField } from '../../shared/errors.ts';
import { cartOrdered } from './access.ts';
import { addCart, consumeCartLimit, showCreated } from './change-cart.ts';
import { command } from './context.ts';
import { findCart } from './queries.ts';

/**
 * Creates a cart with the items of the cart in a reminder. Email and addresses are left out, because a reminder can be forwarded.
 */
export const restoreCart = command({
  async prepare(ctx, token: string) {
    await consumeCartLimit(ctx);
    const link = ctx.carts.links.readRestore(token);
    if (link?.businessId !== ctx.businessId) throw invalidField('token', 'TOKEN_INVALID', 'This link is invalid.');
    const row = await findCart(ctx.db, ctx.businessId, link.subject, ctx.now);
    if (!row) throw invalidField('token', 'TOKEN_EXPIRED', 'This cart has expired.');
    if (row.orderId !== null) throw cartOrdered();
    const { market, items, promoCode, locale } = row.doc;
    const kept = items.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));
    return { market, items: kept, promoCode, locale };
  },
  execute: addCart,
  afterCommit: showCreated,
});
