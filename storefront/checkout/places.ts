/** The countries that the shop delivers to. */
import type { Business, ShippingMethod } from '@souk/client';
import type { Site } from '../page.ts';
import { countryName } from './address-lines.ts';

const methodsOf = ({ configs }: Business) => configs.shippingMethods ?? [];

const isCarrier = ({ zones = [], prices }: ShippingMethod) => zones.length === 0 && prices.length === 0;

function countriesOf(method: ShippingMethod, market: string, all: readonly string[]): readonly string[] {
  const { type, zones = [], countries = [], prices } = method;
  if (type === 'PICKUP') return [];
  if (zones.length > 0) {
    return zones.filter(({ rates }) => rates.some((rate) => rate.market === market)).flatMap((zone) => zone.countries);
  }
  if (!isCarrier(method) && !prices.some((price) => price.market === market)) return [];
  return countries.length > 0 ? countries : all;
}

/** The countries that the shop delivers to in this market. All countries if it has no shipping methods. */
function servedIn({ business }: Site, market: string, all: readonly string[]): readonly string[] {
  const methods = methodsOf(business);
  return methods.length === 0 ? all : methods.flatMap((method) => countriesOf(method, market, all));
}

/** Whether any shipping method costs money in the current market. Only the checkout knows the rates of carriers. */
export const chargesShipping = ({ business, market }: Site): boolean =>
  methodsOf(business).some(
    (method) =>
      isCarrier(method) ||
      [...method.prices, ...(method.zones ?? []).flatMap(({ rates }) => rates)].some(
        (price) => price.market === market.id && price.amount > 0,
      ),
  );

/** The countries that the shop delivers to in any market, by name. */
export function servedCountries(site: Site, all: readonly string[]): string[] {
  const markets = [site.market.id, ...site.markets.map(({ id }) => id)];
  return sorted(
    markets.flatMap((id) => [...servedIn(site, id, all)]),
    site.locale,
  );
}

export const sorted = (codes: readonly string[], locale: string) =>
  [...new Set(codes)].sort((a, b) => countryName(a, locale).localeCompare(countryName(b, locale), locale));

/** The initial country: the market's, or else the business's, or else the language's. */
export function homeCountry(site: Site, all: readonly string[]): string {
  const served = servedIn(site, site.market.id, all);
  const { countries = [] } = site.business.configs.markets?.find(({ id }) => id === site.market.id) ?? {};
  const own = site.business.configs.profile?.address?.country;
  const region = new Intl.Locale(site.locale.replace('_', '-')).maximize().region ?? '';
  const wanted = [...countries, ...(own ? [own] : []), region];
  return wanted.find((country) => served.includes(country)) ?? served[0] ?? wanted[0]!;
}

/** The market to sell in: the current one, unless it doesn't deliver to the country or only another market lists the country. */
export function marketFor(site: Site, country: string, all: readonly string[]): string {
  const markets = (site.business.configs.markets ?? []).filter(({ id }) => servedIn(site, id, all).includes(country));
  const current = markets.find(({ id }) => id === site.market.id);
  const listing = [current, ...markets].find((market) => market?.countries?.includes(country));
  return (listing ?? current ?? markets[0])?.id ?? site.market.id;
}

/** Prefilled for the demo, so that visitors don't have to make up an address. */
const EXAMPLES: Record<string, Record<string, string>> = {
  US: { name: 'Ada Lovelace', street: '1 Market Street', city: 'San Francisco', state: 'CA', zip: '94105' },
  DE: { name: 'Ada Lovelace', street: 'Torstraße 1', zip: '10119', city: 'Berlin' },
};
export const EXAMPLE_EMAIL = 'you@example.com';

export const exampleIn = ({ demo }: Site, country: string) => ({ ...(demo && EXAMPLES[country]), country });
