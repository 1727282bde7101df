/** The basket. It lives in the browser, in all tabs at once, until an order is paid. */
import { computed, signal } from '@preact/signals';
import type { Product, Variant } from '@souk/client';
import { keyOf, pictureOf } from './shop.ts';

export type BasketItem = {
  productId: string;
  variantId: string;
  quantity: number;
  /** What is shown without asking the service. */
  name: string;
  choice: string;
  slug: string;
  picture: string;
};

const KEY = keyOf('basket');
const MOST = 99;

export const basket = signal<BasketItem[]>(read());
export const basketCount = computed(() => basket.value.reduce((sum, { quantity }) => sum + quantity, 0));
/** Said to people after a change. */
export const basketNews = signal('');

function read(): BasketItem[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

addEventListener('storage', ({ key }) => {
  if (key === KEY) basket.value = read();
});

function write(items: BasketItem[]): void {
  basket.value = items;
  localStorage.setItem(KEY, JSON.stringify(items));
}

const isSame = (a: { productId: string; variantId: string }, b: typeof a) =>
  a.productId === b.productId && a.variantId === b.variantId;

export function addToBasket(product: Product, variant: Variant, quantity = 1): void {
  const item = {
    productId: product.id,
    variantId: variant.id,
    quantity,
    name: product.name,
    choice: product.variants.length > 1 ? variant.name : '',
    slug: product.slug,
    picture: pictureOf(product),
  };
  const former = basket.value.find((each) => isSame(each, item));
  if (former) setQuantity(former, former.quantity + quantity);
  else write([...basket.value, item]);
  basketNews.value = `${item.name}${item.choice && `, ${item.choice},`} is in your basket.`;
}

/** With 0 it is taken out. */
export function setQuantity(item: BasketItem, quantity: number): void {
  const next = Math.min(Math.max(0, Math.trunc(quantity) || 0), MOST);
  const items = basket.value.map((each) => (isSame(each, item) ? { ...each, quantity: next } : each));
  write(items.filter((each) => each.quantity > 0));
  if (next === 0) basketNews.value = `${item.name} was taken out.`;
}

export const emptyBasket = () => write([]);

/** The basket as the service takes it. */
export const basketItems = () =>
  basket.value.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));
