import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { startHarness } from '../harness.ts';
import { openShop } from './shop.ts';

const h = await startHarness();
const shop = await openShop(h);

/** `ended`: PostgreSQL said that no transaction is open any more. */
type Turn = { connection: number; sent: string; ended: boolean };

const READY_IDLE = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** How far away PostgreSQL is: what does not wait for an answer is sent well before one comes. */
const DISTANCE_MS = 20;

/** Stands between the service and PostgreSQL. Whatever is sent before the next answer comes is one turn. */
async function startProxy() {
  const turns: Turn[] = [];
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const connection = ++connections;
    const upstream = createConnection(`${h.target.host}/.s.PGSQL.${h.target.port}`);
    let current: Turn | null = null;
    client.on('data', (data) => {
      if (current === null) {
        current = { connection, sent: '', ended: false };
        turns.push(current);
      }
      current.sent += data.toString('latin1');
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      setTimeout(() => {
        const last = turns.findLast((turn) => turn.connection === connection);
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
  return { turns, host: folder };
}

test('the transaction of a checkout takes one round trip, BEGIN and COMMIT included, and is on the disk when it is answered', async () => {
  const proxy = await startProxy();
  const service = await createService({
    config: { ...h.config, databasePool: 2 },
    target: { ...h.target, host: proxy.host },
    log: pino({ level: 'error' }),
    works: false,
    clock: h.clock,
  });
  try {
    const url = await service.listen();
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
    proxy.turns.length = 0;
    assert.equal((await buy(6)).status, 200);
    const begin = proxy.turns.findIndex((turn) => /begin/i.test(turn.sent));
    const { connection } = proxy.turns[begin]!;
    const own = proxy.turns.slice(begin).filter((turn) => turn.connection === connection);
    const trips = own.slice(0, own.findIndex((turn) => turn.ended) + 1);
    assert.equal(trips.length, 1, trips.map((turn) => turn.sent.replaceAll(/[^ -~]+/g, ' ')).join('\n---\n'));
    assert.match(
      trips[0]!.sent,
      /commit[^]*pg_logical_emit_message/,
      'the flush follows the commit on its own connection',
    );
  } finally {
    await service.stop();
  }
});
