import type { FastifyInstance } from 'fastify';
import type { Pool } from '../../src/db/pool.ts';
import { type Bench, type Row, ratioLine } from '../types.ts';
import { bearer } from './accounts.ts';

const PRODUCTS = 1000;

/** 1,000 products of about 2 KB with 3 variants each. Created once and shared by all rows. */
export async function seedProducts({ call, pool, shop }: Bench): Promise<string[]> {
  const known = await pool<{ id: string }[]>`
    select id from products where business_id = ${shop.businessId} and category <> 'cold' order by id limit ${PRODUCTS}`;
  if (known.length >= PRODUCTS) return known.map(({ id }) => id);
  const numbers = Array.from({ length: PRODUCTS }, (_, i) => i);
  const ids: string[] = [];
  while (numbers.length > 0) {
    const batch = numbers
      .splice(0, 8)
      .map((i) => call<{ id: string }>('POST', `/v1/businesses/${shop.businessId}/products`, { body: productBody(i) }));
    for (const { id } of await Promise.all(batch)) ids.push(id);
  }
  await pool`analyze`;
  return ids;
}

export const productGet: Row = {
  name: 'product-get',
  async run(bench) {
    const ids = await seedProducts(bench);
    const { businessId, guestToken } = bench.shop;
    const result = await bench.compare(
      {
        server: 'souk',
        requests: ids.map((id) => ({
          method: 'GET',
          path: `/v1/businesses/${businessId}/products/${id}`,
          headers: bearer(guestToken),
        })),
      },
      { server: 'bare', requests: ids.map((id) => ({ method: 'GET', path: `/products/${businessId}/${id}` })) },
    );
    return [ratioLine('GET one product', 0.75, result)];
  },
};

/** The end-to-end cost of a single request, which shares no write or wake-up, compared with the unmodified driver. */
export const productOne: Row = {
  name: 'product-one',
  async run(bench) {
    const ids = await seedProducts(bench);
    const { businessId, guestToken } = bench.shop;
    const result = await bench.compare(
      {
        server: 'souk',
        connections: 1,
        requests: ids.map((id) => ({
          method: 'GET',
          path: `/v1/businesses/${businessId}/products/${id}`,
          headers: bearer(guestToken),
        })),
      },
      {
        server: 'bare',
        connections: 1,
        requests: ids.map((id) => ({ method: 'GET', path: `/purchase/products/${businessId}/${id}` })),
      },
    );
    return [ratioLine('GET one product, one request at a time', 0.6, result)];
  },
};

export const productList: Row = {
  name: 'product-list',
  async run(bench) {
    await seedProducts(bench);
    const { businessId, guestToken } = bench.shop;
    const path = `/v1/businesses/${businessId}/products?limit=20`;
    const result = await bench.compare(
      { server: 'souk', requests: [{ method: 'GET', path, headers: bearer(guestToken) }] },
      { server: 'bare', requests: [{ method: 'GET', path: `/products/${businessId}` }] },
    );
    return [ratioLine('GET list of 20 products', 0.75, result)];
  },
};

const COLD_PRODUCTS = 6000;

/** More products than fit in the cache, requested in turn, so that none is cached. */
export const productCold: Row = {
  name: 'product-cold',
  async run(bench) {
    const { businessId, guestToken } = bench.shop;
    const ids = await seedColdProducts(bench);
    const get = (path: string) => ({ method: 'GET', path, headers: bearer(guestToken) });
    const one = await bench.compare(
      { server: 'souk', requests: ids.map((id) => get(`/v1/businesses/${businessId}/products/${id}`)) },
      { server: 'bare', requests: ids.map((id) => ({ method: 'GET', path: `/products/${businessId}/${id}` })) },
    );
    const pages = Array.from({ length: ids.length / 20 }, (_, i) => ids.slice(20 * i, 20 * i + 20));
    const list = await bench.compare(
      { server: 'souk', requests: pages.map((page) => get(`/v1/businesses/${businessId}/products?ids=${page}`)) },
      { server: 'bare', requests: [{ method: 'GET', path: `/products/${businessId}` }] },
    );
    return [
      ratioLine('GET one product, not in memory', 0.5, one),
      ratioLine('GET list of 20 products, not in memory', 0.3, list),
    ];
  },
};

/** Copies of one of the other products, which appear in no list. */
async function seedColdProducts(bench: Bench): Promise<string[]> {
  const [first] = await seedProducts(bench);
  const { businessId } = bench.shop;
  const rows = await bench.pool<{ id: string }[]>`
    insert into products (business_id, id, slug, status, category, name_key, created_at, doc)
    select business_id, 'prod_' || lpad(n::text, 26, '0'), 'cold-' || n, status, 'cold', name_key, created_at, doc
    from products, generate_series(1, ${COLD_PRODUCTS}::int) n where business_id = ${businessId} and id = ${first}
    on conflict do nothing returning id`;
  await bench.pool`
    insert into stock (business_id, product_id, variant_id, tracked, quantity)
    select s.business_id, p.id, s.variant_id, s.tracked, s.quantity from products p, stock s
    where p.business_id = ${businessId} and p.category = 'cold' and s.business_id = ${businessId} and s.product_id = ${first}`;
  await bench.pool`analyze`;
  return rows.map(({ id }) => id);
}

export function bareCatalog(app: FastifyInstance, pool: Pool): void {
  app.get('/products/:businessId/:id', async (request, reply) => {
    const { businessId, id } = request.params as { businessId: string; id: string };
    const [row] = await pool`select doc::text as doc from products where business_id = ${businessId} and id = ${id}`;
    return reply.type('application/json').send(row!.doc);
  });
  app.get('/products/:businessId', async (request, reply) => {
    const { businessId } = request.params as { businessId: string };
    const rows = await pool`
      select doc::text as doc from products where business_id = ${businessId} and status = 'ACTIVE' order by id desc limit 20`;
    return reply.type('application/json').send(`{"items":[${rows.map((row) => row.doc).join(',')}],"cursor":null}`);
  });
}

export function productBody(i: number) {
  return {
    name: `Product ${i} ${WORDS[i % WORDS.length]}`,
    description: `${WORDS.join(' ')} `.repeat(8),
    category: `category-${i % 10}`,
    gallery: [{ id: 'main', url: `https://example.com/products/${i}.jpg`, mimeType: 'image/jpeg' }],
    variants: ['small', 'medium', 'large'].map((size, v) => ({
      id: size,
      name: size,
      sku: `SKU-${i}-${size}`,
      attributes: [{ name: 'size', value: size }],
      pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1000 + i + v * 100, compareAtPrice: 5000 + i }] },
      inventory: { tracked: true, quantity: 1_000_000 },
    })),
  };
}

const WORDS = ['linen', 'copper', 'walnut', 'ceramic', 'indigo', 'saffron', 'wool', 'brass', 'olive', 'marble'];
