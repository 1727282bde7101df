import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import test, { type TestContext } from 'node:test';
import { createFileStreams } from '../../src/site/file-streams.ts';
import { writeSitemap } from '../../src/site/sitemap.ts';
import { startServer } from '../http/app.ts';
import { eventually } from '../service.ts';

async function* endless() {
  for (;;) yield 'x'.repeat(65_536);
}

async function start(t: TestContext, maxMs?: number, chunks = endless) {
  const stream = createFileStreams(maxMs);
  const server = await startServer(
    (app) => {
      app.get('/:business', { config: { access: 'public' } }, ({ params }, reply) =>
        stream(reply as never, (params as { business: string }).business, 'text/xml', chunks()),
      );
    },
    { stallMs: 600_000 },
  );
  const open: ClientRequest[] = [];
  t.after(() => {
    for (const each of open) each.destroy();
    return server.stop();
  });
  /** Never reads the file. */
  const get = (business: string, localAddress: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${server.url}/${business}`, { localAddress, agent: false });
      sent.once('response', (response: IncomingMessage) => resolve(response.pause().statusCode!)).once('error', reject);
      open.push(sent);
      sent.end();
    });
  return Object.assign(get, { url: server.url });
}

test('unread files of one business or address do not block the files of others', async (t) => {
  const get = await start(t);
  const statuses = [];
  for (const [business, address] of [
    ['a', '127.0.0.2'],
    ['a', '127.0.0.3'],
    ['a', '127.0.0.4'],
    ['b', '127.0.0.2'],
    ['c', '127.0.0.2'],
    ['c', '127.0.0.5'],
  ] as const) {
    statuses.push(await get(business, address));
  }
  assert.deepEqual(statuses, [200, 200, 503, 200, 503, 200]);
});

test('a file is written only as far as it is read', async (t) => {
  const [chunk, number] = ['x'.repeat(65_536), 2000];
  let written = 0;
  async function* large() {
    for (; written < number; written++) yield chunk;
  }
  const { url } = await start(t, undefined, large);
  const response = await fetch(`${url}/a`);
  const reader = response.body!.getReader();
  let bytes = (await reader.read()).value!.length;
  // Enough time to write a file that ignores its reader.
  for (let i = 0; i < 50; i++) await (await fetch(`${url}/missing/page`)).text();
  assert.ok(written < number / 2, `${written} of ${number} chunks`);
  for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
  assert.equal(bytes, number * chunk.length);
});

test('a sitemap reads records only as they are sent, and ends at 50,000 URLs', async () => {
  let listed = 0;
  async function* endless() {
    for (;;) yield { path: `/products/p-${listed++}` };
  }
  const source = { name: 'products', nextStart: async () => null, list: () => endless() };
  const locales = ['en', 'de'];
  const sitemap = writeSitemap({} as never, { locales } as never, source, '', (path, locale) => `/${locale}${path}`);
  for (let i = 0; i < 3; i++) assert.ok((await sitemap.next()).value!.length < 20_000);
  assert.ok(listed < 1000, `${listed} records`);
  let urls = 0;
  for await (const text of sitemap) urls += text.split('<url>').length - 1;
  assert.ok(urls < 50_000 && listed === 25_001, `${listed} records`);
});

test('a file that is read too slowly is cut off, and the next one starts', async (t) => {
  const get = await start(t, 200);
  assert.deepEqual([await get('a', '127.0.0.2'), await get('a', '127.0.0.2')], [200, 200]);
  await eventually('a slot is free', async () => (await get('a', '127.0.0.2')) === 200, 30_000);
});

test('a file that takes a long time to write is sent completely to a client that reads it', async (t) => {
  async function* slow() {
    for (const chunk of ['one ', 'two ', 'three']) {
      t.mock.timers.tick(60_000);
      yield chunk;
    }
  }
  const { url } = await start(t, 100_000, slow);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  assert.equal(await (await fetch(`${url}/a`)).text(), 'one two three');
});
