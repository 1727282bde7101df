import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool } from '../../src/db/pool.ts';
import { type Bench, plainLine, type Row, ratioLine } from '../types.ts';
import { bearer } from './accounts.ts';
import { seedProducts } from './catalog.ts';

const SIZES = ['small', 'medium', 'large'];

export const checkoutInput = ({ shop }: Bench, productId: string, variantId: string) => ({
  businessId: shop.businessId,
  market: 'us',
  paymentMethod: 'CREDIT_CARD' as const,
  shippingMethodId: 'standard',
  items: [{ productId, variantId, quantity: 1 }],
});

const checkoutOf = (bench: Bench, productId: string, variantId: string) => ({
  method: 'POST',
  path: `/v1/businesses/${bench.shop.businessId}/orders/checkout`,
  headers: bearer(bench.shop.guestToken),
  body: checkoutInput(bench, productId, variantId),
});

export const checkout: Row = {
  name: 'checkout',
  async run(bench) {
    const ids = await seedProducts(bench);
    await seedBareStock(bench, ids);
    const lines = ids.flatMap((id) => SIZES.map((size) => [id, size] as const));
    const result = await bench.compare(
      { server: 'souk', requests: lines.map(([id, size]) => checkoutOf(bench, id, size)) },
      {
        server: 'bare',
        requests: lines.map(([id, size]) => ({
          method: 'POST',
          path: `/checkout/${bench.shop.businessId}`,
          body: { productId: id, variantId: size, quantity: 1 },
        })),
      },
    );
    return [ratioLine('Checkout, distinct variants', 0.5, result)];
  },
};

export const checkoutHot: Row = {
  name: 'checkout-hot',
  async run(bench) {
    const [id] = await seedProducts(bench);
    await bench.measure({ server: 'souk', requests: [checkoutOf(bench, id!, 'small')] });
    const { perSecond, p50, p99, errors } = await bench.measure({
      server: 'souk',
      requests: [checkoutOf(bench, id!, 'small')],
    });
    return [
      plainLine({
        operation: 'Checkout, one hot variant',
        ours: `${Math.round(perSecond)}/s`,
        p50: `${p50.toFixed(1)} ms`,
        p99: `${p99.toFixed(1)} ms`,
        memory: `${await bench.memoryMb()} MB`,
        goal: '≥ 200/s',
        met: perSecond >= 200 && errors === 0,
      }),
    ];
  },
};

/** A minimal version of the schema: a stock row per variant and a table of orders. */
export async function seedBareStock({ pool, shop }: Bench, ids: string[]): Promise<void> {
  await pool.text(`
    create table if not exists bare_stock (
      business_id text, product_id text, variant_id text, quantity bigint check (quantity >= 0),
      primary key (business_id, product_id, variant_id));
    create table if not exists bare_orders (business_id text, id text, doc jsonb, primary key (business_id, id))`);
  await pool`
    insert into bare_stock select ${shop.businessId}, id, size, 1000000
    from unnest(${ids}::text[]) as id, unnest(${SIZES}::text[]) as size on conflict do nothing`;
}

export function bareOrders(app: FastifyInstance, pool: Pool): void {
  app.post('/checkout/:businessId', async (request) => {
    const { businessId } = request.params as { businessId: string };
    const { productId, variantId, quantity } = request.body as Record<string, string>;
    const id = randomUUID();
    await pool.transaction(async (tx) => {
      await tx`update bare_stock set quantity = quantity - ${quantity!} where business_id = ${businessId}
        and product_id = ${productId!} and variant_id = ${variantId!} and quantity >= ${quantity!}`;
      await tx`insert into bare_orders values (${businessId}, ${id}, ${tx.json(request.body as never)})`;
    });
    return { orderId: id };
  });
}
