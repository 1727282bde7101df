/** The visitor's cart. It is stored by the service; the session has its ID and secret. */
import { type Cart, type CartUpdate, type ItemInput, isSoukError } from '@souk/client';
import type { Visit } from '../page.ts';
import { hasChanges } from './changes.ts';

const MAX_TRIES = 5;
export const MAX_QUANTITY = 99;

export const isEmpty = (cart: Cart | null): boolean => cart === null || cart.items.length === 0;

/** The header that proves access to the cart. */
export function withSecret({ session }: Visit): { headers: Record<string, string> } {
  return { headers: session?.cartSecret ? { 'souk-cart-secret': session.cartSecret } : {} };
}

/** The session's cart, open or ordered. */
export async function findCart(visit: Visit) {
  const { cartId } = visit.session ?? {};
  if (!cartId) return null;
  return visit.souk.carts.get(cartId, withSecret(visit)).catch((error) => {
    if (isSoukError(error, 'NOT_FOUND', 'UNAUTHENTICATED')) return null;
    throw error;
  });
}

/** The cart that the visitor can still change: an open one, or one whose order has not been paid yet. */
export async function findOpenCart(visit: Visit) {
  const cart = await findCart(visit);
  if (!cart?.orderId) return cart;
  const order = await visit.souk.orders.get(cart.orderId).catch(() => null);
  const isAwaited = order?.statuses.at(-1)?.status === 'PENDING' && order.paymentMethod === 'CREDIT_CARD';
  return isAwaited ? cart : null;
}

type FoundCart = NonNullable<Awaited<ReturnType<typeof findCart>>>;

/** Changes the cart. An ordered cart stays as it is: the change creates a new one. */
async function write(visit: Visit, cart: FoundCart | null, changes: CartUpdate): Promise<Cart> {
  const souk = await visit.begin();
  const { market, locale } = visit.site;
  const saved =
    cart?.status === 'OPEN'
      ? await souk.carts.update(cart.id, changes, { ...withSecret(visit), ifMatch: cart.etag })
      : await souk.carts.create({ market: market.id, locale, ...(cart && copyOf(cart)), ...changes });
  keepCart(visit, saved);
  return saved;
}

function copyOf({ items, ...cart }: Cart): CartUpdate {
  const { email, shippingAddress, billingAddress, shippingMethodId, pickupLocationId, paymentMethod, promoCode } = cart;
  const choices = {
    email,
    shippingAddress,
    billingAddress,
    shippingMethodId,
    pickupLocationId,
    paymentMethod,
    promoCode,
  };
  return { ...choices, items: items.map(plainItem) };
}

const plainItem = ({ productId, variantId, quantity }: ItemInput): ItemInput => ({ productId, variantId, quantity });

/** Stores the cart in the session. Null removes it. */
export function keepCart(visit: Visit, cart: Cart | null): void {
  const { cartId: _, cartSecret, cartCount: __, ...rest } = visit.session ?? {};
  if (!cart) {
    visit.setSession(Object.keys(rest).length > 0 ? rest : null);
    return;
  }
  const secret = cart.secret ?? (visit.session?.cartId === cart.id ? cartSecret : undefined);
  const cartCount = cart.items.reduce((sum, { quantity }) => sum + quantity, 0);
  visit.setSession({ ...rest, cartId: cart.id, cartSecret: secret, cartCount });
}

/** Repeats a change that lost a race with another tab, based on what that tab saved. */
async function retry<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (attempt === MAX_TRIES || !isSoukError(error, 'PRECONDITION_FAILED', 'CONFLICT')) throw error;
    }
  }
}

/** Changes the items in the cart, or creates one. A change in another tab is never overwritten. */
export const changeItems = (
  visit: Visit,
  change: (items: ItemInput[]) => ItemInput[],
  choices: CartUpdate = {},
): Promise<Cart> =>
  retry(async () => {
    const cart = await findOpenCart(visit);
    const items = change(cart?.items.map(plainItem) ?? []);
    return write(visit, cart, { ...choices, items, market: visit.site.market.id });
  });

/** `soukRef` is the newsletter whose link led here. */
export const addItem = (visit: Visit, item: ItemInput, soukRef: string | null = null) => {
  const add = (items: ItemInput[]) => {
    const others = items.filter((each) => !isSame(each, item));
    const quantity = item.quantity + (items.find((each) => isSame(each, item))?.quantity ?? 0);
    const added = { ...item, quantity: Math.min(quantity, MAX_QUANTITY) };
    return others.length === items.length
      ? [...items, added]
      : items.map((each) => (isSame(each, item) ? added : each));
  };
  return changeItems(visit, add, soukRef ? { soukRef: soukRef.slice(0, 200) } : {});
};

/** A quantity of 0 removes the item. */
export const setQuantity = (visit: Visit, item: ItemInput) =>
  changeItems(visit, (items) =>
    items.map((each) => (isSame(each, item) ? item : each)).filter(({ quantity }) => quantity > 0),
  );

/** Saves checkout choices, unless the cart already has them. Null if there is no cart. */
export const saveChoices = (visit: Visit, choices: CartUpdate): Promise<Cart | null> =>
  retry(async () => {
    const cart = await findOpenCart(visit);
    return cart && hasChanges(cart, choices) ? write(visit, cart, choices) : cart;
  });

/** After a login: merges the browser's cart into the account's cart. */
export async function mergeCarts(visit: Visit): Promise<void> {
  const { cartId } = visit.session ?? {};
  const own = cartId ? { id: cartId } : (await visit.souk.carts.list({ limit: 1 }).take(1))[0];
  if (!own) return;
  const merged = await visit.souk.carts.merge(own.id, withSecret(visit)).catch((error) => {
    if (isSoukError(error, 'NOT_FOUND')) return null;
    throw error;
  });
  keepCart(visit, merged);
}

/** The item of a form. Null if its quantity is not a whole number. */
export function itemOf(form: URLSearchParams): ItemInput | null {
  const [productId, variantId] = [form.get('productId'), form.get('variantId')];
  const quantity = Number.parseFloat(form.get('quantity') ?? '1');
  if (!productId || !variantId || !Number.isInteger(quantity) || quantity < 0) return null;
  return { productId, variantId, quantity: Math.min(quantity, MAX_QUANTITY) };
}

type Ref = { productId: string; variantId: string };
export const isSame = (a: Ref, b: Ref) => a.productId === b.productId && a.variantId === b.variantId;
