/** Guarantees for every file: no partial writes, no duplicates, and exports can be imported again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import sharp from 'sharp';
import { divideConnections } from '../../src/db/connections.ts';
import type { Steps } from '../../src/domains/imports/context.ts';
import { readGroups } from '../../src/domains/imports/conversion/read-records.ts';
import { findFormat } from '../../src/domains/imports/formats/index.ts';
import { fetchImages } from '../../src/domains/imports/images/fetch-images.ts';
import { claimImport, lockClaimed } from '../../src/domains/imports/queries.ts';
import { finishImport } from '../../src/domains/imports/running/end-import.ts';
import { sweepImports } from '../../src/domains/imports/running/sweep-imports.ts';
import { createSource } from '../../src/domains/imports/source/source.ts';
import { type Json, startHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { photo } from '../media/files.ts';
import { eventually } from '../service.ts';
import { completed, countsOf, fixture, MARKETS, openShop } from './shop.ts';

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

test('every error in a malformed file is reported by row and column, and a dry run reports the same', async () => {
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
    [5, 'Variant Price', 'AMBIGUOUS'],
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
    [25, 'Variant Inventory Qty', 'INVALID_FORMAT'],
    [26, '', 'TOO_LONG'],
  ];
  const reported = (await shop.errorsOf(dry.id)).map(({ row: at, field, error }) => [at, field, error]);
  assert.deepEqual(reported, expected);
  const messageAt = (at: number) => dry.errors.find((error) => error.row === at)!.message;
  assert.match(messageAt(5), /is ambiguous/);
  const warnings = [
    [3, 'Variant SKU', 'REPEATED'],
    [6, 'Variant Inventory Qty', 'NEGATIVE'],
    [23, 'Variant SKU', 'REPEATED'],
  ];
  assert.deepEqual(
    dry.warnings.map(({ row: at, field, error }) => [at, field, error]),
    warnings,
  );
  assert.equal(dry.warnings[2]!.message, '“W” is already used in row 22. It was left out here.');
  assert.equal(countsOf(dry), 'DONE +10 ~0 =0 -0 !12');
  assert.equal((await shop.get('/products')).items.length, 0);
  const done = await shop.run('type=products', file);
  assert.equal(countsOf(done), countsOf(dry));
  assert.deepEqual(
    (await shop.errorsOf(done.id)).map(({ row: at, field, error }) => [at, field, error]),
    expected,
  );
  const slugs = (await shop.get('/products?limit=100')).items.map(({ slug }) => slug).sort();
  assert.deepEqual(slugs, [
    ...['after', 'after-huge', 'end', 'euros', 'formula', 'last', 'minus', 'one', 'same-sku', 'twice'],
  ]);
  const { variants } = await shop.get('/products/twice');
  assert.deepEqual(
    variants.map(({ sku }: Json) => sku),
    ['W', ''],
  );
  assert.equal((await shop.get('/products/minus')).variants[0].inventory.quantity, 0);
  assert.equal((await shop.get('/products/euros')).variants[0].pricing.markets[0].price, 129_900);
});

test('delimiters, byte order marks and other encodings are detected', async () => {
  const shop = await openShop(h, ONE);
  const text = fileOf(row('groesse', { title: 'Größe' }));
  const semicolons = Buffer.from(text.replaceAll(',', ';'), 'latin1');
  const latin = await shop.run('type=products', semicolons);
  assert.match(latin.notes.join(), /WINDOWS-1252.*delimiter is “;”/);
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
  assert.equal(countsOf(mixed), 'DONE +1 ~0 =0 -0 !1', 'a byte order mark on a file that is not UTF-8');
  assert.deepEqual([mixed.errors[0]!.row, mixed.errors[0]!.error], [2, 'INVALID_ENCODING']);
});

test('a UTF-8 file with one invalid byte is still read as UTF-8, and only its row is rejected', async () => {
  const shop = await openShop(h, ONE);
  const [before, after] = [fileOf(row('groesse', { title: 'Größe' })), `${row('cafe', { title: 'Café' })}\n`];
  const broken = Buffer.from(`${row('broken', { title: 'Cr\u00e8me' })}\n`, 'latin1');
  const done = await shop.run('type=products', Buffer.concat([Buffer.from(before), broken, Buffer.from(after)]));
  assert.equal(countsOf(done), 'DONE +2 ~0 =0 -0 !1');
  assert.deepEqual([done.errors[0]!.row, done.errors[0]!.error], [3, 'INVALID_ENCODING']);
  assert.equal((await shop.get('/products/groesse')).name, 'Größe');
});

test('Shift-JIS, GB18030 and MacRoman are detected, and the caller can name the encoding', async () => {
  const shop = await openShop(h, ONE);
  const at = (text: string, bytes: number[], handle: string) => {
    const [left, right] = fileOf(row(handle, { title: text })).split(text);
    return Buffer.concat([Buffer.from(left!), Buffer.from(bytes), Buffer.from(right!)]);
  };
  const files: [string, string, number[]][] = [
    ['shirt', 'シャツ', [0x83, 0x56, 0x83, 0x83, 0x83, 0x63]],
    ['chenshan', '衬衫', [0xb3, 0xc4, 0xc9, 0xc0]],
    ['groesse', 'Größe', [0x47, 0x72, 0x9a, 0xa7, 0x65]],
    ['creme', 'Crème – “fine”', [...Buffer.from('Cr\u00e8me \u0096 \u0093fine\u0094', 'latin1')]],
  ];
  for (const [handle, title, bytes] of files) {
    const { notes } = await shop.run('type=products', at(title, bytes, handle));
    assert.equal((await shop.get(`/products/${handle}`)).name, title);
    assert.match(notes[0]!, /read as (?:SHIFT_JIS|GB18030|MACINTOSH|WINDOWS-1252)/);
  }
  await shop.run('type=products&encoding=windows-1251', at('Шапка', [0xd8, 0xe0, 0xef, 0xea, 0xe0], 'hat'));
  assert.equal((await shop.get('/products/hat')).name, 'Шапка');
});

test('blank lines and a sep= line before the header are skipped, and rows keep their numbers', async () => {
  const shop = await openShop(h, ONE);
  const text = fileOf(row('one'), row('two', { price: 'x' })).replaceAll(',', ';');
  for (const [start, at] of [
    ['sep=;\r\n', 4],
    ['\r\n  \r\n', 5],
    ['\n"sep=;"\n\n', 6],
  ] as const) {
    const done = await shop.run('type=products', start + text);
    assert.deepEqual(
      [done.created + done.unchanged, done.errors[0]!.row, done.errors[0]!.field],
      [1, at, 'Variant Price'],
    );
  }
});

test('XML and web pages are rejected with a helpful message', async () => {
  const shop = await openShop(h, ONE);
  const messageFor = async (file: string) => (await shop.post('type=products', file)).body.details[0]!.message;
  const wordpress = '<?xml version="1.0" encoding="UTF-8" ?>\n<!-- generator="WordPress/6.4" -->\n<rss version="2.0">';
  assert.match(await messageFor(wordpress), /In WooCommerce, choose Products, then Export/);
  assert.match(await messageFor('<?xml version="1.0"?><products/>'), /XML files are not supported/);
  assert.match(await messageFor('<!DOCTYPE html><title>Log in</title>'), /web page/);
});

test('a long description is shortened at the end of a sentence and a relative image is left out, each with a warning', async () => {
  const shop = await openShop(h, ONE);
  const body = `${'A sentence of words. '.repeat(1200)}`;
  const file = fileOf(row('long', { body })).replace('Status\n', 'Status,Image Src\n').trimEnd();
  const done = await shop.run('type=products', `${file},/images/a.jpg\n`);
  assert.deepEqual(
    done.warnings.map(({ row: at, field, error }) => [at, field, error]),
    [
      [2, 'Body (HTML)', 'SHORTENED'],
      [2, 'Image Src', 'NO_URL'],
    ],
  );
  const { description, gallery } = await shop.get('/products/long');
  assert.ok(description.length <= 20_000 && description.length > 19_000);
  assert.match(description, /A sentence of words\.$/);
  assert.deepEqual(gallery, []);
});

test('a file in an unknown format is rejected right away', async () => {
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
  for (const type of ['customers', 'products&market=us', 'subscribers'])
    await refused(`type=${type}`, fixture('shopify-orders.csv'), 'file', 'ORDERS_FILE');
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
  assert.equal((await fetch(items[0].url)).status, 200, 'a file in the library stays there');
  assert.equal((await h.pool`select from import_keys where import_id = ${own.body.id}`).length, 0);
  await h.pool`update media set size = ${1024 * 1_048_576 + 1} where id = ${items[0].id}`;
  const huge = await other.call('POST', `/imports?${query}`);
  assert.deepEqual([huge.status, huge.body.details[0]?.error], [422, 'TOO_LARGE']);
  await h.pool`update media set size = ${items[0].size} where id = ${items[0].id}`;
  const lost = await other.call('POST', `/imports?${query}`);
  await other.call('DELETE', `/media/${items[0].id}`);
  await h.drain();
  const { status, error } = await other.get(`/imports/${lost.body.id}`);
  assert.deepEqual([status, /file was deleted/.test(error)], ['FAILED', true]);
  await refused('type=business&dryRun=true', await other.download('/export'), 'dryRun', 'INVALID_VALUE');
});

test('the import stops reading and reporting a file with too many errors', async () => {
  const shop = await openShop(h, ONE);
  const wrongVariants = Array.from({ length: 25 }, (_, i) => ({ id: `v${i}`, name: 7 }));
  const invalidRows = (count: number) =>
    Array.from({ length: count }, (_, i) => `${JSON.stringify({ name: `P${i}`, variants: wrongVariants })}\n`).join('');
  const one = await shop.run('type=products', invalidRows(1), 'application/x-ndjson');
  assert.deepEqual([one.failed, one.errorCount], [1, 20]);
  const many = await shop.run('type=products', invalidRows(5100), 'application/x-ndjson');
  assert.deepEqual([many.status, many.failed < 5100], ['FAILED', true]);
  assert.match(many.error, /right file/);
  const rows = Array.from({ length: 1002 }, (_, i) => row('long', { option: `S${i}` }));
  const long = await shop.run('type=products', fileOf(...rows, row('after')));
  assert.equal(countsOf(long), 'DONE +2 ~0 =0 -0 !0');
  assert.deepEqual([long.warnings.length, long.warnings[0]!.row], [1, 1002]);
  assert.match(long.warnings[0]!.message, /Only the first 1000 were imported/);
  assert.equal((await shop.get('/products/long')).variants.length, 1000);
  const person = JSON.stringify({ email: 'ada@example.com', name: 'Ada' });
  const twice = await shop.run('type=customers', `${person}\n${person}\n`, 'application/x-ndjson');
  assert.equal(twice.errors[0]!.message, 'This email address is already used in row 1.');
});

test('NDJSON is detected even if the first line is longer than the bytes read for detection', async () => {
  const shop = await openShop(h, ONE);
  const rowOf = (name: string) =>
    JSON.stringify({ name, variants: [], blocks: [{ id: 'b', type: 'TEXT', value: 'x'.repeat(300_000) }] });
  assert.equal(countsOf(await shop.run('type=products', `${rowOf('A')}\n${rowOf('B')}`)), 'DONE +2 ~0 =0 -0 !0');
  const list = `{"data":[${rowOf('C')}]}`;
  assert.equal(
    countsOf(await shop.run('type=products', list)),
    'DONE +1 ~0 =0 -0 !0',
    'a JSON document is still detected',
  );
});

test('only the first thousand rows of an oversized record are kept in memory', async () => {
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

test('a record that the database rejects is reported with its row, and the other records are written', async () => {
  const shop = await openShop(h, ONE);
  await h.pool`alter table products add constraint no_poison check (doc::text not like '%Poison%') not valid`;
  const rows = ['a', 'b', 'poison', 'd', 'e'].map((name) => row(name, { title: name === 'poison' ? 'Poison' : name }));
  const done = await shop
    .run('type=products', fileOf(...rows))
    .finally(() => h.pool`alter table products drop constraint no_poison`);
  assert.equal(countsOf(done), 'DONE +4 ~0 =0 -0 !1');
  assert.deepEqual([done.errors[0]!.row, done.errors[0]!.error], [4, 'NOT_WRITTEN']);
});

test('an error that is not caused by the records releases the import, which resumes later', async () => {
  const shop = await openShop(h, ONE);
  const { body: made } = await shop.post('type=products', fileOf(row('a'), row('b')));
  await h.pool`alter table products rename to products_renamed`;
  await h.drain('run-import').catch(() => {});
  await h.pool`alter table products_renamed rename to products`;
  assert.equal(countsOf(await shop.get(`/imports/${made.id}`)), 'RUNNING +0 ~0 =0 -0 !0');
  await h.drain('run-import');
  assert.equal(countsOf(await shop.get(`/imports/${made.id}`)), 'DONE +2 ~0 =0 -0 !0');
});

test('a caller without permission is rejected before the file is read', async () => {
  const shop = await openShop(h);
  const { token } = await h.member(shop.businessId, 'CUSTOMER_WRITE');
  const requested = request(`${h.url}${shop.base}/imports?type=products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'content-length': 10_000_000 },
  });
  requested.write('Handle,');
  const [response] = await once(requested, 'response');
  assert.equal(response.statusCode, 403);
  requested.destroy();
});

test('each type requires its own permission to import, to read the import and to export', async () => {
  const shop = await openShop(h);
  const { body: made } = await shop.post('type=products&market=us', fixture('shopify-products-new.csv'));
  const support = await h.member(shop.businessId, 'CUSTOMER_WRITE');
  const as = <M extends string, P extends string>(method: M, path: P) =>
    h.call(method, `${shop.base}${path}`, { token: support.token });
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

test('an import ends when the user who started it loses the permission', async () => {
  const shop = await openShop(h);
  const { body: made } = await shop.post('type=products&market=us', fixture('shopify-products-new.csv'));
  await h.pool`delete from members where business_id = ${shop.businessId} and user_id = ${shop.userId}`;
  await h.drain('run-import');
  const [found] = await h.pool`select status, error from imports where id = ${made.id}`;
  assert.equal(found!.status, 'FAILED');
  assert.match(found!.error, /CATALOG_WRITE/);
});

test('an import writes no further batch after the user who started it loses the permission', async () => {
  const shop = await openShop(h, ONE);
  const rows = Array.from({ length: 41 }, (_, i) => row(`shirt-${i}`));
  const { body: made } = await shop.post('type=products', fileOf(...rows));
  const { running } = await h.pool.transaction(async (tx) => {
    await tx`lock table import_keys in exclusive mode`;
    const running = h.drain('run-import');
    await whenWaitingForLock(h.pool, running);
    await tx`delete from members where business_id = ${shop.businessId} and user_id = ${shop.userId}`;
    return { running };
  });
  await running;
  const [found] = await h.pool`select status, created, error from imports where id = ${made.id}`;
  assert.deepEqual([found!.status, found!.created], ['FAILED', 20]);
  assert.match(found!.error, /CATALOG_WRITE/);
});

test('a business can have three open imports, and a canceled import stops writing', async () => {
  const shop = await openShop(h);
  const file = fixture('shopify-products-new.csv');
  const made = [];
  for (let i = 0; i < 3; i++) made.push((await shop.post('type=products&market=us', file)).body.id);
  assert.equal((await shop.post('type=products&market=us', file)).status, 409);
  const requested = request(`${h.url}${shop.base}/imports?type=products&market=us`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'text/csv', 'content-length': 10_000_000 },
  });
  requested.write('Handle,');
  const [refused] = await once(requested, 'response');
  assert.equal(refused.statusCode, 409, 'before the file is read');
  requested.destroy();
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
      // With a pool of one connection, the others wait for it.
      return row!.waiting >= Math.min(posts.length, divideConnections(h.config.databasePool).pool);
    });
    return { posts };
  });
  const atOnce = await Promise.all(posts);
  assert.equal(atOnce.filter(({ status }) => status === 200).length, 1);
});

test('an import belongs to one worker until its lease expires; a worker without the lease, or of an ended import, writes nothing', async () => {
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

/** A business with one record of each type. */
async function createFullShop() {
  const shop = await openShop(h);
  await shop.run('type=products&market=us', fixture('shopify-products-new.csv'));
  await shop.run('type=products', fixture('medusa-products.csv'));
  await shop.run('type=customers', fixture('shopify-customers.csv'));
  const post = async <P extends string>(path: P, body: object) => {
    const response = await shop.call('POST', path, body);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
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
  const newsletter = await post('/collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    statuses: [{ status: 'PUBLISHED' }],
    plans: [{ id: '-free', name: 'Free' }],
    blocks: [{ id: 'title', type: 'TEXT' }],
  });
  await shop.run(`type=subscribers&collectionId=${newsletter.id}&consent=Ghost`, fixture('ghost-members.csv'));
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
  const parts = await order(3);
  await post(`/orders/${parts.id}/shipments`, {
    lines: [{ lineId: 'line_1', quantity: 1 }],
    tracking: { carrier: 'DHL', number: '0034' },
  });
  await post('/entries', { owner: `order:${paid.id}`, blocks: [{ id: 'gift', type: 'TEXT', value: 'To Ada' }] });
  return { ...shop, blog, lamp, paid, first, lost };
}

test('importing an export changes nothing, in both formats', async () => {
  const shop = await createFullShop();
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
  assert.equal((await shop.call('PUT', path, lost)).status, 200, 'a reference to a deleted record is allowed');
  const other = lost.blocks.map((block) => (block.id === 'next' ? { ...block, value: `${block.value}x` } : block));
  assert.equal((await shop.call('PUT', path, { blocks: other })).status, 422);
  const csv = await shop.download('/exports?type=products');
  for (const cell of csv.split(/,|\r\n/))
    assert.doesNotMatch(cell.replace(/^"/, ''), /^[\s\u200b]*[=+@＝＋＠-]/, 'no cell is a formula');
});

/** The lines of an export without business-specific values. */
const partsOf = (text: string): Json[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => !['business', 'role', 'member', 'end'].includes(kind))
    .map(({ kind, data }) => ({ kind, ...data, businessId: '' }));

test('a whole business can be exported and imported', async () => {
  const shop = await createFullShop();
  const later = Math.floor(Date.now() / 1000) + 86_400;
  for (const [path, status] of [
    [`/products/${shop.lamp.id}`, 'ARCHIVED'],
    [`/entries/${shop.first.id}`, 'DRAFT'],
    [`/collections/${shop.blog.id}`, 'PUBLISHED'],
  ] as const) {
    const planned = await shop.call('PUT', path, { scheduled: [{ status, timestamp: later }] });
    assert.equal(planned.body.scheduled!.length, 1, JSON.stringify(planned.body));
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
  assert.equal(second.status, 409, 'the business is no longer empty');
  const third = await openShop(h, { configs: {} });
  assert.deepEqual((await third.run('type=business', again)).errors, []);
  assert.deepEqual(partsOf(await third.download('/export')), partsOf(out), 'after moving twice');
  const products = await third.run('type=products', await third.download('/exports?type=products&format=ndjson'));
  assert.equal(countsOf(products), 'DONE +0 ~0 =7 -0 !0', JSON.stringify(products.errors));
  const entries = await third.run('type=entries', await third.download('/exports?type=entries&format=ndjson'));
  assert.deepEqual([entries.failed, entries.updated, entries.errors], [0, 0, []]);
  const lamp = await third.get(`/products/${shop.lamp.id}`);
  const file = lamp.blocks[0]!.value as string;
  assert.match(file, /^media_/, 'it still refers to the file, which is not in this library');
  assert.equal((await third.call('PUT', `/products/${lamp.id}`, { ...lamp, name: 'Lantern' })).status, 200);
  const other = {
    blocks: [{ ...lamp.blocks[0], value: file.replace(/.$/, (end) => (end === '0' ? '1' : '0')) }],
  };
  assert.equal(
    (await third.call('PUT', `/products/${lamp.id}`, other)).status,
    422,
    'a file that it did not refer to before',
  );
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
  await sells.run('type=business', completed(lines), 'application/x-ndjson');
  const taken = (await sells.get('')).configs;
  assert.deepEqual([taken.markets, taken.paymentProvider], [MARKETS, undefined], 'a provider without its secrets');
  const planned = await h.pool`select entity from planned where business_id = ${empty.businessId}`;
  assert.equal(planned.length, 3, 'scheduled changes happen here too');
  const late = await openShop(h, { configs: {} });
  const missed = await late.run('type=business', out.replaceAll(String(later), String(later - 172_800)));
  assert.deepEqual(missed.errors, []);
  const { statuses, scheduled = [] } = await late.get(`/entries/${shop.first.id}`);
  assert.deepEqual(
    [statuses.at(-1)!.status, scheduled],
    ['DRAFT', []],
    'changes that became due meanwhile have happened',
  );
});

test('library images move with a whole business, even within one service', async () => {
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
  const [image] = (await empty.get(`/products/${lamp.id}`)).gallery;
  assert.match(image!.url, new RegExp(`/media/${empty.businessId}/`), 'its own copy');
  assert.deepEqual(image!.alt, alt);
  assert.equal((await fetch(image!.url)).status, 200);
  const other = await openShop(h);
  await other.run('type=products', await shop.download('/exports?type=products&format=csv'));
  await h.drain('import-pictures');
  const [taken] = (await other.get(`/products/${lamp.slug}`)).gallery;
  assert.deepEqual([taken!.alt, taken!.fileName], [alt, 'lamp.jpg'], 'from a CSV file too');
});

test('a text file is rejected as a product image, the error names the row, and the file is not added to the library', async () => {
  const shop = await openShop(h);
  const form = new FormData();
  form.append('files', new Blob(['Not an image'], { type: 'text/plain' }), 'notes.txt');
  const headers = { authorization: `Bearer ${shop.token}` };
  const uploaded = await fetch(`${h.url}${shop.base}/upload`, { method: 'POST', headers, body: form });
  const { items } = (await uploaded.json()) as Json;
  const { url } = items[0];
  const gallery = JSON.stringify({ name: 'Lamp', slug: 'lamp', variants: [], gallery: [{ url }] });
  const files: [string, string, number][] = [
    [`ID,Type,Name,Regular price,Images\n1,simple,Lamp,10,${url}`, 'text/csv', 2],
    [gallery, 'application/x-ndjson', 1],
  ];
  for (const [file, type, row] of files) {
    const other = await openShop(h);
    const { id } = await other.run('type=products&market=us', file, type);
    await h.drain('import-pictures');
    const { created, pictures, errors } = await other.get(`/imports/${id}`);
    assert.deepEqual([created, pictures], [1, { waiting: 0, fetched: 0, failed: 1 }], JSON.stringify(errors));
    assert.deepEqual([errors[0]!.row, errors[0]!.error], [row, 'NOT_FETCHED']);
    assert.match(errors[0]!.message, /^The image is of type text\/plain\. Use an image or a video\./);
    assert.equal((await other.get('/media')).items.length, 0);
  }
});

test('files in MEDIA blocks move with their metadata and outlive the source business', async () => {
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
  const images = [cover, { id: 'images', type: 'MEDIA' }, { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } }];
  const { body: blog } = await shop.call('POST', '/collections', { name: 'Blog', blocks: images, status: 'PUBLISHED' });
  const body = { id: 'body', value: `<p onclick="x">${'A long text. '.repeat(5000)}</p>` };
  const { body: entry } = await shop.call('POST', '/entries', {
    collectionId: blog.id,
    blocks: [{ id: 'cover', value: { id: mediaId } }, { id: 'images', value: [{ url: gone }, { id: mediaId }] }, body],
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
  assert.deepEqual([errors.length, errors[0]!.row, errors[0]!.error], [1, row, 'NOT_FETCHED']);
  assert.equal((await shop.call('DELETE', `/media/${mediaId}?force=true`)).status, 200);
  await h.drain();
  assert.equal((await fetch(oldUrl)).status, 404);

  const product = await empty.get(`/products/${lamp.id}`);
  const moved = await empty.get(`/entries/${entry.id}`);
  const [first, second] = moved.blocks[1]!.value as Json[];
  const file = product.gallery[0];
  for (const item of [file, product.blocks[0]!.value, moved.blocks[0]!.value, second]) {
    const { title, alt, focalPoint, fileName } = item;
    assert.deepEqual({ title, alt, focalPoint, fileName }, { ...about, fileName: 'lamp.jpg' });
    assert.deepEqual([item.id, item.url], [file!.id, file!.url], 'one file for all records');
    assert.match(item.url, new RegExp(`/media/${empty.businessId}/`));
  }
  assert.equal(first.url, gone, "a file that can't be fetched keeps its URL");
  assert.equal((await fetch(file!.url)).status, 200);
  assert.ok(Math.abs((await shadeOf(file)) - shade) < 1, 'cropped around its focal point');
  const { entities } = await empty.get(`/media/${file!.id}/uses`);
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
  const own = await empty.call('PUT', `/products/${lamp.id}`, { blocks: [{ ...cover, value: { url: file!.url } }] });
  assert.equal(own.status, 200);
  assert.equal(
    countsOf(await empty.run('type=products', await empty.download('/exports?type=products&format=ndjson'))),
    'DONE +0 ~0 =1 -0 !0',
    'a URL set here is kept',
  );

  const post = { id: 7, documentId: 'a', cover: { url: file!.url, mime: 'image/jpeg', alternativeText: 'A lamp' } };
  const other = await openShop(h);
  const { body: posts } = await other.call('POST', '/collections', { name: 'Posts', blocks: [cover] });
  await other.run(`type=entries&collectionId=${posts.id}`, JSON.stringify({ data: [post] }), 'application/json');
  await h.drain('import-pictures');
  const [taken] = (await other.get(`/entries?collectionId=${posts.id}`)).items;
  const image = taken!.blocks[0]!.value as Json;
  assert.match(image.url, new RegExp(`/media/${other.businessId}/`), 'from another system too');
  assert.equal(image.alt, 'A lamp');
});

test('lines of an imported order have different IDs, even if the edited file names only some of them', async () => {
  const shop = await createFullShop();
  const out = (await shop.download('/export')).trim().split('\n');
  const at = out.findIndex((part) => part.startsWith('{"kind":"order"'));
  const edited = (ids: (string | undefined)[]) => {
    const { data, ...rest } = JSON.parse(out[at]!);
    const [line] = data.lines;
    const lines = ids.map((id) => ({ ...line, ...(id === undefined ? { id: undefined } : { id }) }));
    const added = line.totalPrice * (ids.length - data.lines.length);
    const amounts = { subtotal: data.subtotal + added, total: data.total + added };
    return completed(out.with(at, JSON.stringify({ ...rest, data: { ...data, ...amounts, lines } })));
  };
  const empty = await openShop(h, { configs: {} });
  const done = await empty.run('type=business', edited(['line_2', undefined, undefined]), 'application/x-ndjson');
  assert.deepEqual(done.errors, []);
  const { lines } = await empty.get(`/orders/${JSON.parse(out[at]!).data.id}`);
  assert.equal(new Set(lines.map(({ id }) => id)).size, 3);
  assert.deepEqual([lines[0]!.id, lines[2]!.id], ['line_2', 'line_3']);
  const other = await openShop(h, { configs: {} });
  const refused = await other.run('type=business', edited(['line_1', 'line_1']), 'application/x-ndjson');
  assert.deepEqual([refused.errors[0]!.row, refused.errors[0]!.field], [at + 1, 'lines[1].id']);
});

test('imported orders are unchanged and have no side effects', async () => {
  const shop = await createFullShop();
  const out = await shop.download('/export');
  const empty = await openShop(h, { configs: {} });
  const done = await empty.run('type=business', out, 'application/x-ndjson');
  assert.deepEqual(done.errors, []);
  const { items: orders } = await empty.get('/orders');
  assert.deepEqual(
    orders.map(({ businessId: _, etag: __, ...order }) => order),
    (await shop.get('/orders')).items.map(({ businessId: _, etag: __, ...order }) => order),
  );
  assert.deepEqual([orders[0]!.fulfillment, orders[0]!.tracking], ['PARTIAL', { carrier: 'DHL', number: '0034' }]);
  assert.deepEqual((await empty.get('/orders?fulfillment=PARTIAL')).items, [orders[0]]);
  const lamp = await empty.get(`/products/${shop.lamp.id}`);
  assert.equal(lamp.variants[0]!.inventory.quantity, 5, 'stock is not deducted again');
  const [code] = (await empty.get('/promo-codes')).items;
  assert.equal(code!.uses, 1, 'the promo code has its use count');
  const { businessId } = empty;
  assert.equal((await h.pool`select from order_tasks where business_id = ${businessId}`).length, 0, 'no email');
  assert.equal((await h.pool`select from payments where business_id = ${businessId}`).length, 0);
  await h.numberEvents(businessId);
  const { items: events } = await empty.get('/events?after=0&types=order.*&limit=100');
  assert.deepEqual([...new Set(events.map(({ type }) => type))], ['order.imported']);
  const line = { productId: shop.lamp.id, variantId: 'v', quantity: 1 };
  const next = await empty.call('POST', '/orders', { customerId: empty.userId, market: 'us', lines: [line] });
  assert.equal(next.body.number, 4, 'numbers continue');
  const parts = out.trim().split('\n');
  for (const without of ['order', 'orders']) {
    const some = await openShop(h, { configs: {} });
    const left = parts.filter((part) => JSON.parse(part).kind !== without);
    await some.run('type=business', completed(left), 'application/x-ndjson');
    const { body } = await some.call('POST', '/orders', { customerId: some.userId, market: 'us', lines: [line] });
    assert.equal(body.number, 4, `without the rows of ${without}`);
  }
  const cancelled = await empty.call('PUT', `/orders/${orders[0]!.id}/status`, { status: 'CANCELLED' });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  const after = await empty.get(`/products/${shop.lamp.id}`);
  assert.equal(after.variants[0]!.inventory.quantity, 6, 'stock that was not shipped is returned once');
  const { body: rest } = await empty.call('POST', `/orders/${shop.paid.id}/refund`, {});
  assert.equal(rest.paymentStatus.at(-1)!.status, 'REFUNDED', 'earlier refunds count');
});

test('an order with inconsistent totals or a used number is not written', async () => {
  const shop = await createFullShop();
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
  const done = await empty.run('type=business', completed([...changed, JSON.stringify(repeated)]));
  const reported = done.errors.map(({ field, error }) => `${field} ${error}`);
  assert.deepEqual(reported, [
    'total TOTAL_MISMATCH',
    'lines[0].totalPrice TOTAL_MISMATCH',
    'refunded OUT_OF_RANGE',
    'orderId NOT_FOUND',
    'orderId NOT_FOUND',
    'owner NOT_FOUND',
    'number DUPLICATE',
  ]);
  assert.deepEqual((await empty.get('/orders')).items, []);
});

test('an order whose shipments contain more than its lines is not written', async () => {
  const shop = await createFullShop();
  const lines = (await shop.download('/export')).trim().split('\n');
  const changed = lines.map((line) => {
    const part = JSON.parse(line);
    if (part.kind !== 'order' || part.data.number !== 3) return line;
    const [shipment] = part.data.shipments;
    part.data.shipments = [shipment, { ...shipment, lines: [{ lineId: 'line_1', quantity: 3 }] }];
    return JSON.stringify(part);
  });
  const empty = await openShop(h, { configs: {} });
  const { errors } = await empty.run('type=business', completed(changed));
  assert.deepEqual(
    errors.map(({ field, error }) => `${field} ${error}`),
    ['shipments[1].id DUPLICATE', 'shipments[1].lines[0].quantity OUT_OF_RANGE'],
  );
});

test('members are imported as invitations, each counted as an email, and the emails of non-members are not revealed', async () => {
  const shop = await openShop(h);
  const editor = await h.member(shop.businessId, 'CONTENT_WRITE');
  const stranger = await h.member(shop.businessId, 'CATALOG_WRITE');
  await h.pool`update members set used_at = null where user_id = ${stranger.userId}`;
  const out = await shop.download('/export');
  const members = out.split('\n').filter((line) => line.startsWith('{"kind":"member"'));
  assert.equal(members.length, 2);
  const empty = await openShop(h, { configs: {} });
  const { email } = (await h.call('GET', '/v1/users/me', { token: editor.token })).body;
  const own = (await h.call('GET', '/v1/users/me', { token: empty.token })).body.email;
  const file = out.replace((await h.call('GET', '/v1/users/me', { token: shop.token })).body.email!, own!);
  const done = await empty.run('type=business', file, 'application/x-ndjson');
  assert.deepEqual(done.errors, []);
  const { items } = await empty.get('/invitation');
  assert.deepEqual(
    items.map((each) => each.email),
    [email],
    'nobody becomes a member without accepting, and the importing user already is one',
  );
  const roles = (await empty.get(`/../../roles?businessId=${empty.businessId}`)).items;
  assert.ok(roles.some(({ id }: Json) => id === items[0]!.roleIds[0]));
  const crowd = Array.from({ length: 120 }, (_, i) => members[0]!.replace(/[^"]+@[^"]+/, `m${i}@example.com`));
  const many = await (await openShop(h, { configs: {} })).run(
    'type=business',
    completed([...file.split('\n'), ...crowd]),
  );
  assert.equal(many.errors.at(-1)?.error, 'RATE_LIMITED');
});

test('images are fetched after the products are saved, and a failed one is reported with its row', async (t) => {
  const shop = await openShop(h, ONE);
  const pixel = Buffer.from('R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=', 'base64');
  const { createServer } = await import('node:http');
  let requested = 0;
  const server = createServer((request, response) => {
    if (request.url === '/a.gif') requested++;
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
  assert.deepEqual([after.errors[0]!.row, after.errors[0]!.error], [3, 'NOT_FETCHED']);
  const seen = await shop.get('/products/seen');
  assert.match(seen.gallery[0].id, /^media_/);
  assert.equal(seen.gallery[0].alt, 'A white pixel');
  assert.equal(countsOf(await shop.run('type=products', file)), 'DONE +0 ~0 =2 -0 !0');
  const fileWith = (handle: string) => [header, `${row(handle)},${at}/a.gif`].join('\n');
  await shop.run('type=products', fileWith('other'));
  await h.drain('import-pictures');
  assert.deepEqual([requested, (await shop.get('/products/other')).gallery[0].id], [1, seen.gallery[0].id]);

  await shop.call('DELETE', `/media/${seen.gallery[0].id}?force=true`);
  await h.drain();
  await shop.run('type=products', fileWith('later'));
  await h.drain('import-pictures');
  const [again] = (await shop.get('/products/later')).gallery;
  assert.match(again.id, /^media_/);
  assert.notEqual(again.id, seen.gallery[0].id, 'a file deleted from the library is fetched again');
  assert.equal(requested, 2);

  // Deleted between the fetch and the update of the waiting product.
  await h.pool`update import_pictures set status = 'WAITING' where import_id = ${done.id} and status = 'DONE'`;
  const { fetching } = await h.pool.transaction(async (tx) => {
    await tx`select from import_addresses where business_id = ${shop.businessId} for update`;
    const working = fetchImages(importContext(shop.businessId));
    await whenWaitingForLock(h.pool, working);
    await tx`delete from media where business_id = ${shop.businessId} and id = ${again.id}`;
    return { fetching: working };
  });
  await fetching;
  assert.equal(requested, 3);
  assert.deepEqual((await shop.get(`/imports/${done.id}`)).pictures, { waiting: 0, fetched: 1, failed: 1 });
});

test('an import emits events for each record and for itself', async () => {
  const shop = await openShop(h);
  await shop.run('type=products&market=us', fixture('shopify-products-old.csv'));
  await h.numberEvents(shop.businessId);
  const { items } = await shop.get('/events?after=0');
  assert.deepEqual(
    items.map(({ type }) => type),
    ['import.created', 'product.created', 'product.created', 'import.completed'],
  );
  assert.equal(items[1]!.actor.userId, shop.userId);
  assert.equal((items[1]!.data as Json).slug, 'wool-hat');
});

test('ended imports are deleted after 30 days, and unused files after one', async () => {
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
  await sweepImports(ctx);
  assert.deepEqual(await files(), [open.id, 'imp_orphan'].sort(), 'it may still become an import');
  h.clock.advance(2 * 86_400);
  await sweepImports(ctx);
  assert.deepEqual(await files(), [open.id]);
  const left = async () =>
    (await h.pool`select id from imports where business_id = ${shop.businessId} order by id`).map(({ id }) => id);
  await sweepImports(ctx);
  assert.deepEqual(await left(), [old.id, open.id]);
  h.clock.advance(30 * 86_400);
  await sweepImports(ctx);
  assert.deepEqual(await left(), [open.id]);
  await h.drain('run-import');
});
