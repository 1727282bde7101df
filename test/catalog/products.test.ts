import assert from 'node:assert/strict';
import test from 'node:test';
import { divideConnections } from '../../src/db/connections.ts';
import { newId } from '../../src/shared/ids.ts';
import { HOLE } from '../../src/shared/records/template.ts';
import { asPublic, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';

const h = await shareHarness();
const businessId = await h.business();
const path = `/v1/businesses/${businessId}/products` as const;
const { token, userId } = await h.member(businessId, 'CATALOG_WRITE');
const guest = (await h.guest()).token;

const create = async (body: object) => (await h.call('POST', path, { token, body })).body;
const details = (response: { body: { details: { field: string; error: string }[] } }) =>
  response.body.details.map(({ field, error }) => `${field} ${error}`).sort();

const shirt = {
  name: 'Linen shirt',
  description: 'Soft.',
  category: 'clothing',
  gallery: [{ url: 'https://example.com/shirt.jpg' }],
  variants: [
    {
      id: 'm',
      name: 'Medium',
      sku: 'LIN-M',
      attributes: [{ name: 'size', value: 'M' }],
      pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 4900, compareAtPrice: 5900 }] },
      inventory: { tracked: true, quantity: 7, lowStockThreshold: 2 },
    },
    { name: 'Gift card' },
  ],
  blocks: [{ id: 'care', type: 'TEXT', value: 'Wash cold' }],
};

test('no text can be mistaken for a quantity placeholder', async () => {
  for (const text of [HOLE, `"${HOLE}"`, `\\"${HOLE}\\"`, `${'x'.repeat(90)}"${HOLE}"`, `"${HOLE}"`.repeat(30)]) {
    const variant = { ...shirt.variants[0]!, name: text, sku: text, attributes: [{ name: text, value: text }] };
    const blocks = [{ id: 'care', type: 'TEXT', value: { en: text } }];
    const body = { ...shirt, name: text, slug: newId('prod').replace('_', '-'), variants: [variant], blocks };
    const product = await create({ ...body, description: text.repeat(100), category: text });
    const { status, body: read } = await h.call('GET', `${path}/${product.id}`, { token });
    assert.deepEqual([status, read], [200, product]);
    assert.deepEqual(
      [read.name, read.variants[0]!.name, read.variants[0]!.inventory.quantity, read.blocks[0]!.value],
      [text, text, 7, { en: text }],
    );
    const { body: list } = await h.call('GET', `${path}?ids=${product.id}`, { token: guest });
    assert.deepEqual(list.items, [{ ...asPublic(product), etag: '"1.0"' }]);
  }
});

test('a product is created with every API field and read back unchanged', async () => {
  const created = await h.call('POST', path, { token, body: { ...shirt, id: 'prod_mine', businessId: 'biz_other' } });
  assert.equal(created.status, 200);
  const product = created.body;
  assert.match(product.id, /^prod_[0-9a-z]{26}$/);
  assert.equal(product.businessId, businessId);
  assert.equal(product.slug, 'linen-shirt');
  const [price] = shirt.variants[0]!.pricing!.markets;
  const pricing = { markets: [{ ...price, lowestPrice30: 4900 }] };
  assert.deepEqual(product.variants[0], { ...shirt.variants[0], pricing, requiresShipping: true });
  assert.match(product.variants[1]!.id, /^var_/);
  assert.deepEqual(product.variants[1]!.inventory, { tracked: false, quantity: 0 });
  assert.equal(product.gallery[0]!.mimeType, 'image/jpeg');
  assert.deepEqual(
    product.statuses.map((entry) => [entry.status, entry.changedBy, entry.userId]),
    [['ACTIVE', 'USER', userId]],
  );
  const read = await h.call('GET', `${path}/${product.id}`, { token: guest });
  const seen = asPublic(product);
  assert.deepEqual(read.body, seen);
  assert.match(read.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(read.headers.get('etag'), '"1.0"');
  assert.deepEqual((await h.call('GET', `${path}?ids=${product.id}`, { token: guest })).body, {
    items: [{ ...seen, etag: '"1.0"' }],
    cursor: null,
  });
});

test('text that looks like internal markers or markup is returned unchanged', async () => {
  const blocks = [{ id: 'b', type: 'TEXT', settings: { quantity: '\u0001' }, value: '\u0001' }];
  const hostile = '\u0001 "quantity":\u0001 \\u0001 <script> \u2028 😀 "}],';
  const { id, ...product } = await create({
    name: hostile,
    blocks,
    description: hostile,
    variants: [{ id: 'a', name: hostile }],
  });
  const { body } = await h.call('GET', `${path}/${id}`, { token });
  assert.deepEqual([body.name, body.description, body.variants[0]!.name], [hostile, hostile, hostile]);
  assert.deepEqual({ id, ...product }, body);
});

test('all invalid fields are reported at once', async () => {
  const wrong = await h.call('POST', path, {
    token,
    body: {
      slug: 'not a slug',
      category: 5,
      variants: [
        {
          id: 'no spaces',
          pricing: {
            markets: [
              { marketId: 'us', currency: 'dollar', price: 1.5 },
              { marketId: 'eu', price: '1' },
            ],
          },
          inventory: { tracked: 'yes', quantity: -1 },
        },
      ],
      statuses: [{}],
      blocks: [{ id: 'n', type: 'NUMBER', value: 'ten' }],
    },
  });
  assert.equal(wrong.status, 422);
  assert.deepEqual(details(wrong), [
    'blocks[0].value INVALID_TYPE',
    'category INVALID_TYPE',
    'name REQUIRED',
    'slug INVALID_FORMAT',
    'statuses[0].status REQUIRED',
    'variants[0].id INVALID_FORMAT',
    'variants[0].inventory.quantity OUT_OF_RANGE',
    'variants[0].inventory.tracked INVALID_TYPE',
    'variants[0].pricing.markets[0].currency INVALID_FORMAT',
    'variants[0].pricing.markets[0].price INVALID_TYPE',
    'variants[0].pricing.markets[1].currency REQUIRED',
    'variants[0].pricing.markets[1].price INVALID_TYPE',
  ]);
});

test('SKUs, slugs, IDs, markets, statuses and blocks are validated together', async () => {
  await create({ name: 'First', slug: 'first', variants: [{ id: 'a', sku: 'TAKEN' }] });
  const wrong = await h.call('POST', path, {
    token,
    body: {
      name: 'Second',
      slug: 'first',
      variants: [
        { id: 'a', sku: 'TAKEN' },
        { id: 'a', sku: 'TWICE' },
        {
          id: 'b',
          sku: 'TWICE',
          pricing: { markets: ['us', 'eu', 'US'].map((marketId) => ({ marketId, currency: 'usd', price: 1 })) },
        },
      ],
      statuses: [{ status: 'SOLD' }],
      blocks: [{ id: 'n', type: 'NUMBER', value: 'ten' }],
    },
  });
  assert.equal(wrong.status, 422);
  assert.deepEqual(details(wrong), [
    'blocks[0].value INVALID_TYPE',
    'slug DUPLICATE',
    'statuses[0].status INVALID_VALUE',
    'variants[0].sku DUPLICATE',
    'variants[1].id DUPLICATE',
    'variants[2].pricing.markets[2].marketId DUPLICATE',
    'variants[2].sku DUPLICATE',
  ]);
});

test('rules are checked even if the schema is violated', async () => {
  const { id } = await create({ name: 'Third', slug: 'third', variants: [{ id: 'a', sku: 'THIRD' }] });
  const body = {
    category: 5,
    slug: 'third',
    variants: [
      'a variant',
      {
        id: 'a',
        sku: 'THIRD',
        pricing: { markets: [{ price: 1 }, { marketId: 'us' }, { marketId: 'US', price: {} }] },
      },
      { id: 'a', gallery: [{}] },
    ],
    statuses: [{ status: 'SOLD' }, 1],
  };
  const schemaErrors = ['category INVALID_TYPE', 'statuses[1] INVALID_TYPE', 'variants[0] INVALID_TYPE'];
  for (const [method, url] of [
    ['POST', path],
    ['PUT', `${path}/${(await create({ name: 'Fourth' })).id}`],
  ] as const) {
    const found = details(await h.call(method, url, { token, body }));
    for (const expected of [
      ...schemaErrors,
      'slug DUPLICATE',
      'statuses[0].status INVALID_VALUE',
      'variants[1].sku DUPLICATE',
      'variants[1].pricing.markets[2].marketId DUPLICATE',
      'variants[2].id DUPLICATE',
    ])
      assert.ok(found.includes(expected), `${method} ${expected}: ${found}`);
  }
  assert.deepEqual(details(await h.call('PUT', `${path}/${id}`, { token, body: { category: 5, slug: 'third' } })), [
    'category INVALID_TYPE',
  ]);
});

test('a generated slug gets a number if it is taken, even with concurrent requests', async () => {
  const bodies = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'Ünïque  Làmp!' })));
  assert.deepEqual(bodies.map((body) => body.slug).sort(), [
    'unique-lamp',
    'unique-lamp-2',
    'unique-lamp-3',
    'unique-lamp-4',
    'unique-lamp-5',
    'unique-lamp-6',
  ]);
  assert.equal((await create({ name: '★★★' })).slug.startsWith('prod-'), true);
  assert.equal((await create({ name: '茶碗 大' })).slug, '茶碗-大');
});

test('of concurrent creates with the same SKU, one succeeds and the others report the variant', async () => {
  const responses = await Promise.all(
    ['x', 'y', 'z'].map((name) => h.call('POST', path, { token, body: { name, variants: [{}, { sku: 'RACE' }] } })),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422, 422]);
  assert.deepEqual(details(responses.find(({ status }) => status === 422)!), ['variants[1].sku DUPLICATE']);
});

test('of many creates waiting for the same SKU, one succeeds and none deadlock', async () => {
  const { id } = await create({ name: 'Holder', variants: [{ id: 'a' }] });
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = h.pool.transaction(async (tx) => {
    await tx`update stock set sku = 'QUEUE' where business_id = ${businessId} and product_id = ${id}`;
    held.resolve();
    await release.promise;
    throw new Error('rolled back');
  });
  await held.promise;
  const names = Array.from({ length: 8 }, (_, i) => `Queue ${i}`);
  const creates = names.map((name) => h.call('POST', path, { token, body: { name, variants: [{ sku: 'QUEUE' }] } }));
  await whenWaitingForLock(
    h.pool,
    Promise.all(creates),
    Math.min(creates.length, divideConnections(h.config.databasePool).pool),
  );
  release.resolve();
  await assert.rejects(holder, /rolled back/);
  const statuses = (await Promise.all(creates)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, ...Array(7).fill(422)]);
});

test('an update keeps omitted fields and is guarded by If-Match', async () => {
  const product = await create({ ...shirt, variants: [], name: 'Vase' });
  const changed = await h.call('PUT', `${path}/${product.id}`, {
    token,
    body: { description: 'Tall', createdAt: 1, id: 'x' },
    headers: { 'if-match': '"1"' },
  });
  assert.equal(changed.status, 200);
  assert.equal(changed.headers.get('etag'), '"2.0"');
  assert.deepEqual(changed.body, { ...product, description: 'Tall', updatedAt: changed.body.updatedAt });
  for (const method of ['PUT', 'DELETE']) {
    const stale = await h.call(method, `${path}/${product.id}`, {
      token,
      ...(method === 'PUT' ? { body: { name: 'X' } } : {}),
      headers: { 'if-match': '"1"' },
    });
    assert.equal(stale.status, 412, method);
  }
  const both = await Promise.all(
    ['A', 'B'].map((name) =>
      h.call('PUT', `${path}/${product.id}`, { token, body: { name }, headers: { 'if-match': '"2"' } }),
    ),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412]);
  assert.equal((await h.call('PUT', `${path}/${product.id}`, { token, body: { name: null } })).status, 422);
});

test('replacing variants keeps the stock of those without inventory and sets the others; SKUs can be swapped', async () => {
  const product = await create({
    name: 'Chair',
    variants: [
      { id: 'oak', sku: 'OAK', inventory: { quantity: 5, lowStockThreshold: 1 } },
      { id: 'ash', sku: 'ASH', inventory: { quantity: 3 } },
      { id: 'elm', inventory: { quantity: 9 } },
    ],
  });
  const { body } = await h.call('PUT', `${path}/${product.id}`, {
    token,
    body: {
      variants: [
        { id: 'fir', inventory: { quantity: 2 } },
        { id: 'ash', sku: 'OAK', inventory: { quantity: 10 } },
        { id: 'oak', sku: 'ASH' },
      ],
    },
  });
  assert.deepEqual(
    body.variants.map(({ id, sku, inventory }) => [id, sku, inventory]),
    [
      ['fir', '', { tracked: true, quantity: 2 }],
      ['ash', 'OAK', { tracked: true, quantity: 10 }],
      ['oak', 'ASH', { tracked: true, quantity: 5, lowStockThreshold: 1 }],
    ],
  );
  assert.deepEqual((await h.call('GET', `${path}/${product.id}`, { token })).body, body);
  const sums = await h.pool`select variant_id, sum(change)::int as sum from stock_ledger
    where product_id = ${product.id} group by variant_id order by variant_id`;
  assert.deepEqual(
    sums.map((row) => [row.variantId, row.sum]),
    [
      ['ash', 10],
      ['elm', 0],
      ['fir', 2],
      ['oak', 5],
    ],
  );
  const reused = await h.call('POST', path, { token, body: { name: 'Stool', variants: [{ sku: 'OAK' }] } });
  assert.equal(reused.status, 422);
});

test('statuses can only be appended, and callers without CATALOG_WRITE see only ACTIVE products', async () => {
  const draft = await create({ name: 'Secret plan', category: 'hidden', statuses: [{ status: 'DRAFT' }] });
  const lists = ['category=hidden', `ids=${draft.id}`, `slug=${draft.slug}`, 'query=secret', 'status=DRAFT'];
  const counts = (reader: string) =>
    Promise.all(
      lists.map(async (query) => (await h.call('GET', `${path}?${query}`, { token: reader })).body.items.length),
    );
  assert.equal((await h.call('GET', `${path}/${draft.id}`, { token: guest })).status, 404);
  assert.deepEqual(await counts(guest), [0, 0, 0, 0, 0]);
  assert.deepEqual(await counts(token), [1, 1, 1, 1, 1]);
  const put = (status: string) => h.call('PUT', `${path}/${draft.id}`, { token, body: { statuses: [{ status }] } });
  const active = (await put('ACTIVE')).body;
  assert.deepEqual(active.statuses.slice(0, 1), draft.statuses);
  assert.equal((await h.call('GET', `${path}/${draft.id}`, { token: guest })).status, 200);
  assert.deepEqual(await counts(guest), [1, 1, 1, 1, 0]);
  await put('ARCHIVED');
  assert.deepEqual(await counts(guest), [0, 0, 0, 0, 0]);
});

test("another business's products are never found, whatever the request and caller", async () => {
  const product = await create({
    name: 'Ours alone',
    slug: 'ours-alone',
    variants: [{ id: 'a', inventory: { quantity: 5 } }],
  });
  const other = await h.business();
  const theirs = `/v1/businesses/${other}/products` as const;
  const admin = (await h.member(other, 'ADMIN')).token;
  const body = { name: 'Mine now' };
  for (const [method, suffix, sent] of [
    ['GET', '', undefined],
    ['PUT', '', body],
    ['DELETE', '', undefined],
    ['POST', '/variants/a/inventory', { adjust: -1 }],
    ['GET', '/variants/a/inventory/history', undefined],
  ] as const) {
    const call = (root: string) => h.call(method, `${root}/${product.id}${suffix}`, { token: admin, body: sent });
    assert.equal((await call(theirs)).status, 404, `${method} ${suffix}`);
    if (method !== 'GET' || suffix !== '') assert.equal((await call(path)).status, 403, `${method} ${suffix}`);
  }
  for (const query of ['', `ids=${product.id}`, 'slug=ours-alone', 'query=ours', 'query=alone&sort=name']) {
    const response = await h.call('GET', `${theirs}?${query}`, { token: admin });
    assert.deepEqual(response.body, { items: [], cursor: null }, query);
  }
  assert.equal((await h.call('GET', `${path}/${product.id}`, { token })).body.name, 'Ours alone');
});

test('a deleted product disappears from reads, lists and search, and its slug and SKU are free again', async () => {
  const body = { name: 'Ephemeral', slug: 'ephemeral', variants: [{ sku: 'EPH', inventory: { quantity: 4 } }] };
  const product = await create(body);
  assert.deepEqual((await h.call('DELETE', `${path}/${product.id}`, { token })).body, { success: true });
  assert.equal((await h.call('GET', `${path}/${product.id}`, { token })).status, 404);
  assert.equal((await h.call('DELETE', `${path}/${product.id}`, { token })).status, 404);
  assert.equal((await h.call('PUT', `${path}/${product.id}`, { token, body: {} })).status, 404);
  assert.equal((await h.call('GET', `${path}?query=ephemeral`, { token })).body.items.length, 0);
  assert.equal((await h.call('POST', path, { token, body })).status, 200);
});

test('two creates with the same Idempotency-Key create one product', async () => {
  const send = () =>
    h.call('POST', path, { token, body: { name: 'Once' }, headers: { 'idempotency-key': 'create-once' } });
  const [first, second] = await Promise.all([send(), send()]);
  assert.deepEqual(first.body, second.body);
  assert.equal((await h.call('GET', `${path}?query=once`, { token })).body.items.length, 1);
});

test('reading requires a token and writing requires the permission', async () => {
  assert.equal((await h.call('GET', path)).status, 401);
  for (const [method, suffix] of [
    ['POST', ''],
    ['PUT', '/prod_x'],
    ['DELETE', '/prod_x'],
    ['POST', '/prod_x/variants/a/inventory'],
    ['GET', '/prod_x/variants/a/inventory/history'],
  ] as const) {
    const response = await h.call(method, path + suffix, { token: guest, ...(method === 'GET' ? {} : { body: {} }) });
    assert.equal(response.status, 403, method + suffix);
  }
});

test("a product's slug works in place of its ID everywhere", async () => {
  const slug = `${'lang-'.repeat(19)}größe`;
  const { id } = await create({ name: 'Rug', slug, variants: [{ id: 'v', inventory: { quantity: 3 } }] });
  const at = `${path}/${encodeURIComponent(slug)}` as const;
  assert.equal((await h.call('GET', at, { token: guest })).body.id, id);
  assert.equal((await h.call('PUT', at, { token, body: { name: 'Carpet' } })).body.id, id);
  const adjusted = await h.call('POST', `${at}/variants/v/inventory`, { token, body: { adjust: -1 } });
  assert.equal(adjusted.body.inventory.quantity, 2);
  const history = await h.call('GET', `${at}/variants/v/inventory/history`, { token });
  assert.equal(history.body.items.length, 2);
  const elsewhere = `/v1/businesses/${await h.business()}/products/${encodeURIComponent(slug)}` as const;
  assert.equal((await h.call('GET', elsewhere, { token: guest })).status, 404);
  assert.equal((await h.call('DELETE', at, { token })).status, 200);
  assert.equal((await h.call('GET', at, { token: guest })).status, 404);
});

test('the slug of the category list is reserved', async () => {
  const refused = await h.call('POST', path, { token, body: { name: 'x', slug: 'categories' } });
  assert.deepEqual(details(refused), ['slug INVALID_VALUE']);
  assert.equal((await create({ name: 'Categories' })).slug, 'categories-2');
  const product = await create({ name: 'x' });
  const renamed = await h.call('PUT', `${path}/${product.id}`, { token, body: { slug: 'categories' } });
  assert.deepEqual(details(renamed), ['slug INVALID_VALUE']);
});

test('PUT appends the status, and null clears a field', async () => {
  const product = await create({ ...shirt, slug: 'put-status', variants: [shirt.variants[1]] });
  const put = (body: object) => h.call('PUT', `${path}/${product.id}`, { token, body });
  for (const count of [2, 2]) {
    const { body } = await put({ status: 'ARCHIVED' });
    assert.deepEqual([body.statuses.length, body.statuses.at(-1)!.status], [count, 'ARCHIVED']);
  }
  assert.equal((await put({ status: 'GONE' })).status, 422);
  const { body: cleared } = await put({ description: null, category: null, gallery: null, blocks: null });
  assert.deepEqual([cleared.description, cleared.category, cleared.gallery, cleared.blocks], ['', '', [], []]);
  assert.equal((await put({ name: null })).status, 422);
});

test('a new product can be created with a single status', async () => {
  const product = await create({ name: 'Draft', status: 'DRAFT' });
  assert.deepEqual(
    product.statuses.map(({ status }) => status),
    ['DRAFT'],
  );
  assert.deepEqual(details(await h.call('POST', path, { token, body: { name: 'x', status: 'NEW' } })), [
    'status INVALID_VALUE',
  ]);
});

test('only members see who set a status', async () => {
  const product = await create({
    ...shirt,
    name: 'Audited',
    variants: [],
    blocks: [{ id: 'note', type: 'TEXT', value: '"userId":"usr_1"' }],
  });
  const other = await h.member(await h.business(), 'ADMIN');
  const member = await h.member(businessId, 'ORDER_READ');
  for (const [reader, isVisible] of [
    [guest, false],
    [other.token, false],
    [member.token, true],
  ] as const) {
    const one = (await h.call('GET', `${path}/${product.id}`, { token: reader })).body;
    const [listed] = (await h.call('GET', `${path}?ids=${product.id}`, { token: reader })).body.items;
    for (const seen of [one, listed]) {
      assert.equal(seen!.statuses[0]!.userId, isVisible ? userId : undefined);
      assert.deepEqual(seen!.blocks, product.blocks);
    }
  }
});

test('an image URL of the service itself is stored as a path and returned as a full URL', async () => {
  const foreign = ['//cdn.example/c.svg', `${h.url}//cdn.example/d.svg`];
  const gallery = ['/demo/a.svg', `${h.url}/demo/b.svg`, ...foreign].map((url) => ({ url }));
  const urls = ({ gallery: images }: { gallery: { url: string }[] }) => images.map(({ url }) => url);
  const expected = [`${h.url}/demo/a.svg`, `${h.url}/demo/b.svg`, ...foreign];
  const product = await create({ name: 'Framed', gallery });
  assert.deepEqual(urls(product), expected);
  const read = (await h.call('GET', `${path}/${product.id}`, { token })).body;
  assert.deepEqual(urls(read), expected);
  assert.deepEqual(urls((await h.call('PUT', `${path}/${product.id}`, { token, body: read })).body), expected);
  const [row] = await h.pool`select doc from products where id = ${product.id}`;
  assert.deepEqual(urls(row!.doc), ['/demo/a.svg', '/demo/b.svg', ...foreign]);
});
