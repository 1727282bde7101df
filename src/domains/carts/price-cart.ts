import { priceSellable, showPrice } from '../pricing/index.ts';
import { type CartRow, requestOf, viewCart } from './cart.ts';
import type { Steps } from './context.ts';
import type { Cart } from './schemas.ts';

/** The cart with its current price. Anything that can't be ordered is listed in the cart's `problems` instead of causing an error. */
export async function showCart(ctx: Steps, row: CartRow): Promise<Cart> {
  const shown = viewCart(row);
  if (row.doc.items.length === 0) return { ...shown, problems: [], quote: null };
  const { priced, problems: found } = await priceSellable(ctx, requestOf(row));
  // The order has already reserved the stock.
  const problems = row.orderId === null ? found : [];
  if (priced === null) return { ...shown, problems, quote: null };
  const { taxMode: _, promoId: __, vatCheck: ___, ...price } = priced;
  return { ...shown, problems, quote: { ...price, ...showPrice(priced) } };
}
