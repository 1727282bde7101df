import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { startHarness } from '../harness.ts';
import { photo } from '../media/files.ts';
import { countsOf, MARKETS, openShop } from './shop.ts';

type S3Server = { run(): Promise<AddressInfo>; close(): Promise<void> };
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3Server;

const directory = mkdtempSync(join(tmpdir(), 'souk-s3-'));
const s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'souk' }] });
const { port } = await s3.run();
const h = await startHarness({ STORAGE_URL: `s3://S3RVER:S3RVER@127.0.0.1:${port}/souk?scheme=http` });
after(async () => {
  await s3.close();
  rmSync(directory, { recursive: true, force: true });
});

test('with S3 storage, an import reads its file from S3, stores its images there and deletes its file afterward', async () => {
  const image = await photo(64, 48);
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(image),
  ).listen(0, '127.0.0.1');
  after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shop = await openShop(h, { configs: { markets: [MARKETS[0]] } });
  const header = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src';
  const rows = Array.from(
    { length: 300 },
    (_, i) => `lamp-${i},Lamp ${i},Title,Default Title,L-${i},9.50,${i === 0 ? `${at}/a.jpg` : ''}`,
  );
  const done = await shop.run('type=products', [header, ...rows].join('\n'));
  assert.equal(countsOf(done), 'DONE +300 ~0 =0 -0 !0', JSON.stringify(done.errors));
  await h.drain('import-pictures', 'media-formats');
  assert.deepEqual((await shop.get(`/imports/${done.id}`)).pictures, { waiting: 0, fetched: 1, failed: 0 });
  const [item] = (await shop.get('/products/lamp-0')).gallery;
  const served = await fetch(item.url);
  assert.equal(served.status, 200);
  assert.match(served.headers.get('content-type')!, /^image\//);
  const stored = readdirSync(join(directory, 'souk'), { recursive: true }) as string[];
  assert.ok(!stored.some((name) => name.includes(done.id)), 'the import file itself');
  assert.ok(stored.some((name) => name.includes(shop.businessId)));
  assert.equal(countsOf(await shop.run('type=products', [header, ...rows].join('\n'))), 'DONE +0 ~0 =300 -0 !0');
});
