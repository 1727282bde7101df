/** Decides which tax rates apply to a cart. Pure. */
import { isEuMember } from '../../../shared/addresses/index.ts';
import type { Address } from '../../../shared/schemas.ts';
import type { Configs, TaxRate } from '../../businesses/index.ts';
import { indexPlaces, type Place, type PlaceIndex } from '../addresses/places.ts';
import { isSameText } from '../errors.ts';
import { flatTaxes, type Rate, type Taxes } from './tax-amounts.ts';

const STANDARD = 'standard';

type Buyer = {
  shippingAddress: Address | null;
  billingAddress: Address | null;
  /** The pickup location of the order; null if it is shipped. */
  pickup: Place | null;
  /** Whether the customer's VAT ID is valid. */
  vatValid: boolean;
};

/** The tax settings of a business, prepared for lookup once per version of its settings. */
type TaxTable = { byClass: ReadonlyMap<string, PlaceIndex<Rate>>; classes: ReadonlySet<string> };
const tables = new WeakMap<object, TaxTable>();

export const hasTaxRates = ({ taxRates = [] }: Configs) => taxRates.length > 0;

/** A business without tax rates taxes everything at the rate of the market. */
export function taxesOf(configs: Configs, market: { id: string; taxBps: number }, buyer: Buyer): Taxes {
  if (!hasTaxRates(configs)) return flatTaxes(market.taxBps);
  const origin = originOf(configs);
  const destination = destinationOf(buyer) ?? defaultPlaceOf(configs, market.id);
  const isWithinEu = origin !== null && destination !== null && isInEu(origin) && isInEu(destination);
  const place = isWithinEu && !configs.tax?.oss ? origin : destination;
  const rateOf = rateFinder(tableOf(configs), place);
  const { shipping = 'PROPORTIONAL' } = configs.tax ?? {};
  return {
    rateOf,
    shipping: shipping === 'PROPORTIONAL' ? shipping : rateOf(shipping),
    isReverseCharge: isWithinEu && origin.country !== destination.country && isExempt(buyer, origin),
  };
}

/** The place that the business ships from. */
export function originOf({ tax: { origin } = {} }: Configs): Place | null {
  return typeof origin === 'string' ? { country: origin } : (origin ?? null);
}

/** The destination of the goods. For pickup orders, it is the pickup location. */
const destinationOf = ({ pickup, shippingAddress, billingAddress }: Buyer): Place | null =>
  [pickup, shippingAddress, billingAddress].find((place) => place?.country) ?? null;

/** The destination of a cart without an address: the origin or, if the market does not include it, the market's first country. */
export function defaultPlaceOf(configs: Configs, marketId: string): Place | null {
  const origin = originOf(configs);
  const market = configs.markets?.find(({ id }) => isSameText(id, marketId));
  const [first, ...others] = market?.countries ?? [];
  const isInMarket = origin !== null && [first, ...others].includes(origin.country);
  return first === undefined || isInMarket ? origin : { country: first };
}

const isInEu = ({ country }: Place) => isEuMember(country);

/** The VAT ID of the order. The billing address comes first, because it names the buyer. */
export const vatIdOf = ({ shippingAddress, billingAddress }: Pick<Buyer, 'shippingAddress' | 'billingAddress'>) =>
  billingAddress?.vatId ?? shippingAddress?.vatId ?? null;

/** Greek VAT IDs start with EL. */
export function vatCountryOf(vatId: string): string {
  const prefix = vatId.trim().slice(0, 2).toUpperCase();
  return prefix === 'EL' ? 'GR' : prefix;
}

function isExempt(buyer: Buyer, origin: Place): boolean {
  const vatId = vatIdOf(buyer);
  if (vatId === null || !buyer.vatValid) return false;
  const country = vatCountryOf(vatId);
  return isEuMember(country) && country !== origin.country;
}

/** A class that no longer exists is taxed as `standard`. A class without a rate at this place is not taxed. */
function rateFinder({ byClass, classes }: TaxTable, place: Place | null): Taxes['rateOf'] {
  const none: Rate = { name: 'No tax', bps: 0, country: place?.country };
  const found = new Map<string, Rate>();
  const find = (classId: string) => (place === null ? null : byClass.get(classId)?.find(place)) ?? none;
  return (taxClassId = STANDARD) => {
    const classId = classes.has(taxClassId) ? taxClassId : STANDARD;
    const rate = found.get(classId) ?? find(classId);
    found.set(classId, rate);
    return rate;
  };
}

function tableOf(configs: Configs): TaxTable {
  const known = tables.get(configs);
  if (known) return known;
  const { taxRates = [], taxClasses = [] } = configs;
  const rates = new Map<string, Rate>();
  const table = {
    byClass: new Map(
      [...Map.groupBy(taxRates, ({ classId }) => classId)].map(([classId, each]) => [
        classId,
        indexPlaces(each.map((rate) => ({ ...rate, countries: [rate.country], value: shareRate(rates, rate) }))),
      ]),
    ),
    classes: new Set([STANDARD, ...taxClasses.map(({ id }) => id)]),
  };
  tables.set(configs, table);
  return table;
}

/** Rates of several classes with the same name, country and percentage are one rate. */
function shareRate(rates: Map<string, Rate>, { name, bps, country }: TaxRate): Rate {
  const key = JSON.stringify([name, bps, country]);
  const rate = rates.get(key) ?? { name, bps, country };
  rates.set(key, rate);
  return rate;
}
