import type { Json } from '../harness.ts';

/** Creates a product and an order for it. `make` posts with sufficient permissions. */
export async function makeOrder(make: <P extends string>(path: P, body: object) => Promise<Json>, customerId: string) {
  const markets = [{ marketId: 'us', currency: 'usd', price: 0 }];
  const product = await make('/products', { name: 'Shirt', variants: [{ id: 'm', pricing: { markets } }] });
  const lines = [{ type: 'PRODUCT_VARIANT', productId: product.id, variantId: 'm', quantity: 1 }];
  const order = await make('/orders', { customerId, market: 'us', currency: 'usd', lines });
  return { productId: product.id as string, orderId: order.id as string };
}
