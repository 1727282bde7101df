/** Where the shop delivers, and how addresses are written there. */
import { computed, signal } from '@preact/signals';
import type { AddressFormat, ShippingMethod } from '@souk/client';
import { cartNews } from '../cart.ts';
import { useLoad } from '../load.ts';
import { business, chooseMarket, marketId, markets, souk } from '../shop.ts';
import { exampleIn, type TypedAddress, typed } from './typed.ts';

const methods = computed(() => business.value?.configs.shippingMethods ?? []);

/** The service asked for an address, although its settings don't show why. */
export const isAddressRequired = signal(false);

const isCarrier = ({ zones = [], prices }: ShippingMethod) => zones.length === 0 && prices.length === 0;

/** Whether prices depend on the address: by zones, by tax or by a carrier. Other shops ask for a short address. */
export const usesPlaces = computed(
  () =>
    isAddressRequired.value ||
    methods.value.some((method) => (method.zones ?? []).length > 0 || isCarrier(method)) ||
    business.value?.configs.tax?.origin !== undefined,
);

/** All countries, for methods that ship everywhere and for billing addresses. */
const allCountries = signal<string[]>([]);

export function useAllCountries(): string[] {
  useLoad(
    async (signal) => {
      if (allCountries.value.length > 0 || !usesPlaces.value) return;
      const found = await souk.addressFormats.list({ signal }).take(300);
      allCountries.value = found.map(({ country }) => country);
    },
    [usesPlaces.value],
  );
  return allCountries.value;
}

function countriesOf(method: ShippingMethod, market: string): string[] {
  const { type, zones = [], countries = [], prices } = method;
  if (type === 'PICKUP') return [];
  if (zones.length > 0) {
    return zones.filter(({ rates }) => rates.some((rate) => rate.market === market)).flatMap((zone) => zone.countries);
  }
  if (!isCarrier(method) && !prices.some((price) => price.market === market)) return [];
  return countries.length > 0 ? countries : allCountries.value;
}

const isServedIn = (market: string, country: string) =>
  methods.value.some((method) => countriesOf(method, market).includes(country));

const names = new Intl.DisplayNames('en', { type: 'region' });
export const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code);
export const notDelivered = (code = '') => `We don't deliver to ${countryName(code)} yet.`;
const byName = (a: string, b: string) => countryName(a).localeCompare(countryName(b), 'en');

/** The countries that the shop delivers to in any market. */
export const servedCountries = computed(() =>
  [...new Set(markets.value.flatMap(({ id }) => methods.value.flatMap((method) => countriesOf(method, id))))].sort(
    byName,
  ),
);

/** The country of the market, or else the one of the browser. */
const homeCountry = computed(() => {
  const { countries = [] } = markets.value.find(({ id }) => id === marketId.value) ?? {};
  const region = new Intl.Locale(navigator.language).region ?? '';
  const served = servedCountries.value.filter((country) => isServedIn(marketId.value, country));
  return [...countries, region].find((country) => served.includes(country)) ?? served[0] ?? countries[0] ?? region;
});

export const country = computed(() => {
  const chosen = (typed.value.saved ?? typed.value.shipping).country;
  return chosen && isServedIn(marketId.value, chosen) ? chosen : homeCountry.value;
});

/** Changes to the market of the country, unless the present one delivers there and no other lists it. */
export function shipTo(chosen: string): void {
  const serving = markets.value.filter(({ id }) => isServedIn(id, chosen));
  const current = serving.find(({ id }) => id === marketId.value);
  const listing = [current, ...serving].find((market) => market?.countries?.includes(chosen));
  const market = listing ?? current ?? serving[0];
  if (!market || market === current) return;
  chooseMarket(market.id);
  cartNews.value = `Prices are now in ${market.currency.toUpperCase()}`;
}

export const shippingAddress = computed<TypedAddress>(() => ({
  ...(typed.value.saved ?? { ...exampleIn(country.value), ...typed.value.shipping }),
  country: country.value,
}));

export const billingAddress = computed<TypedAddress>(() => ({ country: country.value, ...typed.value.billing }));

const formats = signal<Record<string, AddressFormat>>({});
export const formatOf = (code: string | undefined): AddressFormat | undefined => formats.value[code ?? ''];

/** The format of the country, or the previous one while it loads, so that the form doesn't jump. */
export function useFormat(code: string | undefined): { format: AddressFormat | undefined; error: unknown } {
  const { data, error } = useLoad(
    async (signal) => {
      if (!code) return undefined;
      const found = formatOf(code) ?? (await souk.addressFormats.get(code, { signal }));
      formats.value = { ...formats.value, [code]: found };
      return found;
    },
    [code],
    formatOf(code),
  );
  return { format: formatOf(code) ?? data, error };
}
