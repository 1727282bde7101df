/** What the customer has chosen for the order to come, and its price. */
import { computed, signal } from '@preact/signals';
import type { Quote } from '@souk/client';
import { basket, basketItems } from './basket.ts';
import { type Loaded, useLoad } from './load.ts';
import { keyOf, marketId, shippingMethods, souk } from './shop.ts';

export const promoCode = signal(sessionStorage.getItem(keyOf('promo')) ?? '');
const wantedShipping = signal('');
/** The chosen method, or the first that the market has. */
export const shippingMethodId = computed(
  () => (shippingMethods.value.find(({ id }) => id === wantedShipping.value) ?? shippingMethods.value[0])?.id,
);
export const chooseShipping = (id: string) => {
  wantedShipping.value = id;
};

export function applyPromoCode(code: string): void {
  promoCode.value = code.trim();
  sessionStorage.setItem(keyOf('promo'), promoCode.value);
}

/** The price of the basket, asked for anew with each change. */
export function useQuote(): Loaded<Quote | null> {
  const inputs = [basket.value, marketId.value, shippingMethodId.value, promoCode.value];
  return useLoad(async (signal) => {
    if (basket.value.length === 0 || !shippingMethodId.value) return null;
    return souk.payments.quote(
      {
        market: marketId.value,
        shippingMethodId: shippingMethodId.value,
        items: basketItems(),
        ...(promoCode.value ? { promoCode: promoCode.value } : {}),
      },
      { signal },
    );
  }, inputs);
}

/** The order that is being paid for: what the way back from the payment leads to. */
type Pending = { orderId: string; checkoutUrl?: string | undefined };
const PENDING = keyOf('pending');
export const readPending = (): Pending | null => JSON.parse(localStorage.getItem(PENDING) ?? 'null');
export const writePending = (pending: Pending) => localStorage.setItem(PENDING, JSON.stringify(pending));
