import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { startHarness } from '../harness.ts';
import { openShop, press } from './shop.ts';

const h = await startHarness();
const shop = await openShop(h);

/** `ended`: PostgreSQL said that no transaction is open any more. */
type Trip = { connection: number; sent: string; ended: boolean };

const READY_IDLE = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** How far away PostgreSQL is: what does not wait for an answer is sent well before one comes. */
const DISTANCE_MS = 20;

/** Stands between the service and PostgreSQL. Whatever is sent before the next answer comes is one round trip. */
async function startProxy() {
  const trips: Trip[] = [];
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const connection = ++connections;
    const upstream = createConnection(`${h.target.host}/.s.PGSQL.${h.target.port}`);
    let current: Trip | null = null;
    client.on('data', (data) => {
      if (current === null) {
        current = { connection, sent: '', ended: false };
        trips.push(current);
      }
      current.sent += data.toString('latin1');
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      setTimeout(() => {
        const last = trips.findLast((trip) => trip.connection === connection);
        if (last && data.includes(READY_IDLE)) last.ended = true;
        current = null;
        client.write(data);
      }, DISTANCE_MS);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((each) => void each.destroy()));
    }
  });
  const folder = mkdtempSync(join(tmpdir(), 'souk-proxy-'));
  await new Promise<void>((resolve) => server.listen(join(folder, `.s.PGSQL.${h.target.port}`), resolve));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { trips, host: folder };
}

/** A second process, 20 ms away from PostgreSQL. */
async function startDistant(proxy: { host: string }) {
  const service = await createService({
    config: { ...h.config, databasePool: 2 },
    target: { ...h.target, host: proxy.host },
    log: pino({ level: 'error' }),
    works: false,
    clock: h.clock,
  });
  return { service, url: await service.listen() };
}

/** How many statements were sent, BEGIN and COMMIT included, but for the heartbeat of the broadcast. */
function countStatements(trips: Trip[]): number {
  let count = 0;
  for (const ofConnection of Map.groupBy(trips, (trip) => trip.connection).values()) {
    const bytes = Buffer.from(ofConnection.map((trip) => trip.sent).join(''), 'latin1');
    let bound = '';
    for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
      const type = String.fromCharCode(bytes[at]!);
      const text = bytes.toString('latin1', at, at + 1 + bytes.readInt32BE(at + 1));
      if (type === 'B') bound = text;
      const sent = type === 'Q' ? text : type === 'E' ? bound : '';
      if (sent && !sent.includes('souk_changes')) count++;
    }
  }
  return count;
}

test('paying in the sandbox is one read and a transaction of five statements', async () => {
  const proxy = await startProxy();
  const { service, url } = await startDistant(proxy);
  await service.events.stop();
  try {
    const mug = await shop.product({ quantity: 100 });
    const pay = async () => {
      const { checkoutUrl } = (await shop.checkout(mug)).body;
      proxy.trips.length = 0;
      assert.equal((await press(`${url}${new URL(checkoutUrl).pathname}`, 'pay')).status, 200);
      return countStatements(proxy.trips);
    };
    await pay();
    // Read; BEGIN, lock the order, payment paid, order paid, task of the mail, events, COMMIT.
    assert.equal(await pay(), 8);
  } finally {
    await service.stop();
  }
});

test('the transaction of a checkout takes one round trip, BEGIN and COMMIT included, and is on the disk when it is answered', async () => {
  const proxy = await startProxy();
  const { service, url } = await startDistant(proxy);
  await service.events.stop();
  try {
    const mug = await shop.product({ quantity: 100 });
    await shop.promo('TRIPS', [{ type: 'ITEMS_FIXED', amount: 1 }]);
    const buy = (i: number) =>
      fetch(`${url}${shop.base}/orders/checkout`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${shop.customer.token}`,
          'content-type': 'application/json',
          'idempotency-key': `trip-${i}`,
        },
        body: JSON.stringify({
          market: 'us',
          paymentMethod: 'CREDIT_CARD',
          promoCode: 'TRIPS',
          items: [{ productId: mug, variantId: 'main', quantity: 1 }],
        }),
      });
    for (let i = 0; i < 6; i++) assert.equal((await buy(i)).status, 200, 'prepares the statements of each connection');
    proxy.trips.length = 0;
    assert.equal((await buy(6)).status, 200);
    const begin = proxy.trips.findIndex((trip) => /begin/i.test(trip.sent));
    const { connection } = proxy.trips[begin]!;
    const own = proxy.trips.slice(begin).filter((trip) => trip.connection === connection);
    const ofCheckout = own.slice(0, own.findIndex((trip) => trip.ended) + 1);
    assert.equal(ofCheckout.length, 1, ofCheckout.map((trip) => trip.sent.replaceAll(/[^ -~]+/g, ' ')).join('\n---\n'));
    const flush = /commit.*pg_logical_emit_message/s;
    assert.match(ofCheckout[0]!.sent, flush, 'the flush follows the commit on its own connection');
  } finally {
    await service.stop();
  }
});
