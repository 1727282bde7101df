import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import test, { after } from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { startService } from '../service.ts';

const REQUESTS = 1000;
const STOCK = 900;

const h = await startHarness();
const { host, user, password, database } = h.target;
const shop = await openShop(h);
const product = await shop.product({ quantity: STOCK });

/** Runs with as few connections as possible, in a separate process that can be killed if it hangs. */
const service = await startService('start', {
  PORT: '0',
  DATA_DIR: h.config.dataDir,
  DATABASE_URL: `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`,
  DATABASE_POOL: '1',
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
type Outcome = { kind: Kind; status: number; body: Json };

const items = [{ productId: product, variantId: 'main', quantity: 1 }];
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
    { market: 'us', paymentMethod: 'CREDIT_CARD', items },
  ],
  order: [
    'POST',
    `${shop.base}/orders`,
    shop.staff.token,
    { customerId: shop.customer.userId, market: 'us', currency: 'usd', lines: items, blocks: [friend] },
  ],
  'guest login': ['POST', '/v1/users/login', '', { provider: 'GUEST' }],
  login: ['POST', '/v1/users/login', '', { provider: 'EMAIL', password: 'wrong horse 9' }],
};
const MIX: Kind[] = ['read', 'checkout', 'order', 'read', 'checkout', 'order', 'read', 'guest login', 'read', 'login'];

/** Logins use several accounts, so that they don't only hit the limit of one account. Status 0 means no response. */
function send(kind: Kind, i: number): Promise<Outcome> {
  const [method, path, token, given] = CALLS[kind];
  const body = kind === 'login' ? { ...given, email: `nobody${i % 50}@example.com` } : given;
  const headers = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  return new Promise((resolve) => {
    const finish = (status: number, json: Json) => resolve({ kind, status, body: json });
    const request = httpRequest(`${service.url}${path}`, { method, headers, agent }, (response) => {
      text(response).then(
        (content) => finish(response.statusCode!, content ? JSON.parse(content) : null),
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

test('1,000 concurrent requests on the smallest pool all complete, leave no partial writes and no lasting damage', {
  timeout: 120_000,
}, async (t) => {
  const outcomes = await Promise.all(Array.from({ length: REQUESTS }, (_, i) => send(MIX[i % MIX.length]!, i)));
  t.diagnostic(JSON.stringify(tally(outcomes)));
  const isExpected = ({ status }: Outcome) => status === 200 || status === 503 || (status >= 400 && status < 500);
  assert.deepEqual(tally(outcomes.filter((outcome) => !isExpected(outcome))), {});

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
    const { status } = await send(kind, 0);
    assert.equal(status, 200, kind);
  }
  await service.stop('SIGTERM');
});
