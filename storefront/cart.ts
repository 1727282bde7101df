/** The cart: kept in the browser and shared by all tabs until an order is paid. */
import { computed, signal } from '@preact/signals';
import type { Product, Variant } from '@souk/client';
import { imageOf, keyOf } from './shop.ts';

export type CartItem = {
  productId: string;
  variantId: string;
  quantity: number;
  /** Stored so that the cart can show them without a request. */
  name: string;
  choice: string;
  slug: string;
  image?: string | undefined;
};

const KEY = keyOf('cart');
const MAX_QUANTITY = 99;

export const cart = signal<CartItem[]>(read());
export const cartCount = computed(() => cart.value.reduce((sum, { quantity }) => sum + quantity, 0));
/** The message to announce after a change. */
export const cartNews = signal('');

function read(): CartItem[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

addEventListener('storage', ({ key }) => {
  if (key === KEY) cart.value = read();
});

function write(items: CartItem[]): void {
  cart.value = items;
  localStorage.setItem(KEY, JSON.stringify(items));
}

const isSame = (a: { productId: string; variantId: string }, b: typeof a) =>
  a.productId === b.productId && a.variantId === b.variantId;

export function addToCart(product: Product, variant: Variant, quantity = 1): void {
  const item = {
    productId: product.id,
    variantId: variant.id,
    quantity,
    name: product.name,
    choice: product.variants.length > 1 ? variant.name : '',
    slug: product.slug,
    image: imageOf(product),
  };
  const existing = cart.value.find((each) => isSame(each, item));
  if (existing) setQuantity(existing, existing.quantity + quantity);
  else write([...cart.value, item]);
  cartNews.value = `${item.name}${item.choice && `, ${item.choice},`} added to cart`;
}

/** A quantity of 0 removes the item. */
export function setQuantity(item: CartItem, quantity: number): void {
  const next = Math.min(Math.max(0, Math.trunc(quantity) || 0), MAX_QUANTITY);
  const items = cart.value.map((each) => (isSame(each, item) ? { ...each, quantity: next } : each));
  write(items.filter((each) => each.quantity > 0));
  if (next === 0) cartNews.value = `${item.name} removed from cart`;
}

export const emptyCart = () => write([]);

/** The items as the API expects them. */
export const cartItems = () =>
  cart.value.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));
