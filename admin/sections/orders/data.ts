/** Loads an order and the records it refers to. */
import type { Customer, Order, OrderLine, PartialAddress, Product } from '@souk/client';
import { type Loaded, useLoad } from '../../parts/load.ts';
import { business, can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export const useOrder = (id: string): Loaded<Order> =>
  useLoad(`order ${id}`, (signal) => souk.orders.get(id, { signal }));

export type Products = ReadonlyMap<string, Product>;

/** The products of the order's items, without deleted ones. */
export function useProducts(order: Order | undefined): Products {
  const ids = [...new Set(order?.lines.map(({ productId }) => productId) ?? [])];
  const { data } = useLoad(`products ${ids.join(' ')}`, async (signal) => {
    if (ids.length === 0) return [];
    return souk.products.list({ ids, limit: 100 }, { signal }).take(ids.length);
  });
  return new Map((data ?? []).map((product) => [product.id, product]));
}

/** The buyer's name in the order, or else the email address. */
export const buyerName = ({
  billingAddress,
  shippingAddress,
  email,
}: Pick<Order, 'billingAddress' | 'shippingAddress' | 'email'>): string =>
  billingAddress?.name || shippingAddress?.name || email || t('orders.guest');

/** The customer record of an order's customer, or null if there is none or the role can't see it. */
export function useCustomer(customerId: string | undefined): Customer | null {
  const { data } = useLoad(`customer of ${customerId}`, async (signal) => {
    if (!customerId || !can('CUSTOMER_READ')) return null;
    // The customer may have no account, and the record may be deleted.
    if (customerId.startsWith('cust_')) return souk.customers.get(customerId, { signal }).catch(() => null);
    const { items } = await souk.customers.list({ userId: customerId, limit: 1 }, { signal }).page();
    return items[0] ?? null;
  });
  return data ?? null;
}

export function lineText(
  products: Products,
  { productId, variantId, name, variantName, sku }: OrderLine,
): { name: string; variant: string; sku: string } {
  const product = products.get(productId);
  const variant = product?.variants.find(({ id }) => id === variantId);
  return {
    name: product?.name ?? (name || t('orders.deletedProduct', { id: productId })),
    variant: product ? (product.variants.length > 1 ? (variant?.name ?? variantId) : '') : variantName,
    sku: variant?.sku ?? sku,
  };
}

export const configs = () => business.value?.configs ?? {};

export const marketName = (id: string) => configs().markets?.find((each) => each.id === id)?.name ?? id;
export const shippingName = (id: string | null) =>
  id === null ? '' : (configs().shippingMethods?.find((each) => each.id === id)?.name ?? id);

/** The pickup location as an address, or null if the order is shipped or the location was removed. */
export function pickupOf({ shippingMethodId, pickupLocationId }: Order): PartialAddress | null {
  const method = configs().shippingMethods?.find(({ id }) => id === shippingMethodId);
  const location = method?.locations?.find(({ id }) => id === pickupLocationId);
  return location ? { ...location.address, name: location.name } : null;
}
