/** How the cost of a call grows with the size of the business: 1,000,000 records compared with 10,000. */
import { seedEntries } from '../seeds/entries.ts';
import { seedOrders } from '../seeds/orders.ts';
import { seedProducts } from '../seeds/products.ts';
import { type Bench, type Line, type Load, type Measured, plainLine, type Row } from '../types.ts';
import { bearer } from './accounts.ts';
import { productBody } from './catalog.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;

async function newBusiness({ call }: Bench, name: string): Promise<string> {
  return (await call<{ id: string }>('POST', '/v1/businesses', { body: { name } })).id;
}

const reads = ({ shop }: Bench, paths: string[], connections = 8): Load => ({
  server: 'souk',
  connections,
  requests: paths.map((path) => ({ method: 'GET', path, headers: bearer(shop.adminToken) })),
});

/** Measures both sizes alternately, with a new load for each. The goal limits how many times as much a call may cost in the large business. */
async function grow(
  bench: Bench,
  operation: string,
  atMost: number,
  small: () => Load,
  large: () => Load,
): Promise<Line> {
  const [a, b]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < 3; round++) {
    a.push(await bench.measure(small()));
    b.push(await bench.measure(large()));
  }
  const best = (all: Measured[]) => all.reduce((x, y) => (y.perSecond > x.perSecond ? y : x));
  const times = best(a).perSecond / best(b).perSecond;
  return plainLine({
    operation,
    ours: `${Math.round(best(b).perSecond)}/s`,
    bare: `${Math.round(best(a).perSecond)}/s (small)`,
    ratio: `${times.toFixed(2)} ×`,
    p50: `${best(b).p50.toFixed(1)} ms`,
    p99: `${best(b).p99.toFixed(1)} ms`,
    memory: `${await bench.memoryMb()} MB`,
    goal: `≤ ${atMost} ×`,
    met: times <= atMost && [...a, ...b].every(({ errors }) => errors === 0),
  });
}

/** The cursor after this many products. */
async function cursorAt({ call }: Bench, list: string, depth: number): Promise<string> {
  let cursor = '';
  for (let seen = 0; seen < depth; seen += 100) {
    cursor = (await call<{ cursor: string }>('GET', `${list}?limit=100&cursor=${cursor}`)).cursor;
  }
  return cursor;
}

export const largeCatalog: Row = {
  name: 'large-catalog',
  onlyLarge: true,
  async run(bench) {
    const small = await newBusiness(bench, 'Small catalog');
    const large = await newBusiness(bench, 'Large catalog');
    await seedProducts(bench.pool, small, SMALL);
    await seedProducts(bench.pool, large, LARGE);
    const list = (businessId: string) => `/v1/businesses/${businessId}/products`;
    const both = (operation: string, atMost: number, load: (businessId: string) => Load) =>
      grow(
        bench,
        operation,
        atMost,
        () => load(small),
        () => load(large),
      );
    const deep = {
      [small]: await cursorAt(bench, list(small), SMALL / 2),
      [large]: await cursorAt(bench, list(large), 50_000),
    };
    const insert = (businessId: string): Load => ({
      server: 'souk',
      connections: 8,
      once: true,
      requests: Array.from({ length: 500 }, () => ({
        method: 'POST',
        path: list(businessId),
        headers: bearer(bench.shop.adminToken),
        body: uniqueProduct(),
      })),
    });
    const words = ['linen shirt', 'copper', 'teapt', 'bambo bask', 'marble vase', 'umbrela', 'candle', 'wool'];
    const search = await bench.measure(
      reads(
        bench,
        words.map((word) => `${list(large)}?query=${encodeURIComponent(word)}`),
      ),
    );
    const category = (n: number) => `categoryId=cat_${String(n).padStart(26, '0')}`;
    const counted = 'market=us&limit=24&facets=price,availability,options,block:color';
    const filters = [
      '',
      `&${category(7)}`,
      `&${category(3)}&block:color=red`,
      '&categoryId=category-all',
      '&minPrice=20000&maxPrice=20100',
      '&minPrice=20000&maxPrice=60000',
      '&available=true',
      `&${category(3)}&block:color=red&option:size=S&minPrice=20000&maxPrice=60000&available=true`,
    ];
    const facets = await bench.measure(
      reads(
        bench,
        filters.map((filter) => `${list(large)}?${counted}${filter}`),
        1,
      ),
    );
    return [
      await both('First page of 1,000,000 products', 2, (id) => reads(bench, [`${list(id)}?limit=20`])),
      await both('Page at depth 50,000', 2, (id) => reads(bench, [`${list(id)}?limit=20&cursor=${deep[id]}`])),
      await both('Page of a category', 2, (id) => reads(bench, [`${list(id)}?limit=20&category=category-7`])),
      await both('Insert a product', 1.5, insert),
      plainLine({
        operation: 'Search in 1,000,000 products, 8 concurrent',
        ours: `${Math.round(search.perSecond)}/s`,
        p50: `${search.p50.toFixed(1)} ms`,
        p99: `${search.p99.toFixed(1)} ms`,
        memory: `${await bench.memoryMb()} MB`,
        goal: 'p97.5 < 60 ms',
        met: search.p975 < 60 && search.errors === 0,
      }),
      plainLine({
        operation: 'Facets of 1,000,000 products, one at a time',
        ours: `${Math.round(facets.perSecond)}/s`,
        p50: `${facets.p50.toFixed(1)} ms`,
        p99: `${facets.p99.toFixed(1)} ms`,
        goal: 'p99 < 60 ms',
        met: facets.p99 < 60 && facets.errors === 0,
      }),
      plainLine({
        operation: 'Service memory after these rows',
        ours: `${await bench.memoryMb()} MB`,
        goal: '< 200 MB',
        met: (await bench.memoryMb()) < 200,
      }),
    ];
  },
};

export const largeOrders: Row = {
  name: 'large-orders',
  onlyLarge: true,
  async run(bench) {
    const small = await newBusiness(bench, 'Few orders');
    const large = await newBusiness(bench, 'Many orders');
    const load: Record<string, Load> = {};
    for (const businessId of [small, large]) {
      const { id } = await bench.call<{ id: string }>('POST', `/v1/businesses/${businessId}/products`, {
        body: productBody(0),
      });
      load[businessId] = {
        server: 'souk',
        connections: 8,
        requests: [
          {
            method: 'POST',
            path: `/v1/businesses/${businessId}/orders/checkout`,
            headers: bearer(bench.shop.guestToken),
            body: {
              businessId,
              market: 'us',
              paymentMethod: 'CREDIT_CARD',
              shippingMethodId: 'standard',
              items: [{ productId: id, variantId: 'small', quantity: 1 }],
            },
          },
        ],
      };
      await bench.measure(load[businessId]);
    }
    await seedOrders(bench.pool, large, LARGE);
    const list = (businessId: string, query: string) => reads(bench, [`/v1/businesses/${businessId}/orders?${query}`]);
    const { guestId } = bench.shop;
    return [
      await grow(
        bench,
        'Checkout with 1,000,000 orders',
        1.3,
        () => load[small]!,
        () => load[large]!,
      ),
      await grow(
        bench,
        'Orders by status',
        1.3,
        () => list(small, 'status=PENDING'),
        () => list(large, 'status=PENDING'),
      ),
      await grow(
        bench,
        'Orders of a customer',
        1.3,
        () => list(small, `customerId=${guestId}`),
        () => list(large, `customerId=${guestId}`),
      ),
    ];
  },
};

export const largeEntries: Row = {
  name: 'large-entries',
  onlyLarge: true,
  async run(bench) {
    const businessId = await newBusiness(bench, 'Many entries');
    const base = `/v1/businesses/${businessId}`;
    const { id } = await bench.call<{ id: string }>('POST', `${base}/collections`, {
      body: {
        name: 'Blog',
        type: 'COLLECTION',
        statuses: [{ status: 'PUBLISHED' }],
        blocks: [
          { id: 'title', type: 'TEXT' },
          { id: 'category', type: 'SELECT', settings: { options: categories } },
          { id: 'rank', type: 'NUMBER' },
          { id: 'body', type: 'TEXT' },
        ],
      },
    });
    await seedEntries(bench.pool, businessId, id, LARGE);
    const path = (filter: string) => `${base}/entries?collectionId=${id}&${filter}`;
    const { p50, p975, p99, perSecond, errors } = await bench.measure(
      reads(
        bench,
        [path('filter[category]=category3'), path('filter[rank]=777777'), path('filter[title]=Entry%204242')],
        4,
      ),
    );
    return [
      plainLine({
        operation: 'Filter 1,000,000 entries by a block',
        ours: `${Math.round(perSecond)}/s`,
        p50: `${p50.toFixed(1)} ms`,
        p99: `${p99.toFixed(1)} ms`,
        memory: `${await bench.memoryMb()} MB`,
        goal: 'p97.5 < 50 ms',
        met: p975 < 50 && errors === 0,
      }),
    ];
  },
};

const categories = Array.from({ length: 10 }, (_, i) => `category${i}`);

let made = 0;
function uniqueProduct() {
  const body = productBody(1_000_000 + made++);
  return { ...body, slug: `bench-${made}-${Date.now()}` };
}
