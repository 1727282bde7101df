import { isSoukError } from '@souk/client';
import { useRef, useState } from 'preact/hooks';
import { basket, basketItems, emptyBasket } from '../basket.ts';
import { chooseShipping, promoCode, shippingMethodId, useQuote, writePending } from '../checkout.ts';
import { useAction } from '../load.ts';
import { Empty, Field, Problem, problemOf, Title } from '../parts.tsx';
import { address, navigate } from '../router.ts';
import { account, marketId, markets, money, shippingMethods, souk } from '../shop.ts';
import { PromoForm, Sums } from './basket.tsx';

/** Filled in, because this is a demo: nobody should have to invent an address to see an order. */
const EXAMPLE = {
  email: 'you@example.com',
  name: 'Ada Lovelace',
  street: '1 Market Street',
  postcode: '94105',
  city: 'San Francisco',
};

type Person = typeof EXAMPLE;

const FIELDS: {
  name: keyof Person;
  label: string;
  autocomplete: 'email' | 'name' | 'street-address' | 'postal-code' | 'address-level2';
}[] = [
  { name: 'email', label: 'E-mail', autocomplete: 'email' },
  { name: 'name', label: 'Name', autocomplete: 'name' },
  { name: 'street', label: 'Street and number', autocomplete: 'street-address' },
  { name: 'postcode', label: 'Postcode', autocomplete: 'postal-code' },
  { name: 'city', label: 'City', autocomplete: 'address-level2' },
];

export function CheckoutPage() {
  const { data: quote, error, isLoading, reload } = useQuote();
  const [person, setPerson] = useState<Person>(EXAMPLE);
  const [paymentMethod, setPaymentMethod] = useState<'CREDIT_CARD' | 'CASH'>('CREDIT_CARD');
  const key = useIdempotencyKey();

  const order = useAction(async () => {
    const input = {
      market: marketId.value,
      email: person.email,
      paymentMethod,
      shippingMethodId: shippingMethodId.value,
      items: basketItems(),
      blocks: [
        { id: 'address', type: 'TEXT', value: `${person.name}, ${person.street}, ${person.postcode} ${person.city}` },
      ],
      returnUrl: `${location.origin}/shop/thanks`,
      cancelUrl: `${location.origin}/shop/checkout?cancelled`,
      ...(promoCode.value ? { promoCode: promoCode.value } : {}),
    };
    const { orderId, checkoutUrl } = await souk.orders.checkout(input, { idempotencyKey: key(input) });
    writePending({ orderId, checkoutUrl });
    if (checkoutUrl) return location.assign(checkoutUrl);
    emptyBasket();
    navigate(`/shop/orders/${orderId}?thanks`);
  });

  if (basket.value.length === 0) {
    return <Empty title="There is nothing to check out" text="Your basket is empty." link="See everything" />;
  }
  const shown = order.error ?? error;
  const isAboutPromo = isSoukError(shown) && shown.detail('promoCode') !== undefined;
  return (
    <main id="main" class="with-summary">
      <form
        id="order"
        onSubmit={(event) => {
          event.preventDefault();
          order.run();
        }}
      >
        <Title text="Check out" />
        {address.value.searchParams.has('cancelled') && (
          <p class="notice" role="status">
            The payment was cancelled. Your basket is as it was.
          </p>
        )}
        {!isAboutPromo && <Problem error={shown} {...(order.error ? {} : { retry: reload })} />}
        <fieldset class="person">
          <legend>Where it goes</legend>
          {FIELDS.map(({ name, label, autocomplete }) => (
            <Field
              key={name}
              label={label}
              type={name === 'email' ? 'email' : 'text'}
              autocomplete={autocomplete}
              value={person[name]}
              problem={problemOf(order.error, name)}
              onInput={(value) => setPerson({ ...person, [name]: value })}
            />
          ))}
        </fieldset>
        <Shipping />
        <fieldset class="options">
          <legend>Payment</legend>
          <Option
            name="payment"
            checked={paymentMethod === 'CREDIT_CARD'}
            onChoose={() => setPaymentMethod('CREDIT_CARD')}
            label="Card"
            note="On the next page; a sandbox, no money moves"
          />
          <Option
            name="payment"
            checked={paymentMethod === 'CASH'}
            onChoose={() => setPaymentMethod('CASH')}
            label="Cash"
            note="When it arrives"
          />
        </fieldset>
      </form>
      <aside class="summary" aria-label="Summary">
        <ul class="mini">
          {basket.value.map(({ productId, variantId, picture, name, choice, quantity }) => (
            <li key={`${productId} ${variantId}`}>
              <img src={picture} alt="" width="48" height="48" />
              <span>
                {quantity > 1 && `${quantity} × `}
                {name}
                {choice && `, ${choice}`}
              </span>
            </li>
          ))}
        </ul>
        <PromoForm error={shown} />
        <Sums quote={quote} isLoading={isLoading} />
        <button type="submit" form="order" class="wide" disabled={order.isBusy || !quote} aria-busy={order.isBusy}>
          Place order
        </button>
        {account.value === null && <p class="quiet small">You order as a guest. No account is needed.</p>}
      </aside>
    </main>
  );
}

/** The same key for the same order: who presses twice, or again after the service was away, orders once. */
function useIdempotencyKey() {
  const last = useRef({ text: '', key: '' });
  return (input: object): string => {
    const text = JSON.stringify(input);
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
    return last.current.key;
  };
}

function Shipping() {
  const market = markets.value.find(({ id }) => id === marketId.value);
  return (
    <fieldset class="options">
      <legend>Shipping</legend>
      {shippingMethods.value.map(({ id, name = id, etaText, prices }) => {
        const price = prices.find((each) => each.market === marketId.value);
        const cost = price && market ? costOf(price, market.currency) : '';
        return (
          <Option
            key={id}
            name="shipping"
            checked={id === shippingMethodId.value}
            onChoose={() => chooseShipping(id)}
            label={name}
            note={[etaText, cost].filter(Boolean).join(' · ')}
          />
        );
      })}
    </fieldset>
  );
}

function costOf({ amount, freeAbove }: { amount: number; freeAbove?: number }, currency: string): string {
  if (amount === 0) return 'Free';
  return money(amount, currency) + (freeAbove === undefined ? '' : `, free from ${money(freeAbove, currency)}`);
}

type OptionProps = { name: string; checked: boolean; onChoose: () => void; label: string; note: string };

const Option = ({ name, checked, onChoose, label, note }: OptionProps) => (
  <label class="option">
    <input type="radio" name={name} checked={checked} onChange={onChoose} />
    <span>{label}</span>
    <span class="quiet small">{note}</span>
  </label>
);
