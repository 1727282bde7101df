import { isSoukError } from '@souk/client';
import { useState } from 'preact/hooks';
import { cart, cartItems, emptyCart } from '../cart.ts';
import { chooseShipping, placeOrder, promoCode, shippingMethodId, useQuote } from '../checkout.ts';
import { useAction } from '../load.ts';
import { Empty, Field, Problem, ProductImage, problemOf, Title } from '../parts.tsx';
import { address, navigate } from '../router.ts';
import { account, keyOf, marketId, markets, money, shippingMethods } from '../shop.ts';
import { PromoForm, Sums } from './cart.tsx';

/** Prefilled for the demo, so that visitors don't have to make up an address. */
const EXAMPLE = {
  email: 'you@example.com',
  name: 'Ada Lovelace',
  street: '1 Market Street',
  postcode: '94105',
  city: 'San Francisco',
};

type Person = typeof EXAMPLE;
type Typed = Person & { paymentMethod: 'CREDIT_CARD' | 'CASH' };

const FIELDS: {
  name: keyof Person;
  label: string;
  autocomplete: 'email' | 'name' | 'street-address' | 'postal-code' | 'address-level2';
}[] = [
  { name: 'email', label: 'Email', autocomplete: 'email' },
  { name: 'name', label: 'Name', autocomplete: 'name' },
  { name: 'street', label: 'Street address', autocomplete: 'street-address' },
  { name: 'postcode', label: 'Postal code', autocomplete: 'postal-code' },
  { name: 'city', label: 'City', autocomplete: 'address-level2' },
];

export function CheckoutPage() {
  const { data: quote, error, isLoading, reload } = useQuote();
  const [{ paymentMethod, ...person }, change] = useTyped();

  const order = useAction(async () => {
    const input = {
      market: marketId.value,
      email: person.email,
      name: person.name,
      paymentMethod,
      shippingMethodId: shippingMethodId.value,
      items: cartItems(),
      blocks: [
        {
          id: 'address',
          type: 'TEXT' as const,
          value: `${person.name}, ${person.street}, ${person.postcode} ${person.city}`,
        },
      ],
      returnUrl: `${location.origin}/shop/thanks`,
      cancelUrl: `${location.origin}/shop/checkout?cancelled`,
      ...(promoCode.value ? { promoCode: promoCode.value } : {}),
    };
    const { orderId, checkoutUrl } = await placeOrder(input);
    if (checkoutUrl) return location.assign(checkoutUrl);
    emptyCart();
    navigate(`/shop/orders/${orderId}?thanks`);
  });

  if (cart.value.length === 0) {
    return (
      <Empty title="Your cart is empty" text="Add something to your cart to check out." link="Shop all products" />
    );
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
        <Title text="Checkout" />
        {address.value.searchParams.has('cancelled') && (
          <p class="notice" role="status">
            Your payment was canceled. Your cart hasn't changed.
          </p>
        )}
        {!isAboutPromo && <Problem error={shown} {...(order.error ? {} : { retry: reload })} />}
        <fieldset class="person">
          <legend>Shipping address</legend>
          {FIELDS.map(({ name, label, autocomplete }) => (
            <Field
              key={name}
              label={label}
              type={name === 'email' ? 'email' : 'text'}
              autocomplete={autocomplete}
              value={person[name]}
              problem={problemOf(order.error, name)}
              onInput={(value) => change({ [name]: value })}
            />
          ))}
        </fieldset>
        <Shipping />
        <fieldset class="options">
          <legend>Payment</legend>
          <Option
            name="payment"
            checked={paymentMethod === 'CREDIT_CARD'}
            onChoose={() => change({ paymentMethod: 'CREDIT_CARD' })}
            label="Card"
            note="You'll pay on the next page. This is a sandbox, so you won't be charged."
          />
          <Option
            name="payment"
            checked={paymentMethod === 'CASH'}
            onChoose={() => change({ paymentMethod: 'CASH' })}
            label="Cash"
            note="Pay on delivery"
          />
        </fieldset>
      </form>
      <aside class="summary" aria-label="Summary">
        <ul class="mini">
          {cart.value.map(({ productId, variantId, image, name, choice, quantity }) => (
            <li key={`${productId} ${variantId}`}>
              <ProductImage src={image} size={48} />
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
        {account.value === null && <p class="quiet small">You're checking out as a guest.</p>}
      </aside>
    </main>
  );
}

const TYPED = keyOf('checkout');

/** What the customer typed. Kept in this tab, so that it is still there after the payment page, Back or a reload. */
function useTyped() {
  const [typed, setTyped] = useState<Typed>({
    ...EXAMPLE,
    paymentMethod: 'CREDIT_CARD',
    ...JSON.parse(sessionStorage.getItem(TYPED) ?? '{}'),
  });
  const change = (changes: Partial<Typed>) => {
    const next = { ...typed, ...changes };
    sessionStorage.setItem(TYPED, JSON.stringify(next));
    setTyped(next);
  };
  return [typed, change] as const;
}

function Shipping() {
  const market = markets.value.find(({ id }) => id === marketId.value);
  return (
    <fieldset class="options">
      <legend>Shipping method</legend>
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
  return (
    money(amount, currency) +
    (freeAbove === undefined ? '' : `, free on orders of ${money(freeAbove, currency)} or more`)
  );
}

type OptionProps = { name: string; checked: boolean; onChoose: () => void; label: string; note: string };

const Option = ({ name, checked, onChoose, label, note }: OptionProps) => (
  <label class="option">
    <input type="radio" name={name} checked={checked} onChange={onChoose} />
    <span>{label}</span>
    <span class="quiet small">{note}</span>
  </label>
);
