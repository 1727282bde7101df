/** How the next order is delivered, and its price. */
import { computed, signal } from '@preact/signals';
import type { PartialAddress, Quote, ShippingOption } from '@souk/client';
import { useRef } from 'preact/hooks';
import { cart, cartItems } from '../cart.ts';
import { type Loaded, useLoad } from '../load.ts';
import { business, keyOf, marketId, shippingMethods, souk } from '../shop.ts';
import { hasState, isZip } from './check-address.ts';
import {
  billingAddress,
  country,
  formatOf,
  shippingAddress,
  useAllCountries,
  useFormat,
  usesPlaces,
} from './countries.ts';
import { type TypedAddress, typed } from './typed.ts';

export const promoCode = signal(sessionStorage.getItem(keyOf('promo')) ?? '');

export function applyPromoCode(code: string): void {
  promoCode.value = code.trim();
  sessionStorage.setItem(keyOf('promo'), promoCode.value);
}

const wantedShipping = signal('');
export const chooseShipping = (id: string) => {
  wantedShipping.value = id;
};
/** In a shop without zones: the chosen shipping method, or the market's first one. */
const methodOfMarket = computed(
  () => (shippingMethods.value.find(({ id }) => id === wantedShipping.value) ?? shippingMethods.value[0])?.id,
);

/** The VAT ID when the customer has left its field, so that half an ID is never looked up. */
export const finishedVatId = signal(typed.value.vatId ?? '');

/** The parts of an address that prices depend on, once they are complete. */
function placeOf(address: TypedAddress): PartialAddress & { isComplete: boolean } {
  const format = formatOf(address.country);
  const { state = '', zip = '' } = address;
  const needs = (name: string) =>
    format?.fields.some((field) => field.name === name && (field.required || name === 'zip'));
  const stateIsKnown = !!format && state !== '' && hasState(format, state);
  const zipIsKnown = !!format && zip !== '' && isZip(format, zip);
  return {
    country: address.country ?? '',
    ...(stateIsKnown ? { state } : {}),
    ...(zipIsKnown ? { zip } : {}),
    isComplete: !!format && (stateIsKnown || !needs('state')) && (zipIsKnown || !needs('zip')),
  };
}

export type Delivery = {
  /** Null in a shop without zones. */
  options: ShippingOption[] | null;
  /** The options to ship, or those to pick up if the customer chose that. */
  offered: ShippingOption[];
  hasPickup: boolean;
  isPickup: boolean;
  /** Whether more of the address is needed to know the options. */
  isOpen: boolean;
  shippingMethodId: string | undefined;
  pickupLocationId: string | undefined;
};

/** The options for the address and the price of the cart, requested again after each change. */
export function usePrice({ isEstimate = false } = {}): Loaded<Quote | null> & { delivery: Delivery } {
  useAllCountries();
  useFormat(usesPlaces.value && !isEstimate ? country.value : undefined);
  const given = isEstimate ? { country: country.value, isComplete: true } : placeOf(shippingAddress.value);
  const known = useRef<typeof given>(null);
  if (isEstimate || formatOf(country.value)) known.current = given;
  const place = known.current;
  const found = useLoad(
    async (signal) => {
      if (cart.value.length === 0 || !usesPlaces.value || !place) return null;
      const { isComplete, ...shippingAddress } = place;
      const cartOf = { market: marketId.value, items: cartItems() };
      const { items } = await souk.payments.listShippingOptions({ ...cartOf, shippingAddress }, { signal });
      if (!isEstimate || items.length > 0) return { items, place: shippingAddress, isComplete };
      // The country alone doesn't say enough.
      const anywhere = await souk.payments.listShippingOptions(cartOf, { signal });
      return { items: anywhere.items, place: null, isComplete };
    },
    [cart.value, marketId.value, usesPlaces.value, JSON.stringify(place)],
  );

  const delivery = deliveryOf(found.data ?? null);
  const { shippingMethodId, pickupLocationId } = delivery;
  const addresses = quotedAddresses(found.data?.place ?? null, delivery);
  const inputs = [found.data ?? null, shippingMethodId, pickupLocationId, promoCode.value, JSON.stringify(addresses)];
  const quote = useLoad(
    async (signal) => {
      if (cart.value.length === 0 || (usesPlaces.value ? !found.data : !shippingMethodId)) return null;
      return souk.payments.quote(
        {
          market: marketId.value,
          items: cartItems(),
          ...(shippingMethodId ? { shippingMethodId } : {}),
          ...(pickupLocationId ? { pickupLocationId } : {}),
          ...(promoCode.value ? { promoCode: promoCode.value } : {}),
          ...addresses,
        },
        { signal },
      );
    },
    usesPlaces.value ? inputs : [cart.value, marketId.value, ...inputs],
  );
  const reload = () => {
    found.reload();
    quote.reload();
  };
  const isLoading = found.isLoading || quote.isLoading;
  return { ...quote, error: found.error ?? quote.error, isLoading, reload, delivery };
}

function deliveryOf(found: { items: ShippingOption[]; isComplete: boolean } | null): Delivery {
  if (!usesPlaces.value) {
    const shippingMethodId = methodOfMarket.value;
    const { locations = [] } = shippingMethods.value.find(({ id }) => id === shippingMethodId) ?? {};
    return {
      options: null,
      offered: [],
      hasPickup: false,
      isPickup: false,
      isOpen: false,
      shippingMethodId,
      pickupLocationId: (locations.find(({ id }) => id === typed.value.pickupLocationId) ?? locations[0])?.id,
    };
  }
  const options = found?.items ?? [];
  // Until the options are known, the settings say whether there is a choice, so that the form doesn't jump.
  const hasPickup = (found ? options : (business.value?.configs.shippingMethods ?? [])).some(
    ({ type }) => type === 'PICKUP',
  );
  const isPickup = hasPickup && typed.value.isPickup;
  const offered = options.filter(({ type }) => (type === 'PICKUP') === isPickup);
  const chosen = offered.find((option) => option.shippingMethodId === wantedShipping.value) ?? offered[0];
  const { locations = [] } = chosen ?? {};
  return {
    options: found && options,
    offered,
    hasPickup,
    isPickup,
    isOpen: found !== null && !found.isComplete,
    shippingMethodId: chosen?.shippingMethodId,
    pickupLocationId: (locations.find(({ id }) => id === typed.value.pickupLocationId) ?? locations[0])?.id,
  };
}

/** Addresses that only hold what prices depend on. Without delivery, the address of the customer is the billing address. */
function quotedAddresses(place: PartialAddress | null, { isPickup, shippingMethodId }: Delivery) {
  if (!usesPlaces.value) return {};
  const vat = typed.value.isBusiness && finishedVatId.value ? { vatId: finishedVatId.value } : {};
  const { isComplete: _, ...billing } = placeOf(billingAddress.value);
  const shipping = !isPickup && shippingMethodId ? place : null;
  const isDelivered = isPickup || shipping !== null;
  const payer = isDelivered ? (isBilledApart(isPickup) ? billing : null) : place;
  return {
    ...(shipping ? { shippingAddress: { ...shipping, ...(payer ? {} : vat) } } : {}),
    ...(payer ? { billingAddress: { ...payer, ...vat } } : {}),
  };
}

/** Whether the customer enters a billing address. A business that picks up its order needs one for the invoice. */
export const isBilledApart = (isPickup: boolean) => typed.value.hasBilling || (isPickup && typed.value.isBusiness);
