/** The client of this shop, and what all of its pages share. */
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
const wantedBusiness = new URL(location.href).searchParams.get('business');
if (wantedBusiness) sessionStorage.setItem(BUSINESS, wantedBusiness);
/** The demo's, or the one that this tab was opened for with `/shop?business=biz_…`. */
export const businessId = sessionStorage.getItem(BUSINESS) ?? root.dataset.business!;
/** Where the browser remembers something for this shop alone. */
export const keyOf = (name: string) =>
  businessId === root.dataset.business ? `shop.${name}` : `shop.${name} ${businessId}`;

/** Everybody is a guest until they log in. The page goes on trying by itself, so that a call may give up early. */
export const souk = createClient({
  baseUrl: '',
  businessId,
  guest: true,
  storage: browserStorage({ key: 'shop.session' }),
  tries: 3,
});

/** Who is logged in; guests are null. Another tab's log-in or log-out counts here too. */
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
const wantedMarket = signal(localStorage.getItem(keyOf('market')) ?? 'us');
/** The chosen one, or the first that the shop has. */
export const marketId = computed(
  () => (markets.value.find(({ id }) => id === wantedMarket.value) ?? markets.value[0])?.id ?? wantedMarket.value,
);
export const shippingMethods = computed(() =>
  (business.value?.configs.shippingMethods ?? []).filter(({ prices }) =>
    prices.some(({ market }) => market === marketId.value),
  ),
);

export function chooseMarket(id: string): void {
  wantedMarket.value = id;
  localStorage.setItem(keyOf('market'), id);
}

/** What lists have shown, so that a product's page is there at once. */
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

export const pictureOf = (product: Product | undefined) => product?.gallery[0]?.url ?? '/pages/icon.svg';
