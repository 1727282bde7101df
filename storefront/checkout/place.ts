/** Places the order for a cart. */
import { type CheckoutResult, isSoukError } from '@souk/client';
import { findCart, keepCart, withSecret } from '../cart/cart.ts';
import type { Redirect, Visit } from '../page.ts';
import { link } from '../site.ts';

const MAX_TRIES = 3;

/**
 * Places the order for the session's cart. The Idempotency-Key contains the version that the cart had before it was ordered, so submitting
 * the form again returns the same order and leads to its payment.
 */
export async function placeOrder(visit: Visit, pickupName?: string): Promise<Redirect> {
  for (let attempt = 1; ; attempt++) {
    const cart = await findCart(visit);
    if (!cart) return { redirect: '/cart', status: 303 };
    try {
      const ordered = Number(cart.etag.replaceAll('"', '')) - (cart.status === 'ORDERED' ? 1 : 0);
      return next(visit, await order(visit, cart, `cart-${cart.id}-${ordered}`, pickupName));
    } catch (error) {
      const now = isSoukError(error, 'CONFLICT') ? await findCart(visit) : null;
      if (now?.orderId && cart.status === 'ORDERED') return { redirect: `/thanks?order=${now.orderId}`, status: 303 };
      if (!now || attempt === MAX_TRIES) throw error;
    }
  }
}

type OpenCart = NonNullable<Awaited<ReturnType<typeof findCart>>>;

function order(visit: Visit, cart: OpenCart, idempotencyKey: string, pickupName?: string): Promise<CheckoutResult> {
  const { site, souk } = visit;
  // The visitor may have changed the language after ordering. A repeated request has to stay the same.
  const locale = site.locales.find((each) => each === cart.locale) ?? site.locale;
  const name = pickupName ?? (cart.shippingAddress ?? cart.billingAddress)?.name;
  return souk.orders.checkout(
    {
      cartId: cart.id,
      market: cart.market,
      paymentMethod: cart.paymentMethod ?? 'CREDIT_CARD',
      ...(name ? { name } : {}),
      locale,
      returnUrl: site.origin + link(site, '/thanks', locale),
      cancelUrl: site.origin + link(site, '/checkout?canceled=1', locale),
    },
    { ...withSecret(visit), idempotencyKey },
  );
}

function next(visit: Visit, { orderId, checkoutUrl }: CheckoutResult): Redirect {
  if (checkoutUrl) return { redirect: checkoutUrl, status: 303 };
  keepCart(visit, null);
  return { redirect: `/thanks?order=${orderId}`, status: 303 };
}
