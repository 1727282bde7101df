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
export const businessId = root.dataset.business!;

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

export const marketId = signal(localStorage.getItem('shop.market') ?? 'us');
export const markets = computed(() => business.value?.configs.markets ?? []);
export const shippingMethods = computed(() =>
  (business.value?.configs.shippingMethods ?? []).filter(({ prices }) =>
    prices.some(({ market }) => market === marketId.value),
  ),
);

export function chooseMarket(id: string): void {
  marketId.value = id;
  localStorage.setItem('shop.market', id);
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
