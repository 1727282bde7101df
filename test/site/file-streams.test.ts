import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import test, { type TestContext } from 'node:test';
import { createFileStreams } from '../../src/site/file-streams.ts';
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

test('a file that is read too slowly ends, and the next one starts', async (t) => {
  const get = await start(t, 200);
  assert.deepEqual([await get('a', '127.0.0.2'), await get('a', '127.0.0.2')], [200, 200]);
  await eventually('a slot is free', async () => (await get('a', '127.0.0.2')) === 200, 30_000);
});

test('a file that takes long to write is sent completely to a client that reads it', async (t) => {
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
