import { isSame } from '../cart/cart.ts';
import { useSite } from '../island.tsx';
import { Picture } from '../picture.tsx';
import { fill, money } from '../site.ts';
import type { Checkout } from './load.ts';

/** A compact list of the order's items. */
export function MiniLines({ checkout: { cart, products, quote } }: { checkout: Checkout }) {
  const site = useSite();
  const { cart: words } = site.texts;
  return (
    <ul class="mini">
      {cart.items.map((item) => {
        const line = quote?.lines.find((each) => isSame(each, item));
        const { productId, variantId, quantity, name, variantName } = item;
        return (
          <li key={`${productId} ${variantId}`}>
            <Picture media={products[productId]?.image ?? undefined} alt="" sizes="3rem" width={48} />
            <span>
              {name || words.unknown}
              <span class="quiet small">
                {[variantName !== name && variantName, fill(words.quantity, { count: quantity })]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </span>
            <span class="amount">{line && quote ? money(line.totalPrice, quote.currency, site) : '–'}</span>
          </li>
        );
      })}
    </ul>
  );
}
