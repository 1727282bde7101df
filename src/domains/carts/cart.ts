/** A cart as it is stored and shown. Pure. */
import type { Address } from '../../shared/schemas.ts';
import { type CartRequest, cartRequestOf, MAX_LINES } from '../pricing/index.ts';
import type { Attribution } from './references.ts';
import type { Cart, CartItem } from './schemas.ts';

/** `unitPrice`: the price when the items or the market last changed, used only in the list of carts. Null if the item has no price. */
type StoredItem = CartItem & { unitPrice: number | null };

export type CartDoc = {
  market: string;
  items: StoredItem[];
  /** The currency of the prices in `items`. */
  currency: string | null;
  shippingAddress: Address | null;
  billingAddress: Address | null;
  pickupLocationId: string | null;
  shippingMethodId: string | null;
  paymentMethod: Cart['paymentMethod'];
  promoCode: string | null;
  locale: string | null;
  /** When the customer asked for a reminder. */
  consentAt: number | null;
  remindedAt: number | null;
  /** Missing from older carts. */
  attribution?: Attribution | null;
};

export type CartRow = {
  businessId: string;
  id: string;
  ownerId: string;
  secretHash: string;
  email: string | null;
  doc: CartDoc;
  orderId: string | null;
  reminderAt: number | null;
  version: number;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
};

/** Counted from the last change. */
const KEPT_SECONDS = 30 * 86_400;
const MAX_QUANTITY = 1_000_000;

export const expiryOf = (nowSeconds: number) => nowSeconds + KEPT_SECONDS;

/** The cart as its owner sees it, without its price. Events have this data. */
export function viewCart(row: CartRow): Omit<Cart, 'quote' | 'problems'> {
  const { businessId, id, email, doc, orderId, createdAt, updatedAt, expiresAt } = row;
  const { currency: _, consentAt, remindedAt: __, items, attribution, ...choices } = doc;
  return {
    id,
    businessId,
    status: orderId === null ? 'OPEN' : 'ORDERED',
    orderId,
    ...choices,
    items: items.map(({ unitPrice: ___, ...item }) => item),
    email,
    reminder: consentAt !== null,
    attribution: attribution ? { sendId: attribution.sendId } : null,
    createdAt,
    updatedAt,
    expiresAt,
  };
}

export const requestOf = ({ doc }: CartRow): CartRequest => cartRequestOf(doc, { forCheckout: false });

type Line = { productId: string; variantId: string; quantity: number };

/** One line per variant. Quantities of the same variant add up. Lines beyond the limit are left out. */
export function combineItems(lines: readonly Line[]): Line[] {
  const combined = new Map<string, Line>();
  for (const { productId, variantId, quantity } of lines) {
    const key = `${productId} ${variantId}`;
    const sum = quantity + (combined.get(key)?.quantity ?? 0);
    combined.set(key, { productId, variantId, quantity: Math.min(sum, MAX_QUANTITY) });
  }
  return [...combined.values()].slice(0, MAX_LINES);
}
