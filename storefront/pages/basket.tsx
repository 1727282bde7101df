import { isSoukError, type Quote } from '@souk/client';
import { useState } from 'preact/hooks';
import { type BasketItem, basket, setQuantity } from '../basket.ts';
import { applyPromoCode, promoCode, useQuote } from '../checkout.ts';
import { Empty, Problem, problemOf, Title } from '../parts.tsx';
import { money } from '../shop.ts';

export function BasketPage() {
  const { data: quote, error, isLoading, reload } = useQuote();
  const items = basket.value;
  if (items.length === 0) {
    return (
      <Empty
        title="Your basket is empty"
        text="What you add stays here, also when you close the page."
        link="See everything"
      />
    );
  }
  const isAboutLine = isSoukError(error) && error.details.some(({ field }) => /^(items|lines|promoCode)/.test(field));
  return (
    <main id="main" class="with-summary">
      <div>
        <Title text="Your basket" />
        {!isAboutLine && <Problem error={error} retry={reload} />}
        <ul class="basket">
          {items.map((item, i) => (
            <BasketRow key={`${item.productId} ${item.variantId}`} item={item} index={i} quote={quote} error={error} />
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

type RowProps = { item: BasketItem; index: number; quote: Quote | null | undefined; error: unknown };

function BasketRow({ item, index, quote, error }: RowProps) {
  const line = quote?.lines.find(
    ({ productId, variantId }) => productId === item.productId && variantId === item.variantId,
  );
  const fields = ['items', 'lines'].flatMap((list) =>
    ['', '.quantity', '.variantId', '.productId'].map((end) => `${list}[${index}]${end}`),
  );
  const problem = fields.map((field) => problemOf(error, field)).find(Boolean);
  /** The button goes away with its row: the heading takes the focus. */
  const takeOut = () => {
    setQuantity(item, 0);
    document.querySelector('h1')?.focus();
  };
  return (
    <li>
      <img src={item.picture} alt="" width="96" height="96" />
      <div class="basket-name">
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
      <button type="button" class="icon" aria-label={`Take out ${item.name}`} onClick={takeOut}>
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
          Use
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

type SumProps = Pick<Quote, 'subtotal' | 'discount' | 'shipping' | 'tax' | 'total' | 'currency'> & {
  isLoading?: boolean;
};

export function SumRows({ subtotal, discount, shipping, tax, total, currency, isLoading = false }: SumProps) {
  const rows = [
    ['Items', subtotal],
    ...(discount > 0 ? [['Discount', -discount] as const] : []),
    ['Shipping', shipping],
    ['Tax', tax],
  ] as const;
  return (
    <dl class="sums" aria-busy={isLoading}>
      {rows.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{amount === 0 && name === 'Shipping' ? 'Free' : money(amount, currency)}</dd>
        </div>
      ))}
      {/* What a code or another quantity changes is said aloud. */}
      <div class="total" aria-live="polite" aria-atomic="true">
        <dt>Total</dt>
        <dd>{money(total, currency)}</dd>
      </div>
    </dl>
  );
}
