/** What holds for every file: nothing is half written, nothing is done twice, what goes out comes in again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { Steps } from '../../src/domains/imports/context.ts';
import { finishImport } from '../../src/domains/imports/end-import.ts';
import { fetchPictures } from '../../src/domains/imports/fetch-pictures.ts';
import { findFormat } from '../../src/domains/imports/formats/index.ts';
import { claimImport, lockClaimed } from '../../src/domains/imports/queries.ts';
import { readGroups } from '../../src/domains/imports/read-records.ts';
import { resumeImports, sweepFiles } from '../../src/domains/imports/resume-imports.ts';
import { createSource } from '../../src/domains/imports/source/source.ts';
import { type Json, startHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { photo } from '../media/files.ts';
import { eventually } from '../service.ts';
import { countsOf, fixture, MARKETS, openShop } from './shop.ts';

const h = await startHarness();

const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Status';
type Cells = Partial<{ title: string; body: string; sku: string; quantity: string; price: string; option: string }>;
const row = (
  handle: string,
  { title = handle, body = '', sku = '', quantity = '1', price = '10.00', option = 'Default Title' }: Cells = {},
) =>
  `${handle},${title},${body},V,T,,true,${option === 'Default Title' ? 'Title' : 'Size'},${option},${sku},shopify,${quantity},deny,${price},active`;
const fileOf = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;
const importContext = (businessId: string) => h.service.contexts.system().within(businessId) as Steps;
const ONE = { configs: { markets: [MARKETS[0]] } };

test('of a broken file every row is accounted for, by row and column, and a dry run tells the same', async () => {
  const shop = await openShop(h, ONE);
  const file = `\ufeff${fileOf(
    row('one', { sku: 'A' }),
    row('same-sku', { sku: 'A' }),
    row('euros', { sku: 'C', price: '"1.299,00"' }),
    row('either', { price: '1.299' }),
    row('minus', { quantity: '-3' }),
    row('formula', { title: '"=HYPERLINK(""http://x"")"' }),
    row('open-quote', { title: '"Open' }),
    row('after'),
    row('huge', { body: `"${'x'.repeat(5_000_000)}"` }),
    row('after-huge'),
    row('one', { title: 'Again' }),
    'one cell',
    row('nul', { title: 'N\0' }),
    row('nameless', { title: '' }),
    row('two-rows', { option: 'S', sku: 'T1' }),
    row('two-rows', { title: '"Open', option: 'M', sku: 'T2' }),
    row('last'),
    `${row('long')},more`,
    row('whose'),
    '"whose next row,is not known',
    row('twice', { option: 'S', sku: 'W' }),
    row('twice', { option: 'M', sku: 'W' }),
    row('end'),
    row('thousand', { quantity: '1.000' }),
    row('hardly-huge', { body: `"${'x'.repeat(4 * 1_048_576)}"` }),
    HEADER.replaceAll(/[^,]/g, ''),
  )}`;
  const dry = await shop.run('type=products&dryRun=true', file);
  const expected = [
    [3, 'Variant SKU', 'DUPLICATE'],
    [5, 'Variant Price', 'AMBIGUOUS'],
    [6, 'Variant Inventory Qty', 'OUT_OF_RANGE'],
    [8, '', 'OPEN_QUOTE'],
    [10, '', 'TOO_LONG'],
    [12, 'Handle', 'DUPLICATE'],
    [13, '', 'TOO_SHORT'],
    [14, '', 'INVALID_FORMAT'],
    [15, 'Title', 'REQUIRED'],
    [16, '', 'INCOMPLETE'],
    [17, '', 'OPEN_QUOTE'],
    [19, '', 'TOO_LONG'],
    [20, '', 'INCOMPLETE'],
    [21, '', 'OPEN_QUOTE'],
    [23, 'Variant SKU', 'DUPLICATE'],
    [25, 'Variant Inventory Qty', 'INVALID_FORMAT'],
    [26, '', 'TOO_LONG'],
  ];
  const told = (await shop.errorsOf(dry.id)).map(({ row: at, field, error }) => [at, field, error]);
  assert.deepEqual(told, expected);
  const messageAt = (at: number) => dry.errors.find((error: Json) => error.row === at).message;
  assert.equal(messageAt(23), '“W” stands in row 22 already.');
  assert.match(messageAt(6), /^The stock is -3/);
  assert.equal(countsOf(dry), 'DONE +7 ~0 =0 -0 !15');
  assert.equal((await shop.get('/products')).items.length, 0);
  const done = await shop.run('type=products', file);
  assert.equal(countsOf(done), countsOf(dry));
  assert.deepEqual(
    (await shop.errorsOf(done.id)).map(({ row: at, field, error }) => [at, field, error]),
    expected,
  );
  const slugs = (await shop.get('/products?limit=100')).items.map(({ slug }: Json) => slug).sort();
  assert.deepEqual(slugs, ['after', 'after-huge', 'end', 'euros', 'formula', 'last', 'one']);
  assert.equal((await shop.get('/products/euros')).variants[0].pricing.markets[0].price, 129_900);
});

test('separators, byte order marks and other encodings are read', async () => {
  const shop = await openShop(h, ONE);
  const text = fileOf(row('groesse', { title: 'Größe' }));
  const semicolons = Buffer.from(text.replaceAll(',', ';'), 'latin1');
  const latin = await shop.run('type=products', semicolons);
  assert.match(latin.notes.join(), /WINDOWS-1252.*separated by “;”/);
  assert.equal((await shop.get('/products/groesse')).name, 'Größe');
  for (const file of [
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(text.replaceAll(',', '\t')),
    Buffer.from(text.replaceAll('\n', '\r\n')),
  ]) {
    assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =1 -0 !0');
  }
  const mark = Buffer.from('\ufeff');
  const mixed = await shop.run('type=products', Buffer.concat([mark, Buffer.from(text + row('plain'), 'latin1')]));
  assert.equal(countsOf(mixed), 'DONE +1 ~0 =0 -0 !1', 'a file that says UTF-8 and is not');
  assert.deepEqual([mixed.errors[0].row, mixed.errors[0].error], [2, 'INVALID_ENCODING']);
});

test('what is no file of a known format is refused at once', async () => {
  const shop = await openShop(h);
  const refused = async (query: string, file: string | Buffer, field: string, error: string) => {
    const { status, body } = await shop.post(query, file);
    assert.deepEqual(
      [status, body.details?.[0]?.field, body.details?.[0]?.error],
      [422, field, error],
      JSON.stringify(body),
    );
  };
  await refused('type=products&market=us', '', 'file', 'REQUIRED');
  await refused('type=products&market=us', 'a,b\n1,2\n', 'file', 'UNKNOWN_FORMAT');
  await refused('type=products&market=us', fixture('shopify-customers.csv'), 'file', 'UNKNOWN_FORMAT');
  await refused('type=products&market=us', Buffer.from('PK\u0003\u0004zip'), 'file', 'UNSUPPORTED_TYPE');
  await refused('type=products&market=us', `${'a,'.repeat(1_000_000)}\n`, 'file', 'INVALID_HEADER');
  await refused('type=products&market=us', `${'a,'.repeat(5000)}\n1\n`, 'file', 'TOO_LONG');
  await refused('type=products&market=us', `"${'a'.repeat(400_000)}`, 'file', 'INVALID_HEADER');
  await refused('type=products', fixture('shopify-products-new.csv'), 'market', 'REQUIRED');
  await refused('type=products&market=mars', fixture('shopify-products-new.csv'), 'market', 'NOT_FOUND');
  await refused('type=entries', fixture('ghost-posts.json'), 'collectionId', 'REQUIRED');
  await refused('type=entries&collectionId=col_1', fixture('ghost-posts.json'), 'collectionId', 'NOT_FOUND');
  await refused('type=subscribers&consent=Ghost', fixture('ghost-members.csv'), 'collectionId', 'REQUIRED');
  const other = await openShop(h);
  const form = new FormData();
  form.append('files', new Blob([fixture('shopify-products-old.csv')], { type: 'text/csv' }), 'products.csv');
  const headers = { authorization: `Bearer ${other.token}` };
  const uploaded = await fetch(`${h.url}${other.base}/upload`, { method: 'POST', headers, body: form });
  const { items } = (await uploaded.json()) as Json;
  const query = `type=products&market=us&mediaId=${items[0].id}`;
  assert.equal((await shop.call('POST', `/imports?${query}`)).status, 404, 'a file of another business');
  const own = await other.call('POST', `/imports?${query}`);
  assert.equal(own.status, 200, JSON.stringify(own.body));
  await h.drain('run-import');
  assert.equal(countsOf(await other.get(`/imports/${own.body.id}`)), 'DONE +2 ~0 =0 -0 !0');
  assert.equal((await fetch(items[0].url)).status, 200, 'a file of the library stays there');
  assert.equal((await h.pool`select from import_keys where import_id = ${own.body.id}`).length, 0);
  await h.pool`update media set size = ${1024 * 1_048_576 + 1} where id = ${items[0].id}`;
  const huge = await other.call('POST', `/imports?${query}`);
  assert.deepEqual([huge.status, huge.body.details?.[0].error], [422, 'TOO_LARGE']);
  await h.pool`update media set size = ${items[0].size} where id = ${items[0].id}`;
  const lost = await other.call('POST', `/imports?${query}`);
  await other.call('DELETE', `/media/${items[0].id}`);
  await h.drain();
  const { status, error } = await other.get(`/imports/${lost.body.id}`);
  assert.deepEqual([status, /file is gone/.test(error)], ['FAILED', true]);
  await refused('type=business&dryRun=true', await other.download('/export'), 'dryRun', 'INVALID_VALUE');
});

test('of a file that is not what it seems not everything is read and told', async () => {
  const shop = await openShop(h, ONE);
  const wrongVariants = Array.from({ length: 25 }, (_, i) => ({ id: `v${i}`, name: 7 }));
  const wrongs = (count: number) =>
    Array.from({ length: count }, (_, i) => `${JSON.stringify({ name: `P${i}`, variants: wrongVariants })}\n`).join('');
  const one = await shop.run('type=products', wrongs(1), 'application/x-ndjson');
  assert.deepEqual([one.failed, one.errorCount], [1, 20]);
  const many = await shop.run('type=products', wrongs(5100), 'application/x-ndjson');
  assert.deepEqual([many.status, many.failed < 5100], ['FAILED', true]);
  assert.match(many.error, /right file/);
  const rows = Array.from({ length: 1002 }, (_, i) => row('long', { option: `S${i}` }));
  const long = await shop.run('type=products', fileOf(...rows, row('after')));
  assert.equal(countsOf(long), 'DONE +1 ~0 =0 -0 !1');
  assert.match(long.errors.map(({ message }: Json) => message).join(), /at most 1000 rows/);
  const person = JSON.stringify({ email: 'ada@example.com', name: 'Ada' });
  const twice = await shop.run('type=customers', `${person}\n${person}\n`, 'application/x-ndjson');
  assert.equal(twice.errors[0].message, 'This e-mail stands in row 1 already.');
});

test('rows of JSON are known as such, also when the first one is longer than what the format is known by', async () => {
  const shop = await openShop(h, ONE);
  const rowOf = (name: string) =>
    JSON.stringify({ name, variants: [], blocks: [{ id: 'b', type: 'TEXT', value: 'x'.repeat(300_000) }] });
  assert.equal(countsOf(await shop.run('type=products', `${rowOf('A')}\n${rowOf('B')}`)), 'DONE +2 ~0 =0 -0 !0');
  const list = `{"data":[${rowOf('C')}]}`;
  assert.equal(countsOf(await shop.run('type=products', list)), 'DONE +1 ~0 =0 -0 !0', 'a document is still one');
});

test('of a record with more rows than any has only the first thousand are in memory', async () => {
  const text = Buffer.from(fileOf(...Array.from({ length: 1500 }, (_, i) => row('long', { option: `S${i}` }))));
  const source = createSource(async (start) => text.subarray(start), 'utf-8', false);
  const options = {
    shape: 'csv',
    encoding: 'utf-8',
    hasMark: false,
    delimiter: ',',
    header: HEADER.split(','),
  } as const;
  const format = findFormat('products', 'shopify-products', true);
  const sizes: number[][] = [];
  const read = readGroups(
    source,
    { offset: 0, row: 0 },
    format,
    { ...options, header: [...options.header] },
    JSON.parse,
  );
  for await (const { rows, count } of read) sizes.push([rows.length, count]);
  assert.deepEqual(sizes, [[1000, 1500]]);
});

test('a record that the database refuses is told at its row, and those around it are written', async () => {
  const shop = await openShop(h, ONE);
  await h.pool`alter table products add constraint no_poison check (doc::text not like '%Poison%') not valid`;
  const rows = ['a', 'b', 'poison', 'd', 'e'].map((name) => row(name, { title: name === 'poison' ? 'Poison' : name }));
  const done = await shop
    .run('type=products', fileOf(...rows))
    .finally(() => h.pool`alter table products drop constraint no_poison`);
  assert.equal(countsOf(done), 'DONE +4 ~0 =0 -0 !1');
  assert.deepEqual([done.errors[0].row, done.errors[0].error], [4, 'NOT_WRITTEN']);
});

test('trouble that is not about the records is no fault of theirs: the import is given back and goes on later', async () => {
  const shop = await openShop(h, ONE);
  const { body: made } = await shop.post('type=products', fileOf(row('a'), row('b')));
  await h.pool`alter table products rename to products_away`;
  await h.drain('run-import').catch(() => {});
  await h.pool`alter table products_away rename to products`;
  assert.equal(countsOf(await shop.get(`/imports/${made.id}`)), 'RUNNING +0 ~0 =0 -0 !0');
  await resumeImports(importContext(shop.businessId));
  await h.drain('run-import');
  assert.equal(countsOf(await shop.get(`/imports/${made.id}`)), 'DONE +2 ~0 =0 -0 !0');
});

test('who may not import is told so before the file is read', async () => {
  const shop = await openShop(h);
  const { token } = await h.member(shop.businessId, 'CUSTOMER_WRITE');
  const asked = request(`${h.url}${shop.base}/imports?type=products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'content-length': 10_000_000 },
  });
  asked.write('Handle,');
  const answer = await Promise.race([once(asked, 'response'), pause(10_000, null, { ref: false })]);
  assert.equal(answer?.[0].statusCode, 403, 'nobody answers while the file is on its way');
  asked.destroy();
});

test('each type needs its own permission, for the file, for what became of it and for the export', async () => {
  const shop = await openShop(h);
  const { body: made } = await shop.post('type=products&market=us', fixture('shopify-products-new.csv'));
  const support = await h.member(shop.businessId, 'CUSTOMER_WRITE');
  const as = (method: string, path: string) => h.call(method, `${shop.base}${path}`, { token: support.token });
  for (const [method, path] of [
    ['POST', '/imports?type=products'],
    ['GET', `/imports/${made.id}`],
    ['GET', `/imports/${made.id}/errors`],
    ['POST', `/imports/${made.id}/cancel`],
    ['GET', '/exports?type=products'],
    ['GET', '/export'],
  ] as const) {
    assert.equal((await as(method, path)).status, 403, path);
  }
  assert.deepEqual((await as('GET', '/imports')).body.items, []);
  assert.equal((await as('GET', '/exports?type=customers')).status, 200);
});

test('an import ends when whoever began it may not any more', async () => {
  const shop = await openShop(h);
  const { body: made } = await shop.post('type=products&market=us', fixture('shopify-products-new.csv'));
  await h.pool`delete from members where business_id = ${shop.businessId} and user_id = ${shop.userId}`;
  await h.drain('run-import');
  const [found] = await h.pool`select status, error from imports where id = ${made.id}`;
  assert.equal(found!.status, 'FAILED');
  assert.match(found!.error, /CATALOG_WRITE/);
});

test('three imports of a business wait or run, and one that is cancelled writes nothing more', async () => {
  const shop = await openShop(h);
  const file = fixture('shopify-products-new.csv');
  const made = [];
  for (let i = 0; i < 3; i++) made.push((await shop.post('type=products&market=us', file)).body.id);
  assert.equal((await shop.post('type=products&market=us', file)).status, 409);
  const asked = request(`${h.url}${shop.base}/imports?type=products&market=us`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'text/csv', 'content-length': 10_000_000 },
    signal: AbortSignal.timeout(20_000),
  });
  asked.write('Handle,');
  const [refused] = await once(asked, 'response');
  assert.equal(refused.statusCode, 409, 'before the file is read');
  asked.destroy();
  for (const id of made) assert.equal((await shop.call('POST', `/imports/${id}/cancel`)).body.status, 'CANCELLED');
  await h.drain('run-import');
  assert.equal((await shop.get('/products')).items.length, 0);
  assert.equal((await shop.call('POST', `/imports/${made[0]}/cancel`)).status, 200);
  for (let i = 0; i < 2; i++) assert.equal((await shop.post('type=products&market=us', file)).status, 200);
  const { posts } = await h.pool.transaction(async (tx) => {
    await tx`lock table imports in exclusive mode`;
    const posts = Array.from({ length: 3 }, () => shop.post('type=products&market=us', file));
    await eventually('they wait for each other', async () => {
      const [row] = await tx<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and not l.granted`;
      // With a pool of one the others wait for its connection.
      return row!.waiting >= (process.env.DATABASE_POOL === '1' ? 1 : 3);
    });
    return { posts };
  });
  const atOnce = await Promise.all(posts);
  assert.equal(atOnce.filter(({ status }) => status === 200).length, 1);
});

test('an import is one worker’s until its lease runs out; who has lost it, or whose import is over, writes nothing more', async () => {
  const shop = await openShop(h);
  const { body: made } = await shop.post('type=products&market=us', fixture('shopify-products-new.csv'));
  const ctx = importContext(shop.businessId);
  const now = ctx.clock.seconds();
  const claim = (owner: string, at: number) =>
    ctx.write((tx) => claimImport(tx, shop.businessId, made.id, { owner, now: at, untilSeconds: at + 60 }));
  const lock = (owner: string) => ctx.write((tx) => lockClaimed(tx, found!, owner, now + 200));
  const found = await claim('a', now);
  assert.ok(await lock('a'));
  assert.equal(await claim('b', now + 199), null);
  assert.ok(await claim('b', now + 200));
  assert.equal(await lock('a'), null);
  assert.ok(await lock('b'));
  assert.equal((await shop.call('POST', `/imports/${made.id}/cancel`)).status, 200);
  await h.pool`update imports set owner = 'b' where id = ${made.id}`;
  assert.equal(await lock('b'), null);
  await ctx.transaction((tx) => finishImport(tx, found!, { status: 'DONE' }));
  assert.equal((await shop.get(`/imports/${made.id}`)).status, 'CANCELLED');
});

/** A business with one of everything. */
async function furnished() {
  const shop = await openShop(h);
  await shop.run('type=products&market=us', fixture('shopify-products-new.csv'));
  await shop.run('type=products', fixture('medusa-products.csv'));
  await shop.run('type=customers', fixture('shopify-customers.csv'));
  const post = async (path: string, body: object) => {
    const answer = await shop.call('POST', path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  await post('/products', {
    name: "'=1+1",
    description: '-danger\n"quoted"',
    variants: [{ id: 'v', name: '@x', sku: '+1' }],
  });
  await post('/products', {
    name: '＝1+1',
    description: '\n=1',
    category: ' =1',
    variants: [{ id: '-1', name: '\u200b＠x', sku: "'＋1" }],
  });
  const letters = await post('/collections', {
    ...{
      name: 'Letters',
      type: 'NEWSLETTER',
      statuses: [{ status: 'PUBLISHED' }],
      plans: [{ id: '-free', name: 'Free' }],
    },
    blocks: [{ id: 'title', type: 'TEXT' }],
  });
  await shop.run(`type=subscribers&collectionId=${letters.id}&consent=Ghost`, fixture('ghost-members.csv'));
  const blog = await post('/collections', {
    name: 'Blog',
    blocks: [
      { id: 'title', type: 'TEXT' },
      { id: 'next', type: 'RELATIONSHIP', settings: { targetType: 'ENTRY' } },
      { id: 'when', type: 'DATE' },
      { id: 'place', type: 'GEO_LOCATION' },
      { id: 'kind', type: 'SELECT', settings: { options: ['a', '{b'] } },
    ],
  });
  const entry = (values: Record<string, unknown>) =>
    post('/entries', {
      collectionId: blog.id,
      status: 'PUBLISHED',
      blocks: Object.entries(values).map(([id, value]) => ({ id, value })),
    });
  const first = await entry({ title: { en: 'One', de: 'Eins' }, when: 1_700_000_000, kind: '{b' });
  const second = await entry({ title: '=2', next: first.id, place: { latitude: 1, longitude: 2 } });
  await entry({ title: '["no list"]' });
  const gone = await entry({ title: 'Gone' });
  const lost = await entry({ title: 'Lost', next: gone.id });
  assert.equal((await shop.call('DELETE', `/entries/${gone.id}`)).status, 200);
  await shop.call('PUT', `/entries/${first.id}`, { blocks: [...first.blocks, { id: 'next', value: second.id }] });
  await post('/promo-codes', { code: 'TEN', discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }] });
  const manual = new FormData();
  manual.append('files', new Blob(['Plug it in.'], { type: 'text/plain' }), 'manual.txt');
  const headers = { authorization: `Bearer ${shop.token}` };
  const uploaded = await fetch(`${h.url}${shop.base}/upload`, { method: 'POST', headers, body: manual });
  const { items } = (await uploaded.json()) as Json;
  const lamp = await post('/products', {
    name: 'Lamp',
    blocks: [{ id: 'manual', type: 'RELATIONSHIP', value: items[0].id }],
    variants: [
      {
        id: 'v',
        sku: 'LAMP',
        inventory: { tracked: true, quantity: 10 },
        pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 5000 }] },
      },
    ],
  });
  const order = (quantity: number, more: object = {}) =>
    post('/orders', {
      customerId: shop.userId,
      market: 'us',
      lines: [{ productId: lamp.id, variantId: 'v', quantity }],
      blocks: [{ id: 'note', type: 'TEXT', value: 'Ring twice' }],
      ...more,
    });
  const paid = await order(2, { promoCode: 'TEN', email: 'Buyer@Example.com', paymentStatus: [{ status: 'PAID' }] });
  await post(`/orders/${paid.id}/refund`, { amount: 1000 });
  await order(1, { promoCode: 'TEN', status: 'CANCELLED' });
  await order(3);
  await post('/entries', { owner: `order:${paid.id}`, blocks: [{ id: 'gift', type: 'TEXT', value: 'To Ada' }] });
  return { ...shop, blog, lamp, paid, first, lost };
}

test('an export imported again changes nothing, in both formats', async () => {
  const shop = await furnished();
  for (const type of ['products', 'customers', 'subscribers', 'entries', `entries&collectionId=${shop.blog.id}`]) {
    for (const format of ['csv', 'ndjson']) {
      const text = await shop.download(`/exports?type=${type}&format=${format}`);
      const again = await shop.run(`type=${type}`, text);
      const records = again.unchanged;
      assert.ok(records > 0, type);
      assert.equal(
        countsOf(again),
        `DONE +0 ~0 =${records} -0 !0`,
        `${type} as ${format}: ${JSON.stringify(again.errors)}`,
      );
    }
  }
  const lost = await shop.get(`/entries/${shop.lost.id}`);
  const path = `/entries/${lost.id}`;
  assert.equal((await shop.call('PUT', path, lost)).status, 200, 'to what it refers may be gone');
  const other = lost.blocks.map((block: Json) =>
    block.id === 'next' ? { ...block, value: `${block.value}x` } : block,
  );
  assert.equal((await shop.call('PUT', path, { blocks: other })).status, 422);
  const csv = await shop.download('/exports?type=products');
  for (const cell of csv.split(/,|\r\n/))
    assert.doesNotMatch(cell.replace(/^"/, ''), /^[\s\u200b]*[=+@＝＋＠-]/, 'a spreadsheet runs nothing');
});

/** The lines of an export, without what is another business's by nature. */
const partsOf = (text: string): Json[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => !['business', 'role', 'member'].includes(kind))
    .map(({ kind, data }) => ({ kind, ...data, businessId: '' }));

test('a whole business goes out and comes in again', async () => {
  const shop = await furnished();
  const later = Math.floor(Date.now() / 1000) + 86_400;
  for (const [path, status] of [
    [`/products/${shop.lamp.id}`, 'ARCHIVED'],
    [`/entries/${shop.first.id}`, 'DRAFT'],
    [`/collections/${shop.blog.id}`, 'PUBLISHED'],
  ]) {
    const planned = await shop.call('PUT', path!, { scheduled: [{ status, timestamp: later }] });
    assert.equal(planned.body.scheduled.length, 1, JSON.stringify(planned.body));
  }
  const out = await shop.download('/export');
  const empty = await openShop(h, { configs: {} });
  const done = await empty.run('type=business', out, 'application/x-ndjson');
  assert.equal(done.status, 'DONE');
  assert.deepEqual(done.errors, []);
  const again = await empty.download('/export');
  assert.deepEqual(partsOf(again), partsOf(out));
  const [business] = again.split('\n').map((line) => line && JSON.parse(line));
  assert.deepEqual(business.data.configs.markets, MARKETS);
  const second = await empty.post('type=business', out);
  assert.equal(second.status, 409, 'it is not empty any more');
  const third = await openShop(h, { configs: {} });
  assert.deepEqual((await third.run('type=business', again)).errors, []);
  assert.deepEqual(partsOf(await third.download('/export')), partsOf(out), 'moved twice');
  const products = await third.run('type=products', await third.download('/exports?type=products&format=ndjson'));
  assert.equal(countsOf(products), 'DONE +0 ~0 =7 -0 !0', JSON.stringify(products.errors));
  const entries = await third.run('type=entries', await third.download('/exports?type=entries&format=ndjson'));
  assert.deepEqual([entries.failed, entries.updated, entries.errors], [0, 0, []]);
  const lamp = await third.get(`/products/${shop.lamp.id}`);
  const file = lamp.blocks[0].value;
  assert.match(file, /^media_/, 'it names the file still, which is not in this library');
  assert.equal((await third.call('PUT', `/products/${lamp.id}`, { ...lamp, name: 'Lantern' })).status, 200);
  const other = {
    blocks: [{ ...lamp.blocks[0], value: file.replace(/.$/, (end: string) => (end === '0' ? '1' : '0')) }],
  };
  assert.equal((await third.call('PUT', `/products/${lamp.id}`, other)).status, 422, 'a file that it did not name');
  assert.doesNotMatch(out, /secret/i);
  const keys = { publicKey: 'pk_test_1', secretKey: 'sk_test_1', webhookSecret: 'whsec_1' };
  const { configs } = await shop.get('');
  const paying = { configs: { ...configs, paymentProvider: { type: 'STRIPE', ...keys } } };
  assert.equal((await shop.call('PUT', '', paying)).status, 200);
  const [settings] = (await shop.download('/export')).split('\n');
  assert.deepEqual(JSON.parse(settings!).data.configs.paymentProvider, { type: 'STRIPE', publicKey: 'pk_test_1' });
  const stripe = JSON.stringify({ ...business.data.configs, paymentProvider: { type: 'STRIPE', publicKey: 'pk_1' } });
  const sells = await openShop(h, { configs: {} });
  const lines = [JSON.stringify({ ...business, data: { ...business.data, configs: JSON.parse(stripe) } })];
  await sells.run('type=business', lines.join('\n'), 'application/x-ndjson');
  const taken = (await sells.get('')).configs;
  assert.deepEqual([taken.markets, taken.paymentProvider], [MARKETS, undefined], 'a provider without its keys');
  const planned = await h.pool`select entity from planned where business_id = ${empty.businessId}`;
  assert.equal(planned.length, 3, 'what is scheduled comes about here too');
  const late = await openShop(h, { configs: {} });
  const missed = await late.run('type=business', out.replaceAll(String(later), String(later - 172_800)));
  assert.deepEqual(missed.errors, []);
  const { statuses, scheduled = [] } = await late.get(`/entries/${shop.first.id}`);
  assert.deepEqual([statuses.at(-1).status, scheduled], ['DRAFT', []], 'what was due meanwhile has come about');
});

test('pictures of the library come along with a whole business, also within one service', async () => {
  const shop = await openShop(h);
  const form = new FormData();
  form.append('files', new Blob([await photo(64, 48)], { type: 'image/jpeg' }), 'lamp.jpg');
  const headers = { authorization: `Bearer ${shop.token}` };
  const uploaded = await fetch(`${h.url}${shop.base}/upload`, { method: 'POST', headers, body: form });
  const { items } = (await uploaded.json()) as Json;
  const alt = { en: 'A lamp', de: 'Eine Lampe' };
  assert.equal((await shop.call('PUT', `/media/${items[0].id}`, { alt })).status, 200);
  const { body: lamp } = await shop.call('POST', '/products', { name: 'Lamp', gallery: [{ id: items[0].id }] });
  const empty = await openShop(h, { configs: {} });
  const { id } = await empty.run('type=business', await shop.download('/export'), 'application/x-ndjson');
  await h.drain('import-pictures');
  assert.deepEqual((await empty.get(`/imports/${id}`)).errors, []);
  const [picture] = (await empty.get(`/products/${lamp.id}`)).gallery;
  assert.match(picture.url, new RegExp(`/media/${empty.businessId}/`), 'a file of its own');
  assert.deepEqual(picture.alt, alt);
  assert.equal((await fetch(picture.url)).status, 200);
  const other = await openShop(h);
  await other.run('type=products', await shop.download('/exports?type=products&format=csv'));
  await h.drain('import-pictures');
  const [taken] = (await other.get(`/products/${lamp.slug}`)).gallery;
  assert.deepEqual([taken.alt, taken.fileName], [alt, 'lamp.jpg'], 'of a CSV file too');
});

test('files in MEDIA blocks come along, with what is said of them, and outlive the business they come from', async () => {
  const shop = await openShop(h);
  const form = new FormData();
  form.append('files', new Blob([await photo(900, 600)], { type: 'image/jpeg' }), 'lamp.jpg');
  const headers = { authorization: `Bearer ${shop.token}` };
  const uploaded = await fetch(`${h.url}${shop.base}/upload`, { method: 'POST', headers, body: form });
  const [{ id: mediaId, url: oldUrl }] = ((await uploaded.json()) as Json).items;
  const about = { title: 'Lamp', alt: { en: 'A lamp', de: 'Eine Lampe' }, focalPoint: { x: 0.2, y: 0.8 } };
  const { body: described } = await shop.call('PUT', `/media/${mediaId}`, about);
  const shadeOf = async ({ resolutions }: Json) => {
    const thumbnail = await (await fetch(resolutions.thumbnail.url)).arrayBuffer();
    return (await sharp(Buffer.from(thumbnail)).stats()).channels[0]!.mean;
  };
  const shade = await shadeOf(described);
  const gone = `${h.url}/media/${shop.businessId}/gone.jpg`;
  const cover = { id: 'cover', type: 'MEDIA' };
  const rooms = [
    ...[cover, { id: 'rooms', type: 'MEDIA' }],
    { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
  ];
  const { body: blog } = await shop.call('POST', '/collections', { name: 'Blog', blocks: rooms, status: 'PUBLISHED' });
  const body = { id: 'body', value: `<p onclick="x">${'A long text. '.repeat(5000)}</p>` };
  const { body: entry } = await shop.call('POST', '/entries', {
    collectionId: blog.id,
    blocks: [{ id: 'cover', value: { id: mediaId } }, { id: 'rooms', value: [{ url: gone }, { id: mediaId }] }, body],
  });
  const { body: lamp } = await shop.call('POST', '/products', {
    name: 'Lamp',
    gallery: [{ id: mediaId }],
    blocks: [{ ...cover, value: { id: mediaId } }],
  });
  const out = await shop.download('/export');
  const records: [string, string][] = [];
  for (const query of ['products&format=ndjson', 'products&format=csv', 'entries&format=ndjson', 'entries&format=csv'])
    records.push([query.split('&')[0]!, await shop.download(`/exports?type=${query}`)]);

  const empty = await openShop(h, { configs: {} });
  const { id } = await empty.run('type=business', out, 'application/x-ndjson');
  await h.drain('import-pictures');
  const { pictures, errors } = await empty.get(`/imports/${id}`);
  assert.deepEqual(pictures, { waiting: 0, fetched: 2, failed: 1 });
  const row = out.split('\n').findIndex((line) => line.startsWith('{"kind":"entry"')) + 1;
  assert.deepEqual([errors.length, errors[0].row, errors[0].error], [1, row, 'NOT_FETCHED']);
  assert.equal((await shop.call('DELETE', `/media/${mediaId}?force=true`)).status, 200);
  await h.drain();
  assert.equal((await fetch(oldUrl)).status, 404);

  const product = await empty.get(`/products/${lamp.id}`);
  const moved = await empty.get(`/entries/${entry.id}`);
  const [first, second] = moved.blocks[1].value;
  const file = product.gallery[0];
  for (const item of [file, product.blocks[0].value, moved.blocks[0].value, second]) {
    const { title, alt, focalPoint, fileName } = item;
    assert.deepEqual({ title, alt, focalPoint, fileName }, { ...about, fileName: 'lamp.jpg' });
    assert.deepEqual([item.id, item.url], [file.id, file.url], 'one file for all');
    assert.match(item.url, new RegExp(`/media/${empty.businessId}/`));
  }
  assert.equal(first.url, gone, 'what cannot be fetched has the address that it had');
  assert.equal((await fetch(file.url)).status, 200);
  assert.ok(Math.abs((await shadeOf(file)) - shade) < 1, 'it is cropped there');
  const { entities } = await empty.get(`/media/${file.id}/uses`);
  assert.deepEqual(entities, [`entry:${entry.id}`, `product:${lamp.id}`]);

  for (const [type, text] of records) {
    const again = await empty.run(`type=${type}`, text);
    assert.equal(countsOf(again), 'DONE +0 ~0 =1 -0 !0', `${type} a second time: ${JSON.stringify(again.errors)}`);
    await h.drain('import-pictures');
    const failed = type === 'entries' ? 1 : 0;
    assert.deepEqual((await empty.get(`/imports/${again.id}`)).pictures, { waiting: 0, fetched: 0, failed });
  }
  assert.deepEqual((await empty.get(`/entries/${entry.id}`)).blocks, moved.blocks);
  const changed = records[2]![1].replace('A long text', 'Another text');
  assert.equal(countsOf(await empty.run('type=entries', changed)), 'DONE +0 ~1 =0 -0 !0');
  assert.deepEqual((await empty.get(`/entries/${entry.id}`)).blocks[0], moved.blocks[0]);
  const own = await empty.call('PUT', `/products/${lamp.id}`, { blocks: [{ ...cover, value: { url: file.url } }] });
  assert.equal(own.status, 200);
  assert.equal(
    countsOf(await empty.run('type=products', await empty.download('/exports?type=products&format=ndjson'))),
    'DONE +0 ~0 =1 -0 !0',
    'an address that was chosen here stays one',
  );

  const post = { id: 7, documentId: 'a', cover: { url: file.url, mime: 'image/jpeg', alternativeText: 'A lamp' } };
  const other = await openShop(h);
  const { body: posts } = await other.call('POST', '/collections', { name: 'Posts', blocks: [cover] });
  await other.run(`type=entries&collectionId=${posts.id}`, JSON.stringify({ data: [post] }), 'application/json');
  await h.drain('import-pictures');
  const [taken] = (await other.get(`/entries?collectionId=${posts.id}`)).items;
  assert.match(taken.blocks[0].value.url, new RegExp(`/media/${other.businessId}/`), 'of another system too');
  assert.equal(taken.blocks[0].value.alt, 'A lamp');
});

test('orders come along as they were, and nothing follows from them', async () => {
  const shop = await furnished();
  const out = await shop.download('/export');
  const empty = await openShop(h, { configs: {} });
  const done = await empty.run('type=business', out, 'application/x-ndjson');
  assert.deepEqual(done.errors, []);
  const { items: orders } = await empty.get('/orders');
  assert.deepEqual(
    orders.map(({ number, total, paid, refunded }: Json) => [number, total, paid, refunded]),
    (await shop.get('/orders')).items.map(({ number, total, paid, refunded }: Json) => [number, total, paid, refunded]),
  );
  const lamp = await empty.get(`/products/${shop.lamp.id}`);
  assert.equal(lamp.variants[0].inventory.quantity, 5, 'no stock is taken a second time');
  const [code] = (await empty.get('/promo-codes')).items;
  assert.equal(code.uses, 1, 'the promo code counts what was used');
  const { businessId } = empty;
  assert.equal((await h.pool`select from order_tasks where business_id = ${businessId}`).length, 0, 'no mail');
  assert.equal((await h.pool`select from payments where business_id = ${businessId}`).length, 0);
  await h.service.events.sequence(h.service.contexts.system().within(businessId));
  const { items: told } = await empty.get('/events?after=0&types=order.*&limit=100');
  assert.deepEqual([...new Set(told.map(({ type }: Json) => type))], ['order.imported']);
  const line = { productId: shop.lamp.id, variantId: 'v', quantity: 1 };
  const next = await empty.call('POST', '/orders', { customerId: empty.userId, market: 'us', lines: [line] });
  assert.equal(next.body.number, 4, 'numbers go on');
  const parts = out.trim().split('\n');
  for (const without of ['order', 'orders']) {
    const some = await openShop(h, { configs: {} });
    const left = parts.filter((part) => JSON.parse(part).kind !== without);
    await some.run('type=business', left.join('\n'), 'application/x-ndjson');
    const { body } = await some.call('POST', '/orders', { customerId: some.userId, market: 'us', lines: [line] });
    assert.equal(body.number, 4, `without the lines of ${without}`);
  }
  const cancelled = await empty.call('PUT', `/orders/${orders[0].id}/status`, { status: 'CANCELLED' });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  const after = await empty.get(`/products/${shop.lamp.id}`);
  assert.equal(after.variants[0].inventory.quantity, 7, 'what an order holds comes back once');
  const { body: rest } = await empty.call('POST', `/orders/${shop.paid.id}/refund`, {});
  assert.equal(rest.paymentStatus.at(-1).status, 'REFUNDED', 'what was refunded before counts');
});

test('an order whose figures do not add up, or whose number is taken, is not written', async () => {
  const shop = await furnished();
  const lines = (await shop.download('/export')).trim().split('\n');
  const changed = lines.map((line) => {
    const part = JSON.parse(line);
    if (part.kind !== 'order') return line;
    if (part.data.number === 1) part.data.total += 1;
    if (part.data.number === 2) part.data.lines[0].totalPrice += 1;
    if (part.data.number === 3) part.data.refunded = 1;
    return JSON.stringify(part);
  });
  const order = JSON.parse(lines.find((line) => line.startsWith('{"kind":"order"'))!);
  const repeated = { ...order, data: { ...order.data, id: 'ord_00000000000000000000000000', number: 2 } };
  const empty = await openShop(h, { configs: {} });
  const done = await empty.run('type=business', [...changed, JSON.stringify(repeated)].join('\n'));
  const told = done.errors.map(({ field, error }: Json) => `${field} ${error}`);
  assert.deepEqual(told, [
    'total TOTAL_MISMATCH',
    'lines[0].totalPrice TOTAL_MISMATCH',
    'refunded OUT_OF_RANGE',
    'owner NOT_FOUND',
    'number DUPLICATE',
  ]);
  assert.deepEqual((await empty.get('/orders')).items, []);
});

test('members come along as invitations, each counted as a mail, and strangers of the business stay unnamed', async () => {
  const shop = await openShop(h);
  const editor = await h.member(shop.businessId, 'CONTENT_WRITE');
  const stranger = await h.member(shop.businessId, 'CATALOG_WRITE');
  await h.pool`update members set used_at = 1 where business_id = ${shop.businessId} and user_id <> ${stranger.userId}`;
  const out = await shop.download('/export');
  const members = out.split('\n').filter((line) => line.startsWith('{"kind":"member"'));
  assert.equal(members.length, 2);
  const empty = await openShop(h, { configs: {} });
  const { email } = (await h.call('GET', '/v1/users/me', { token: editor.token })).body;
  const own = (await h.call('GET', '/v1/users/me', { token: empty.token })).body.email;
  const file = out.replace((await h.call('GET', '/v1/users/me', { token: shop.token })).body.email, own);
  const done = await empty.run('type=business', file, 'application/x-ndjson');
  assert.deepEqual(done.errors, []);
  const { items } = await empty.get('/invitation');
  assert.deepEqual(
    items.map((each: Json) => each.email),
    [email],
    'nobody is a member before they say so, and whoever imports is one already',
  );
  const roles = (await empty.get(`/../../roles?businessId=${empty.businessId}`)).items;
  assert.ok(roles.some(({ id }: Json) => id === items[0].roleIds[0]));
  const crowd = Array.from({ length: 120 }, (_, i) => members[0]!.replace(/[^"]+@[^"]+/, `m${i}@example.com`));
  const many = await (await openShop(h, { configs: {} })).run('type=business', [file.trim(), ...crowd].join('\n'));
  assert.equal(many.errors.at(-1)?.error, 'RATE_LIMITED');
});

test('pictures are fetched after the products are there, and one that fails is told at its row', async (t) => {
  const shop = await openShop(h, ONE);
  const pixel = Buffer.from('R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=', 'base64');
  const { createServer } = await import('node:http');
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url === '/a.gif') asked++;
    if (request.url === '/gone.png') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'image/gif' }).end(pixel);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const at = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const header = `${HEADER},Image Src,Image Position,Image Alt Text`;
  const file = [header, `${row('seen')},${at}/a.gif,1,A white pixel`, `${row('unseen')},${at}/gone.png,1,Nothing`].join(
    '\n',
  );
  const dry = await shop.run('type=products&dryRun=true', file);
  assert.deepEqual(dry.pictures, { waiting: 0, fetched: 0, failed: 0 });
  const done = await shop.run('type=products', file);
  assert.deepEqual(done.pictures, { waiting: 2, fetched: 0, failed: 0 });
  await h.drain('import-pictures');
  const after = await shop.get(`/imports/${done.id}`);
  assert.deepEqual(after.pictures, { waiting: 0, fetched: 1, failed: 1 });
  assert.deepEqual([after.errors[0].row, after.errors[0].error], [3, 'NOT_FETCHED']);
  const seen = await shop.get('/products/seen');
  assert.match(seen.gallery[0].id, /^media_/);
  assert.equal(seen.gallery[0].alt, 'A white pixel');
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =2 -0 !0');
  const fileWith = (handle: string) => [header, `${row(handle)},${at}/a.gif`].join('\n');
  await shop.run('type=products', fileWith('other'));
  await h.drain('import-pictures');
  assert.deepEqual([asked, (await shop.get('/products/other')).gallery[0].id], [1, seen.gallery[0].id]);

  await shop.call('DELETE', `/media/${seen.gallery[0].id}?force=true`);
  await h.drain();
  await shop.run('type=products', fileWith('later'));
  await h.drain('import-pictures');
  const [again] = (await shop.get('/products/later')).gallery;
  assert.match(again.id, /^media_/);
  assert.notEqual(again.id, seen.gallery[0].id, 'what was deleted from the library is fetched again');
  assert.equal(asked, 2);

  // Deleted in the moment between the fetch and the product that waits for it.
  await h.pool`update import_pictures set status = 'WAITING' where import_id = ${done.id} and status = 'DONE'`;
  const { fetching } = await h.pool.transaction(async (tx) => {
    await tx`select from import_addresses where business_id = ${shop.businessId} for update`;
    const working = fetchPictures(importContext(shop.businessId));
    await whenWaitingForLock(h.pool, working);
    await tx`delete from media where business_id = ${shop.businessId} and id = ${again.id}`;
    return { fetching: working };
  });
  await fetching;
  assert.equal(asked, 3);
  assert.deepEqual((await shop.get(`/imports/${done.id}`)).pictures, { waiting: 0, fetched: 1, failed: 1 });
});

test('events tell of each record that an import writes, and of the import', async () => {
  const shop = await openShop(h);
  await shop.run('type=products&market=us', fixture('shopify-products-old.csv'));
  await h.service.events.sequence(h.service.contexts.system().within(shop.businessId));
  const { items } = await shop.get('/events?after=0');
  assert.deepEqual(
    items.map(({ type }: Json) => type),
    ['import.created', 'product.created', 'product.created', 'import.completed'],
  );
  assert.equal(items[1].actor.userId, shop.userId);
  assert.equal(items[1].data.slug, 'wool-hat');
});

test('what is over is forgotten after 30 days, and files that no import needs after one', async () => {
  const shop = await openShop(h);
  const file = fixture('shopify-products-new.csv');
  const old = await shop.run('type=products&market=us', file);
  const { body: open } = await shop.post('type=products&market=us', file);
  const ctx = importContext(shop.businessId);
  const { storage } = ctx.media;
  const orphan = `imports/${shop.businessId}/imp_orphan`;
  const spooled = join(tmpdir(), orphan.replaceAll('/', '-'));
  await writeFile(spooled, 'Nobody speaks of it.');
  await storage.putFile(orphan, spooled, { contentType: 'text/csv' });
  const files = async () => {
    const keys: string[] = [];
    for await (const { key } of storage.list(`imports/${shop.businessId}/`)) keys.push(key);
    return keys.map((key) => key.split('/').at(-1)).sort();
  };
  await sweepFiles(ctx);
  assert.deepEqual(await files(), [open.id, 'imp_orphan'].sort(), 'it may still become an import');
  h.clock.advance(2 * 86_400);
  await sweepFiles(ctx);
  assert.deepEqual(await files(), [open.id]);
  const left = async () =>
    (await h.pool`select id from imports where business_id = ${shop.businessId} order by id`).map(({ id }) => id);
  await resumeImports(ctx);
  assert.deepEqual(await left(), [old.id, open.id]);
  h.clock.advance(30 * 86_400);
  await resumeImports(ctx);
  assert.deepEqual(await left(), [open.id]);
  await h.drain('run-import');
});
