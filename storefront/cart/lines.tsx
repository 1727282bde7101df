/** The lines of a cart, with forms to change them. */
import type { Cart } from '@souk/client';
import { FormFields } from '../forms.tsx';
import { useSite } from '../island.tsx';
import { Picture } from '../picture.tsx';
import { fill, link, money } from '../site.ts';
import { isSame, MAX_QUANTITY } from './cart.ts';
import { problemText } from './problem-text.ts';
import type { Shown } from './products.ts';

type Props = { cart: Cart; products: Record<string, Shown>; csrf: string };

export function CartLines({ cart, products, csrf }: Props) {
  const site = useSite();
  const { cart: words } = site.texts;
  const action = link(site, '/cart');
  return (
    <ul class="cart">
      {cart.items.map((item, i) => {
        const { productId, variantId, quantity, variantName } = item;
        const line = cart.quote?.lines.find((each) => isSame(each, item));
        const product = products[productId];
        const name = item.name || words.unknown;
        const problem = cart.problems.find(({ field }) => field.startsWith(`items[${i}]`));
        const ids = (
          <>
            <input type="hidden" name="productId" value={productId} />
            <input type="hidden" name="variantId" value={variantId} />
          </>
        );
        return (
          <li key={`${productId} ${variantId}`}>
            <Picture media={product?.image ?? undefined} alt="" sizes="6rem" width={96} />
            <div class="cart-name">
              {product ? <a href={link(site, `/products/${product.slug}`)}>{name}</a> : name}
              {variantName && variantName !== name && <p class="quiet small">{variantName}</p>}
              {problem && <p class="field-error">{problemText(problem, site.texts)}</p>}
            </div>
            <form action={action} method="post" class="quantity" data-live="change">
              <FormFields csrf={csrf} action="quantity" />
              {ids}
              <input
                type="number"
                name="quantity"
                min="0"
                max={MAX_QUANTITY}
                value={quantity}
                id={`quantity-${i}`}
                aria-label={fill(words.quantityOf, { name })}
              />
              <button type="submit" class="quiet without-script">
                {words.update}
              </button>
            </form>
            <p class="amount">{line && cart.quote ? money(line.totalPrice, cart.quote.currency, site) : '–'}</p>
            <form action={action} method="post" data-live="submit">
              <FormFields csrf={csrf} action="remove" />
              {ids}
              <button type="submit" class="icon" aria-label={fill(words.remove, { name })}>
                ×
              </button>
            </form>
          </li>
        );
      })}
    </ul>
  );
}

/** Problems that belong to no line. */
export function CartProblems({ cart }: { cart: Cart }) {
  const { texts } = useSite();
  const isOpen = cart.problems.some(({ field }) => field.startsWith('items['));
  return isOpen ? (
    <p class="notice bad" role="alert">
      {texts.cart.changed}
    </p>
  ) : null;
}

type PromoProps = { cart: Cart; csrf: string; action: string };

export function PromoForm({ cart, csrf, action }: PromoProps) {
  const { texts } = useSite();
  const { cart: words } = texts;
  const problem = cart.problems.find(({ field }) => field === 'promoCode');
  return (
    <form class="promo" action={action} method="post" data-live="submit">
      <FormFields csrf={csrf} action="promo" />
      <label for="promo">{words.promoCode}</label>
      <div class="joined">
        <input
          id="promo"
          name="promoCode"
          value={cart.promoCode ?? ''}
          maxLength={64}
          autocomplete="off"
          aria-invalid={problem ? true : undefined}
          aria-describedby="promo-problem"
        />
        <button type="submit" class="quiet">
          {words.apply}
        </button>
      </div>
      <p id="promo-problem" class="field-error">
        {problem && problemText(problem, texts)}
      </p>
    </form>
  );
}
