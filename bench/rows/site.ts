import { type Row, ratioLine } from '../types.ts';
import { bearer } from './accounts.ts';
import { seedProducts } from './catalog.ts';

const MAX_P99_MS = 60;

/** Product pages of a storefront, rendered on the server, against the API's response for the same products. */
export const siteProduct: Row = {
  name: 'site-product',
  async run(bench) {
    const ids = await seedProducts(bench);
    const { businessId, guestToken, adminToken } = bench.shop;
    const body = { configs: { storefront: { enabled: true } } };
    const { slug } = await bench.call<{ slug: string }>('PUT', `/v1/businesses/${businessId}`, {
      token: adminToken,
      body,
    });
    const rows = await bench.pool<{ slug: string }[]>`
      select slug from products where business_id = ${businessId} and id = any(${ids})`;
    const result = await bench.compare(
      { server: 'souk', requests: rows.map((row) => ({ method: 'GET', path: `/s/${slug}/products/${row.slug}` })) },
      {
        server: 'souk',
        requests: ids.map((id) => ({
          method: 'GET',
          path: `/v1/businesses/${businessId}/products/${id}`,
          headers: bearer(guestToken),
        })),
      },
    );
    const line = ratioLine('Product page, against the API', 1 / 3, result);
    const { p99 } = result.ours;
    return [{ ...line, goal: `≥ 33 % of the API, p99 < ${MAX_P99_MS} ms`, met: line.met && p99 < MAX_P99_MS }];
  },
};
