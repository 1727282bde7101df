/** Everything that the checkout shows. */

import type { CartQuote } from '@souk/client';
import { type AddressFormat, type Cart, isSoukError, type PartialAddress, type ShippingOption } from '@souk/client';
import { productsOf, type Shown as ShownProduct } from '../cart/products.ts';
import type { Visit } from '../page.ts';
import type { Formats } from './address-lines.ts';
import { EXAMPLE_EMAIL, exampleIn, homeCountry, servedCountries } from './places.ts';

export type Checkout = {
  cart: Cart;
  products: Record<string, ShownProduct>;
  quote: CartQuote | null;
  isShipped: boolean;
  isPickup: boolean;
  /** Shipping methods that serve the address, and pickup methods. */
  options: ShippingOption[];
  method: ShippingOption | null;
  locationId: string | null;
  countries: string[];
  allCountries: string[];
  address: PartialAddress;
  format: AddressFormat | null;
  /** Null if it is the same as the shipping address. */
  billing: PartialAddress | null;
  billingFormat: AddressFormat | null;
  /** Formats for the saved addresses and the pickup locations. */
  formats: Formats;
  email: string;
  /** As sent with the form. */
  pickupName: string | undefined;
  isLoggedIn: boolean;
  /** The account's addresses that the shop delivers to. */
  saved: PartialAddress[];
  chosen: number | null;
};

export async function listCountries({ souk }: Visit): Promise<string[]> {
  return (await souk.addressFormats.list().take(300)).map(({ country }) => country);
}

export async function findAccount({ souk, session }: Visit) {
  return session?.accessToken && !session.isGuest ? souk.users.me() : null;
}

export const isShippedCart = (cart: Cart) => cart.quote?.lines.some(({ requiresShipping }) => requiresShipping) ?? true;

const SKIPPED = ['NOT_FOUND', 'VALIDATION_FAILED'] as const;

/** The customer's latest input is in the cart, or in `form` if the cart can't store it. */
export async function loadCheckout(visit: Visit, cart: Cart, form?: URLSearchParams): Promise<Checkout> {
  const { site, souk } = visit;
  const [account, allCountries] = await Promise.all([findAccount(visit), listCountries(visit)]);
  const countries = servedCountries(site, allCountries);
  const isShipped = isShippedCart(cart);
  const saved = (account?.addresses ?? []).filter(({ country = '' }) => countries.includes(country));
  const home = homeCountry(site, allCountries);
  const stored = isShipped ? cart.shippingAddress : cart.billingAddress;
  const isNew = stored === null && cart.shippingMethodId === null;
  const address = stored ?? (isNew ? saved[0] : undefined) ?? exampleIn(site, home);
  const options = isShipped ? await listOptions(visit, cart, address) : [];
  const wanted = options.find(({ shippingMethodId }) => shippingMethodId === cart.shippingMethodId);
  const isPickup = form?.has('delivery') ? form.get('delivery') === 'pickup' : wanted?.type === 'PICKUP';
  const offered = options.filter(({ type }) => (type === 'PICKUP') === isPickup);
  const method = offered.find((each) => each === wanted) ?? offered[0] ?? null;
  const locationId =
    (method?.locations?.find(({ id }) => id === cart.pickupLocationId) ?? method?.locations?.[0])?.id ?? null;
  const billing = billingOf(cart, { isShipped, isPickup, country: address.country ?? home }, form);
  const quote = await findQuote(visit, cart, { address, billing, method, locationId, isShipped, isPickup });
  const locations = options.flatMap((option) => option.locations ?? []);
  const [format, billingFormat, formats, products] = await Promise.all([
    findFormat(visit, address.country),
    billing ? findFormat(visit, billing.country) : null,
    findFormats(visit, [...saved, ...locations.map((location) => location.address)]),
    productsOf(souk, cart.items),
  ]);
  return {
    cart,
    products,
    quote,
    isShipped,
    isPickup,
    options,
    method,
    locationId,
    countries,
    allCountries,
    address,
    format,
    billing,
    billingFormat,
    formats,
    saved,
    chosen: indexOf(saved, address),
    email: form?.get('email') ?? cart.email ?? account?.email ?? (site.demo ? EXAMPLE_EMAIL : ''),
    pickupName: form?.get('name') ?? undefined,
    isLoggedIn: account !== null,
  };
}

type BillingFacts = { isShipped: boolean; isPickup: boolean; country: string };

function billingOf(cart: Cart, { isShipped, isPickup, country }: BillingFacts, form?: URLSearchParams) {
  if (!isShipped || isPickup) return null;
  const isOther = form?.has('billing') ? form.get('billing') === 'other' : cart.billingAddress !== null;
  return isOther ? (cart.billingAddress ?? { country }) : null;
}

const indexOf = (saved: readonly PartialAddress[], { street, zip, name }: PartialAddress) => {
  const found = saved.findIndex((each) => each.street === street && each.zip === zip && each.name === name);
  return found < 0 ? null : found;
};

export async function findFormat({ souk, site }: Visit, country = ''): Promise<AddressFormat | null> {
  if (!/^[A-Z]{2}$/.test(country)) return null;
  return souk.addressFormats.get(country, { query: { locale: site.locale } }).catch(ignore);
}

/** The formats for the countries in these addresses. */
export async function findFormats(
  visit: Visit,
  addresses: readonly (PartialAddress | null | undefined)[],
): Promise<Formats> {
  const countries = [...new Set(addresses.map((address) => address?.country))];
  const formats = await Promise.all(countries.map((country) => findFormat(visit, country)));
  return Object.fromEntries(formats.flatMap((format) => (format ? [[format.country, format]] : [])));
}

/** The first pickup method. */
export async function firstPickup(visit: Visit, cart: Cart) {
  const options = await listOptions(visit, cart, { country: visit.site.business.configs.profile?.address?.country });
  const found = options.find(({ type }) => type === 'PICKUP');
  return { shippingMethodId: found?.shippingMethodId ?? null, pickupLocationId: found?.locations?.[0]?.id ?? null };
}

async function listOptions({ souk }: Visit, { market, items }: Cart, shippingAddress: PartialAddress) {
  const found = await souk.payments
    .listShippingOptions({ market, items: items.map(plain), shippingAddress })
    .catch(ignore);
  return found?.items ?? [];
}

type Chosen = Pick<Checkout, 'address' | 'billing' | 'method' | 'locationId' | 'isShipped' | 'isPickup'>;

/** The price with the choices that the form shows, even if the cart doesn't have them yet. */
async function findQuote({ souk }: Visit, cart: Cart, chosen: Chosen): Promise<CartQuote | null> {
  const { market, items, promoCode } = cart;
  const isSold = (_: unknown, i: number) => !cart.problems.some(({ field }) => field.startsWith(`items[${i}]`));
  const sold = items.filter(isSold).map(plain);
  if (sold.length === 0) return cart.quote;
  const { address, billing, method, locationId, isShipped, isPickup } = chosen;
  const isCodeRefused = cart.problems.some(({ field }) => field === 'promoCode');
  const quote = await souk.payments
    .quote({
      market,
      items: sold,
      ...(promoCode && !isCodeRefused ? { promoCode } : {}),
      ...(method ? { shippingMethodId: method.shippingMethodId } : {}),
      ...(locationId ? { pickupLocationId: locationId } : {}),
      ...(isShipped && !isPickup ? { shippingAddress: address } : {}),
      ...(billing ? { billingAddress: billing } : isShipped ? {} : { billingAddress: address }),
    })
    .catch(ignore);
  return quote ?? cart.quote;
}

const plain = ({ productId, variantId, quantity }: Cart['items'][number]) => ({ productId, variantId, quantity });

function ignore(error: unknown): null {
  if (isSoukError(error, ...SKIPPED)) return null;
  throw error;
}
