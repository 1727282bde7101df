import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { shareHarness } from '../harness.ts';
import { openShop, press } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h);

/** `ended` means that PostgreSQL reported no open transaction. */
type RoundTrip = { connection: number; sent: string; ended: boolean };

const READY_IDLE = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** Added latency, so that pipelined statements are sent well before the first response arrives. */
const LATENCY_MS = 20;

/** A proxy between the service and PostgreSQL. Everything sent before the next response counts as one round trip. */
async function startProxy() {
  const roundTrips: RoundTrip[] = [];
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const connection = ++connections;
    const upstream = createConnection(`${h.target.host}/.s.PGSQL.${h.target.port}`);
    let current: RoundTrip | null = null;
    client.on('data', (data) => {
      if (current === null) {
        current = { connection, sent: '', ended: false };
        roundTrips.push(current);
      }
      current.sent += data.toString('latin1');
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      setTimeout(() => {
        const last = roundTrips.findLast((roundTrip) => roundTrip.connection === connection);
        if (last && data.includes(READY_IDLE)) last.ended = true;
        current = null;
        client.write(data);
      }, LATENCY_MS);
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
  return { roundTrips, host: folder };
}

/** A second process with 20 ms latency to PostgreSQL. */
async function startRemote(proxy: { host: string }) {
  const service = await createService({
    config: { ...h.config, databasePool: 5 },
    target: { ...h.target, host: proxy.host },
    log: pino({ level: 'error' }),
    works: false,
    clock: h.clock,
  });
  return { service, url: await service.listen() };
}

/** Counts statements, including BEGIN and COMMIT but not the heartbeat of the broadcast. */
function countStatements(roundTrips: RoundTrip[]): number {
  let count = 0;
  for (const perConnection of Map.groupBy(roundTrips, (roundTrip) => roundTrip.connection).values()) {
    const bytes = Buffer.from(perConnection.map((roundTrip) => roundTrip.sent).join(''), 'latin1');
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

/** The round trips of the first transaction, from its BEGIN until PostgreSQL reports its end. */
function transactionIn(roundTrips: RoundTrip[]): RoundTrip[] {
  const begin = roundTrips.findIndex((roundTrip) => /begin/i.test(roundTrip.sent));
  const own = roundTrips.slice(begin).filter((roundTrip) => roundTrip.connection === roundTrips[begin]!.connection);
  return own.slice(0, own.findIndex((roundTrip) => roundTrip.ended) + 1);
}

const textOf = (roundTrips: RoundTrip[]) =>
  roundTrips.map((roundTrip) => roundTrip.sent.replaceAll(/[^ -~]+/g, ' ')).join('\n---\n');

test('a sandbox payment takes six statements besides BEGIN, COMMIT and the flush, and releases the invoice counter before the flush', async () => {
  const proxy = await startProxy();
  const { service, url } = await startRemote(proxy);
  await service.jobs.stop();
  try {
    const mug = await shop.product({ quantity: 100 });
    const pay = async () => {
      const { checkoutUrl } = (await shop.checkout(mug)).body;
      proxy.roundTrips.length = 0;
      assert.equal((await press(`${url}${new URL(checkoutUrl!).pathname}`, 'pay')).status, 200);
      return countStatements(proxy.roundTrips);
    };
    const counts = [await pay(), await pay(), await pay(), await pay()];
    // BEGIN, lock the order, update the payment, update the order, insert the email task, issue the invoice, insert events, COMMIT,
    // flush.
    // A cache that expires in between adds a statement, so the lowest count decides.
    assert.equal(Math.min(...counts), 9);
    assert.match(textOf(proxy.roundTrips), /synchronous_commit = off; commit.*select pg_logical_emit_message/s);
  } finally {
    await service.stop();
  }
});

test('a checkout transaction takes one round trip, including BEGIN and COMMIT, and is flushed before the response', {
  skip: process.env.CITUS_BIN ? 'checkouts go to a node, which the proxy is not in front of' : false,
}, async () => {
  const proxy = await startProxy();
  const { service, url } = await startRemote(proxy);
  await service.jobs.stop();
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
    for (let i = 0; i < 6; i++)
      assert.equal((await buy(i)).status, 200, 'warms up the prepared statements of each connection');
    proxy.roundTrips.length = 0;
    assert.equal((await buy(6)).status, 200);
    const checkout = transactionIn(proxy.roundTrips);
    assert.equal(checkout.length, 1, textOf(checkout));
    const flush = /commit.*pg_logical_emit_message/s;
    assert.match(checkout[0]!.sent, flush, 'the flush follows the commit on the same connection');
  } finally {
    await service.stop();
  }
});

test('a guest login and a quote each commit in one round trip', async () => {
  const proxy = await startProxy();
  const { service, url } = await startRemote(proxy);
  await service.jobs.stop();
  try {
    const productId = await shop.product({ quantity: 100 });
    const { businessId } = shop;
    const lines = [{ productId, variantId: 'main', quantity: 1 }];
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${shop.customer.token}`, 'content-type': 'application/json' };
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      assert.equal(response.status, 200, await response.text());
    };
    const calls = [
      () => post('/v1/users/login', { provider: 'GUEST' }),
      () => post('/v1/payments/quote', { businessId, market: 'us', lines }),
    ];
    for (const call of calls) {
      for (let i = 0; i < 6; i++) await call();
      proxy.roundTrips.length = 0;
      await call();
      const roundTrips = transactionIn(proxy.roundTrips);
      assert.equal(roundTrips.length, 1, textOf(roundTrips));
      assert.match(roundTrips[0]!.sent, /commit/i);
    }
  } finally {
    await service.stop();
  }
});
