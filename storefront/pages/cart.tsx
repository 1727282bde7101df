import { isSoukError, type Quote } from '@souk/client';
import { useState } from 'preact/hooks';
import { type CartItem, cart, setQuantity } from '../cart.ts';
import { applyPromoCode, promoCode, usePrice } from '../checkout/price.ts';
import { Empty, Problem, ProductImage, problemOf, Title } from '../parts.tsx';
import { money } from '../shop.ts';

export function CartPage() {
  const { data: quote, error, isLoading, reload } = usePrice({ isEstimate: true });
  const items = cart.value;
  if (items.length === 0) {
    return (
      <Empty
        title="Your cart is empty"
        text="Items you add stay in your cart when you close the page."
        link="Shop all products"
      />
    );
  }
  const isAboutLine = isSoukError(error) && error.details.some(({ field }) => /^(items|lines|promoCode)/.test(field));
  return (
    <main id="main" class="with-summary">
      <div>
        <Title text="Your cart" />
        {!isAboutLine && <Problem error={error} retry={reload} />}
        <ul class="cart">
          {items.map((item, i) => (
            <CartRow key={`${item.productId} ${item.variantId}`} item={item} index={i} quote={quote} error={error} />
          ))}
        </ul>
      </div>
      <aside class="summary" aria-label="Summary">
        <PromoForm error={error} />
        <Sums quote={quote} isLoading={isLoading} />
        <a href="/shop/checkout" class="button wide">
          Check out
        </a>
      </aside>
    </main>
  );
}

type RowProps = { item: CartItem; index: number; quote: Quote | null | undefined; error: unknown };

function CartRow({ item, index, quote, error }: RowProps) {
  const line = quote?.lines.find(
    ({ productId, variantId }) => productId === item.productId && variantId === item.variantId,
  );
  const fields = ['items', 'lines'].flatMap((list) =>
    ['', '.quantity', '.variantId', '.productId'].map((end) => `${list}[${index}]${end}`),
  );
  const problem = fields.map((field) => problemOf(error, field)).find(Boolean);
  /** Removing the row also removes its button, so focus moves to the heading. */
  const remove = () => {
    setQuantity(item, 0);
    document.querySelector('h1')?.focus();
  };
  return (
    <li>
      <ProductImage src={item.image} size={96} />
      <div class="cart-name">
        <a href={`/shop/products/${item.slug}`}>{item.name}</a>
        {item.choice && <p class="quiet small">{item.choice}</p>}
        {problem && (
          <p class="field-error" role="alert">
            {problem}
          </p>
        )}
      </div>
      <input
        type="number"
        min="1"
        max="99"
        aria-label={`Quantity of ${item.name}`}
        value={item.quantity}
        onChange={(event) => setQuantity(item, Math.max(1, Number(event.currentTarget.value)))}
      />
      <p class="amount">
        {line && quote && line.quantity === item.quantity ? money(line.totalPrice, quote.currency) : '…'}
      </p>
      <button type="button" class="icon" aria-label={`Remove ${item.name}`} onClick={remove}>
        ×
      </button>
    </li>
  );
}

export function PromoForm({ error }: { error: unknown }) {
  const [text, setText] = useState(promoCode.value);
  const problem = problemOf(error, 'promoCode');
  return (
    <form
      class="promo"
      onSubmit={(event) => {
        event.preventDefault();
        applyPromoCode(text);
      }}
    >
      <label for="promo">Promo code</label>
      <div class="joined">
        <input
          id="promo"
          value={text}
          placeholder="WELCOME10"
          autocomplete="off"
          aria-invalid={problem ? true : undefined}
          aria-describedby="promo-problem"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="quiet">
          Apply
        </button>
      </div>
      <p id="promo-problem" class="field-error" role="alert">
        {problem}
      </p>
    </form>
  );
}

export function Sums({ quote, isLoading }: { quote: Quote | null | undefined; isLoading: boolean }) {
  if (!quote) return <div class="sums skeleton" aria-hidden="true" />;
  return <SumRows {...quote} isLoading={isLoading} />;
}

type SumProps = Pick<Quote, 'display' | 'currency' | 'taxLines' | 'taxExempt' | 'lines' | 'shippingMethodId'> & {
  isLoading?: boolean;
};

export function SumRows({ isLoading = false, ...price }: SumProps) {
  const { display, currency, taxExempt, lines, shippingMethodId } = price;
  const { taxIncluded, subtotal, discount, shipping, total } = display;
  const items = lines.reduce((sum, { totalPrice }) => sum + totalPrice, 0);
  const isShipped = lines.some(({ requiresShipping }) => requiresShipping);
  const taxes = taxRows(price);
  return (
    <>
      <dl class="sums" aria-busy={isLoading}>
        <Sum name="Subtotal" text={money(taxExempt ? items : subtotal, currency)} />
        {taxExempt && items > subtotal && <Sum name="VAT (reverse charge)" text={money(subtotal - items, currency)} />}
        {discount > 0 && <Sum name="Discount" text={money(-discount, currency)} />}
        {isShipped && (
          <Sum
            name="Shipping"
            text={shipping > 0 ? money(shipping, currency) : shippingMethodId === null ? '–' : 'Free'}
          />
        )}
        {!taxIncluded && taxes.map(({ name, amount }) => <Sum key={name} name={name} text={money(amount, currency)} />)}
        {/* Announced when a promo code or a quantity changes it. */}
        <div class="total" aria-live="polite" aria-atomic="true">
          <dt>Total</dt>
          <dd>{money(total, currency)}</dd>
        </div>
      </dl>
      {taxIncluded &&
        taxes.map(({ name, amount }) => (
          <p key={name} class="quiet small sums-note">
            Includes {money(amount, currency)} {name}
          </p>
        ))}
      {taxExempt === 'REVERSE_CHARGE' && <p class="quiet small sums-note">Reverse charge: the customer owes the VAT</p>}
    </>
  );
}

const Sum = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

/** One row per rate, as on an invoice. */
function taxRows({ display: { taxIncluded, tax }, taxLines, taxExempt }: SumProps): { name: string; amount: number }[] {
  const isPlain = taxLines.length === 0 || taxLines.every(({ name }) => name === 'Tax');
  if (isPlain)
    return tax === 0 && (taxIncluded || taxExempt) ? [] : [{ name: taxIncluded ? 'VAT' : 'Tax', amount: tax }];
  return taxLines
    .filter(({ amount }) => amount > 0)
    .map(({ name, bps, amount }) => ({ name: name.includes('%') ? name : `${name} ${bps / 100}%`, amount }));
}
