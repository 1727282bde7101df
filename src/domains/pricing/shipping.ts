/** Finds the price of a shipping method for a cart and an address. Pure. */
import { checkAddress, isCountry } from '../../shared/addresses/index.ts';
import type { Address } from '../../shared/schemas.ts';
import type { Configs, PickupLocation, ShippingMethod, ShippingZone } from '../businesses/index.ts';
import { indexPlaces, type Place, type PlaceIndex } from './addresses/places.ts';
import { isSameText, type ReportError } from './errors.ts';
import type { Cart } from './pricing.ts';
import { defaultPlaceOf, hasTaxRates } from './taxes/taxes.ts';

/** The items to ship. */
export type Parcel = { weight: number; items: number; isShipped: boolean };

type ParcelLine = {
  unitPrice: number;
  quantity: number;
  weight?: number | undefined;
  requiresShipping?: boolean | undefined;
};

export function parcelOf(lines: readonly ParcelLine[]): Parcel {
  const shipped = lines.filter(({ requiresShipping = true }) => requiresShipping);
  return {
    weight: shipped.reduce((sum, { weight = 0, quantity }) => sum + weight * quantity, 0),
    items: lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0),
    isShipped: shipped.length > 0,
  };
}

/** Carrier rates by method, which replace the prices in the table. `amount` is null if the carrier does not serve the address. */
export type CarrierRates = ReadonlyMap<string, { amount: number | null; etaText?: string }>;

type ShippingRequest = {
  shippingMethodId?: string | null | undefined;
  pickupLocationId?: string | null | undefined;
  shippingAddress: Address | null;
  /** A checkout requires a shipping method and, if there are zones, an address. */
  forCheckout: boolean;
  carrierRates?: CarrierRates | undefined;
};

type ChosenShipping = {
  price: Cart['shipping'];
  shippingMethodId: string | null;
  pickupLocationId: string | null;
  /** The pickup location of the order. */
  pickup: Place | null;
};

/** A price in the table of a method. */
type TablePrice = { amount: number; freeAbove?: number | undefined };

export const hasZones = ({ shippingMethods = [] }: Configs) =>
  shippingMethods.some(({ zones = [] }) => zones.length > 0);

const isPickup = ({ type }: ShippingMethod) => type === 'PICKUP';

export function findShipping(
  request: ShippingRequest,
  configs: Configs,
  market: string,
  parcel: Parcel,
  report: ReportError,
): ChosenShipping {
  const { shippingMethods = [] } = configs;
  const none = { price: { amount: 0, taxable: false }, pickupLocationId: null, pickup: null };
  if (shippingMethods.length === 0) return { ...none, shippingMethodId: request.shippingMethodId ?? null };
  if (!parcel.isShipped) return { ...none, shippingMethodId: null };
  const method = shippingMethods.find((each) => each.id === request.shippingMethodId);
  const place = placeOf(request.shippingAddress);
  checkDelivery(request, configs, market, method, report);
  if (!request.shippingMethodId) {
    const inMarket = shippingMethods.some((each) => isSoldIn(each, market));
    if (request.forCheckout && inMarket) report('shippingMethodId', 'REQUIRED', 'shippingMethodId is required.');
    return { ...none, shippingMethodId: null };
  }
  if (!method || !isSoldIn(method, market)) {
    report('shippingMethodId', 'NOT_FOUND', `shippingMethodId does not match a shipping method in market ${market}.`);
    return { ...none, shippingMethodId: null };
  }
  const price = priceOf(method, configs, market, place, parcel, request.carrierRates);
  if (!price && isDeliverable(configs, market, place) && !reportIncomplete(request, [method], market, report)) {
    report('shippingMethodId', 'NOT_AVAILABLE', "This shipping method isn't available for this address or cart.");
  }
  const location = findLocation(request, method, report);
  return {
    price: { amount: 0, ...price, taxable: isTaxable(configs, method) },
    shippingMethodId: method.id,
    pickupLocationId: location?.id ?? null,
    pickup: isPickup(method) ? (placeOf(location?.address) ?? defaultPlaceOf(configs, market)) : null,
  };
}

/** Reports a missing address, and an address that no method delivers to. */
export function checkDelivery(
  request: Pick<ShippingRequest, 'forCheckout' | 'shippingAddress'>,
  configs: Configs,
  market: string,
  method: ShippingMethod | undefined,
  report: ReportError,
): void {
  const { forCheckout, shippingAddress } = request;
  if ((!hasZones(configs) && !method?.carrier) || (method && isPickup(method))) return;
  const place = placeOf(shippingAddress);
  if (shippingAddress === null && forCheckout) report('shippingAddress', 'REQUIRED', 'shippingAddress is required.');
  if (place === null || !isCountry(place.country) || isDeliverable(configs, market, place)) return;
  if (!reportIncomplete(request, configs.shippingMethods ?? [], market, report)) {
    report('shippingAddress.country', 'NOT_DELIVERABLE', "We don't deliver to this address.");
  }
}

/**
 * Whether the address lacks a valid state or postal code that a shipping zone depends on. Reports these fields, unless the checkout has
 * already done so.
 */
function reportIncomplete(
  { forCheckout, shippingAddress }: Pick<ShippingRequest, 'forCheckout' | 'shippingAddress'>,
  methods: readonly ShippingMethod[],
  market: string,
  report: ReportError,
): boolean {
  const isPartOfCountry = ({ countries, states = [], zips = [], rates }: ShippingZone) =>
    countries.includes(shippingAddress?.country ?? '') &&
    states.length + zips.length > 0 &&
    rates.some((rate) => isSameText(rate.market, market));
  if (!methods.some((method) => !isPickup(method) && method.zones?.some(isPartOfCountry))) return false;
  const fields = ['shippingAddress.state', 'shippingAddress.zip'];
  const errors = checkAddress(shippingAddress!, 'shippingAddress').filter(({ field }) => fields.includes(field));
  if (!forCheckout) for (const { field, error, message } of errors) report(field, error, message);
  return errors.length > 0;
}

export type PricedMethod = { method: ShippingMethod; amount: number };

/** The methods that serve the address, with their prices, in the order of the settings. */
export function listShipping(
  configs: Configs,
  market: string,
  address: Address | null,
  parcel: Parcel,
  carrierRates?: CarrierRates,
): PricedMethod[] {
  if (!parcel.isShipped) return [];
  return (configs.shippingMethods ?? []).flatMap((method) => {
    const price = priceOf(method, configs, market, placeOf(address), parcel, carrierRates);
    if (!price) return [];
    const isFree = price.freeAbove !== undefined && parcel.items >= price.freeAbove;
    const { etaText = method.etaText } = carrierRates?.get(method.id) ?? {};
    return [{ method: { ...method, etaText }, amount: isFree ? 0 : price.amount }];
  });
}

const placeOf = (address: Partial<Address> | null | undefined): Place | null =>
  address?.country ? { country: address.country, state: address.state, zip: address.zip } : null;

/** A carrier can serve any market. */
function isSoldIn({ carrier, prices, zones = [] }: ShippingMethod, market: string): boolean {
  const isPriced = (offers: readonly { market: string }[]) => offers.some((offer) => isSameText(offer.market, market));
  return carrier !== undefined || (zones.length > 0 ? zones.some(({ rates }) => isPriced(rates)) : isPriced(prices));
}

/** With `tax.shipping`, all shipping is taxed. */
const isTaxable = (configs: Configs, method: ShippingMethod) =>
  (hasTaxRates(configs) && configs.tax?.shipping !== undefined) || (method.taxable ?? false);

/** Null if the method does not serve the place. Without a place, the price is an estimate for the market. */
function priceOf(
  method: ShippingMethod,
  configs: Configs,
  market: string,
  place: Place | null,
  parcel: Parcel,
  carrierRates?: CarrierRates,
): TablePrice | null {
  const { zones = [], prices } = method;
  const live = carrierRates?.get(method.id);
  if (live) return live.amount === null ? null : { amount: live.amount };
  if (zones.length === 0) {
    const serves = place === null || isPickup(method) || isListed(method, place);
    return (serves && prices.find((price) => isSameText(price.market, market))) || null;
  }
  const index = zonesOf(configs).get(method.id)!;
  const rateIn = (zone: ShippingZone | null) => zone?.rates.find((rate) => isRateFor(rate, market, parcel)) ?? null;
  if (place !== null && !isPickup(method)) return rateIn(index.find(place));
  const defaultPlace = defaultPlaceOf(configs, market);
  return (defaultPlace && rateIn(index.find(defaultPlace))) ?? zones.map(rateIn).find((rate) => rate !== null) ?? null;
}

export const isListed = ({ countries = [] }: ShippingMethod, { country }: Place) =>
  countries.length === 0 || countries.includes(country.toUpperCase());

function isRateFor(rate: ShippingZone['rates'][number], market: string, { weight, items }: Parcel): boolean {
  const { minWeight = 0, maxWeight = weight, minSubtotal = 0, maxSubtotal = items } = rate;
  const isInLimits = minWeight <= weight && weight <= maxWeight && minSubtotal <= items && items <= maxSubtotal;
  return isInLimits && isSameText(rate.market, market);
}

/** Whether any method ships to the place, regardless of the cart. */
function isDeliverable(configs: Configs, market: string, place: Place | null): boolean {
  if (place === null || !hasZones(configs)) return true;
  return (configs.shippingMethods ?? []).some((method) => {
    if (isPickup(method)) return false;
    if (method.carrier) return isListed(method, place);
    const { zones = [], prices } = method;
    const offers = zones.length > 0 ? (zonesOf(configs).get(method.id)!.find(place)?.rates ?? []) : prices;
    return (zones.length > 0 || isListed(method, place)) && offers.some((offer) => isSameText(offer.market, market));
  });
}

function findLocation(
  { pickupLocationId, forCheckout }: ShippingRequest,
  method: ShippingMethod,
  report: ReportError,
): PickupLocation | null {
  const { locations = [] } = method;
  if (!isPickup(method) || locations.length === 0) return null;
  if (!pickupLocationId) {
    if (locations.length === 1) return locations[0]!;
    if (forCheckout) report('pickupLocationId', 'REQUIRED', 'pickupLocationId is required.');
    return null;
  }
  const location = locations.find(({ id }) => id === pickupLocationId);
  if (!location) {
    report('pickupLocationId', 'NOT_FOUND', 'pickupLocationId does not match a location of the shipping method.');
  }
  return location ?? null;
}

/** The zones of each method, prepared for lookup once per version of the settings. */
const indexes = new WeakMap<object, ReadonlyMap<string, PlaceIndex<ShippingZone>>>();

function zonesOf(configs: Configs): ReadonlyMap<string, PlaceIndex<ShippingZone>> {
  const known = indexes.get(configs);
  if (known) return known;
  const built = new Map(
    (configs.shippingMethods ?? []).map(({ id, zones = [] }) => [
      id,
      indexPlaces(zones.map((zone) => ({ ...zone, value: zone }))),
    ]),
  );
  indexes.set(configs, built);
  return built;
}
