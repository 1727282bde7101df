import { isSoukError, type Quote } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { cart, emptyCart } from '../cart.ts';
import { Billing } from '../checkout/billing.tsx';
import { isAddressRequired, usesPlaces } from '../checkout/countries.ts';
import { MarketShipping } from '../checkout/delivery.tsx';
import { Destination } from '../checkout/destination.tsx';
import { Option } from '../checkout/option.tsx';
import { checkOrder, orderInput } from '../checkout/order-input.ts';
import { acceptsTransfer, paymentMethod } from '../checkout/payment-method.ts';
import { placeOrder } from '../checkout/place-order.ts';
import { usePrice } from '../checkout/price.ts';
import { useProblems } from '../checkout/problems.ts';
import { accountEmail, saveAddress, useSaved } from '../checkout/saved.tsx';
import { ShortForm } from '../checkout/short-form.tsx';
import { emailTyped, type, typed } from '../checkout/typed.ts';
import { useAction } from '../load.ts';
import { Empty, Field, Problem, ProductImage, problemOf, Title } from '../parts.tsx';
import { address, navigate } from '../router.ts';
import { account, business, money } from '../shop.ts';
import { PromoForm, Sums } from './cart.tsx';

export function CheckoutPage() {
  const { data: quote, error, isLoading, reload, delivery } = usePrice();
  const saved = useSaved();
  const email = emailTyped(accountEmail());
  const isShipped = quote?.lines.some(({ requiresShipping }) => requiresShipping) ?? true;
  const [attempts, setAttempts] = useState(0);

  const order = useAction(async () => {
    const input = orderInput({ email, delivery, isShipped });
    const { orderId, checkoutUrl } = await placeOrder(input).catch((error) => {
      if (problemOf(error, 'shippingAddress')) isAddressRequired.value = true;
      throw error;
    });
    // The order counts, even if its address can't be saved.
    if (account.value && typed.value.keepsAddress && input.shippingAddress) {
      await saveAddress().catch(() => {});
    }
    if (checkoutUrl) return location.assign(checkoutUrl);
    emptyCart();
    navigate(`/shop/orders/${orderId}?thanks`);
  });
  const problems = useProblems(order.error);
  useEffect(() => {
    document.querySelector<HTMLElement>('#order [aria-invalid="true"]')?.focus();
  }, [attempts, order.error]);

  async function submit(): Promise<void> {
    const found = usesPlaces.value ? checkOrder({ email, delivery, isShipped }) : {};
    problems.replace(found);
    if (Object.keys(found).length === 0) await order.run();
    setAttempts((before) => before + 1);
  }

  if (cart.value.length === 0) {
    return (
      <Empty title="Your cart is empty" text="Add something to your cart to check out." link="Shop all products" />
    );
  }
  const shown = order.error ?? error;
  return (
    <main id="main" class="with-summary checkout">
      <form
        id="order"
        noValidate={usesPlaces.value}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Title text="Checkout" />
        {address.value.searchParams.has('cancelled') && (
          <p class="notice" role="status">
            Your payment was canceled. Your cart hasn't changed.
          </p>
        )}
        {!isAtField(shown) && <Problem error={shown} {...(order.error ? {} : { retry: reload })} />}
        <fieldset>
          <legend>Contact</legend>
          <Field
            label="Email"
            type="email"
            autocomplete="email"
            value={email}
            problem={problems.of('email')}
            hint={account.value === null && <LogIn />}
            onInput={(text) => {
              problems.set('email', undefined);
              type({ email: text });
            }}
          />
        </fieldset>
        {!business.value && <div class="skeleton fields" aria-hidden="true" />}
        {business.value && !usesPlaces.value && (
          <>
            <ShortForm error={order.error} />
            <MarketShipping delivery={delivery} />
          </>
        )}
        {usesPlaces.value && (
          <Destination
            delivery={delivery}
            isLoading={isLoading}
            isShipped={isShipped}
            problems={problems}
            saved={saved}
          />
        )}
        <fieldset class="options">
          <legend>Payment</legend>
          <Option
            name="payment"
            checked={paymentMethod.value === 'CREDIT_CARD'}
            onChoose={() => type({ paymentMethod: 'CREDIT_CARD' })}
            label="Card"
            note="You'll pay on the next page. This is a sandbox, so you won't be charged."
          />
          <Option
            name="payment"
            checked={paymentMethod.value === 'CASH'}
            onChoose={() => type({ paymentMethod: 'CASH' })}
            label="Cash"
            note="Pay on delivery"
          />
          {acceptsTransfer.value && (
            <Option
              name="payment"
              checked={paymentMethod.value === 'BANK_TRANSFER'}
              onChoose={() => type({ paymentMethod: 'BANK_TRANSFER' })}
              label="Bank transfer"
              note="We'll send you our account details"
            />
          )}
        </fieldset>
        {usesPlaces.value && (
          <Billing isPickup={delivery.isPickup} isShipped={isShipped} quote={quote} problems={problems} />
        )}
      </form>
      <aside class="summary" aria-label="Summary">
        <Items quote={quote} />
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

/** Whether the error is shown at the fields it is about. */
const isAtField = (error: unknown) =>
  isSoukError(error, 'VALIDATION_FAILED') &&
  error.details.length > 0 &&
  error.details.every(({ field }) => /^(promoCode|email|name|(shipping|billing)Address\.\w+)$/.test(field));

const LogIn = () => (
  <>
    Have an account? <a href="/shop/login?checkout">Log in</a>
  </>
);

function Items({ quote }: { quote: Quote | null | undefined }) {
  return (
    <ul class="mini">
      {cart.value.map(({ productId, variantId, image, name, choice, quantity }) => {
        const line = quote?.lines.find((each) => each.productId === productId && each.variantId === variantId);
        return (
          <li key={`${productId} ${variantId}`}>
            <ProductImage src={image} size={56} />
            <span>
              {name}
              <span class="quiet small">{[choice, `Qty ${quantity}`].filter(Boolean).join(', ')}</span>
            </span>
            <span class="amount">{line && quote ? money(line.totalPrice, quote.currency) : '…'}</span>
          </li>
        );
      })}
    </ul>
  );
}
