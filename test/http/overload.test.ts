import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import test, { after } from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { startService } from '../service.ts';

const REQUESTS = 2000;
const DEADLINE_MS = 30_000;
const STOCK = 900;

const h = await startHarness();
const { host, user, password, database } = h.target;
const shop = await openShop(h);
const product = await shop.product({ quantity: STOCK });

/** The service with the smallest pool there is, in a process of its own: one that hangs can be ended. */
const service = await startService('start', {
  PORT: '0',
  DATA_DIR: h.config.dataDir,
  DATABASE_URL: `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`,
  DATABASE_POOL: '2',
  SECRET_KEY: h.config.secretKey,
  DEMO: '0',
  LOG_LEVEL: 'silent',
});
const agent = new Agent({ keepAlive: false, maxSockets: REQUESTS });
after(async () => {
  agent.destroy();
  await service.stop('SIGKILL');
});

type Kind = 'read' | 'checkout' | 'order' | 'guest login' | 'login';
type Outcome = { kind: Kind; status: number; tookMs: number; body: Json };

const basket = [{ productId: product, variantId: 'main', quantity: 1 }];
const friend = {
  id: 'friend',
  type: 'RELATIONSHIP',
  settings: { targetType: 'USER' },
  value: shop.staff.userId,
};
const CALLS: Record<Kind, [method: string, path: string, token: string, body?: object]> = {
  read: ['GET', `${shop.base}/products/${product}`, shop.customer.token],
  checkout: [
    'POST',
    `${shop.base}/orders/checkout`,
    shop.customer.token,
    { market: 'us', paymentMethod: 'CREDIT_CARD', items: basket },
  ],
  order: [
    'POST',
    `${shop.base}/orders`,
    shop.staff.token,
    { customerId: shop.customer.userId, market: 'us', currency: 'usd', lines: basket, blocks: [friend] },
  ],
  'guest login': ['POST', '/v1/users/login', '', { provider: 'GUEST' }],
  login: ['POST', '/v1/users/login', '', { provider: 'EMAIL', password: 'wrong horse 9' }],
};
const MIX: Kind[] = ['read', 'checkout', 'order', 'read', 'checkout', 'order', 'read', 'guest login', 'read', 'login'];

/** Logins go to several accounts, so that not only the limit of one account is seen. Status 0: no answer in time. */
function send(kind: Kind, i: number): Promise<Outcome> {
  const [method, path, token, given] = CALLS[kind];
  const body = kind === 'login' ? { ...given, email: `nobody${i % 50}@example.com` } : given;
  const startedAt = performance.now();
  const headers = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  return new Promise((resolve) => {
    const finish = (status: number, answer: Json) =>
      resolve({ kind, status, tookMs: performance.now() - startedAt, body: answer });
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const request = httpRequest(`${service.url}${path}`, { method, headers, agent, signal }, (answer) => {
      text(answer).then(
        (said) => finish(answer.statusCode!, said ? JSON.parse(said) : null),
        () => finish(0, null),
      );
    });
    request.on('error', (error) => finish(0, { message: error.message }));
    request.end(body && JSON.stringify(body));
  });
}

function tally(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, status } of outcomes) counts[`${kind} ${status}`] = (counts[`${kind} ${status}`] ?? 0) + 1;
  return counts;
}

test('2,000 requests at once on two connections all end, nothing is half done, and it goes on as before', {
  timeout: 120_000,
}, async (t) => {
  const outcomes = await Promise.all(Array.from({ length: REQUESTS }, (_, i) => send(MIX[i % MIX.length]!, i)));
  const slowest = Math.max(...outcomes.map(({ tookMs }) => tookMs));
  t.diagnostic(`${JSON.stringify(tally(outcomes))}, slowest ${Math.round(slowest)} ms`);
  const isFine = ({ status }: Outcome) => status === 200 || status === 503 || (status >= 400 && status < 500);
  assert.deepEqual(tally(outcomes.filter((outcome) => !isFine(outcome))), {});

  const orders = await shop.orders();
  const sold = orders.filter(({ holds }) => holds).length;
  assert.equal(await shop.stock(product), STOCK - sold);
  assert.equal(await shop.ledger(product), STOCK - sold);
  assert.deepEqual(
    orders.map(({ number }) => number),
    orders.map((_, i) => i + 1),
  );
  const ids = new Set(orders.map(({ id }) => id));
  const promised = outcomes.filter(({ kind, status }) => status === 200 && (kind === 'checkout' || kind === 'order'));
  assert.deepEqual(
    promised.filter(({ body }) => !ids.has(body.orderId ?? body.id)),
    [],
  );

  for (const kind of ['read', 'checkout', 'order'] as const) {
    const { status, tookMs } = await send(kind, 0);
    assert.equal(status, 200, kind);
    assert.ok(tookMs < 2000, `${kind}: ${Math.round(tookMs)} ms`);
  }
  await service.stop('SIGTERM');
});
