/** The API client, and state shared by all pages. */
import { computed, signal } from '@preact/signals';
import {
  type Business,
  browserStorage,
  createClient,
  formatMoney,
  type Page,
  type Product,
  priceIn,
  type Tokens,
  type Variant,
} from '@souk/client';

const root = document.getElementById('app')!;
const BUSINESS = 'shop.business';
const requestedBusiness = new URL(location.href).searchParams.get('business');
if (requestedBusiness) sessionStorage.setItem(BUSINESS, requestedBusiness);
/** The demo's business, or the one in the URL that opened this tab: `/shop?business=biz_…`. */
const businessId = sessionStorage.getItem(BUSINESS) ?? root.dataset.business!;
export const isDemo = businessId === root.dataset.business;
/** A storage key of this shop. */
export const keyOf = (name: string) => (isDemo ? `shop.${name}` : `shop.${name} ${businessId}`);

/** Visitors are guests until they log in. Pages retry by themselves, so calls can give up early. */
export const souk = createClient({
  baseUrl: '',
  businessId,
  guest: true,
  storage: browserStorage({ key: 'shop.session' }),
  tries: 3,
});

/** The logged-in customer, or null for guests. Follows logins and logouts in other tabs. */
export const account = signal<Tokens | null>(null);
const accept = (tokens: Tokens | null) => {
  account.value = tokens && !tokens.isGuest ? tokens : null;
};
souk.session.onChange(accept);
souk.session.tokens().then(accept);

export const business = signal<Business | null>(null);
export const loadBusiness = async () => {
  business.value ??= await souk.businesses.get(businessId);
};

export const markets = computed(() => business.value?.configs.markets ?? []);
const requestedMarket = signal(localStorage.getItem(keyOf('market')) ?? 'us');
/** The chosen market, or the shop's first one. */
export const marketId = computed(
  () => (markets.value.find(({ id }) => id === requestedMarket.value) ?? markets.value[0])?.id ?? requestedMarket.value,
);
export const shippingMethods = computed(() =>
  (business.value?.configs.shippingMethods ?? []).filter(({ prices }) =>
    prices.some(({ market }) => market === marketId.value),
  ),
);

export function chooseMarket(id: string): void {
  requestedMarket.value = id;
  localStorage.setItem(keyOf('market'), id);
}

/** Products from lists, so that a product page can show them immediately. */
export const seen = new Map<string, Product>();

export async function listProducts(
  query: Parameters<typeof souk.products.list>[0],
  signal: AbortSignal,
  cursor: string | null = null,
): Promise<Page<Product>> {
  const page = await souk.products.list({ limit: 48, ...query }, { signal }).page(cursor);
  for (const product of page.items) seen.set(product.slug, product);
  return page;
}

export const money = (amount: number, currency: string) => formatMoney(amount, currency, 'en');

export const isAvailable = ({ inventory, ...variant }: Variant) =>
  priceIn(variant, marketId.value) !== undefined && (!inventory.tracked || inventory.quantity > 0);

export const firstAvailable = ({ variants }: Product) => variants.find(isAvailable);

/** Undefined if the product has no image. */
export const imageOf = (product: Product | undefined) => product?.gallery[0]?.url;

/** The names of the options and their values; null if the attributes of the variants don't tell them apart. */
export function optionsOf({ variants }: Product): { name: string; values: string[] }[] | null {
  const names = variants[0]?.attributes.map(({ name }) => name) ?? [];
  const combinations = variants.map((variant) => names.map((name) => attributeOf(variant, name)));
  const isComplete =
    names.length > 0 &&
    combinations.every((each) => each.every((value) => value !== undefined)) &&
    new Set(combinations.map((each) => JSON.stringify(each))).size === variants.length;
  if (!isComplete) return null;
  return names.map((name, i) => ({ name, values: [...new Set(combinations.map((each) => each[i]!))] }));
}

export const attributeOf = ({ attributes }: Variant, name: string) =>
  attributes.find((each) => each.name === name)?.value;

/** The variant with this value that has most of the other chosen values, available ones first. */
export function variantWith({ variants }: Product, chosen: Variant | undefined, name: string, value: string) {
  const score = (variant: Variant) =>
    (chosen?.attributes ?? []).filter((each) => each.name !== name && attributeOf(variant, each.name) === each.value)
      .length *
      2 +
    (isAvailable(variant) ? 1 : 0);
  return variants.filter((each) => attributeOf(each, name) === value).sort((a, b) => score(b) - score(a))[0];
}
