/** Carriers, tax providers and VIES, each called over a small server on loopback. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { parseNetwork } from '../../src/providers/outbound/addresses.ts';
import { CallFailed, createOutbound } from '../../src/providers/outbound/index.ts';
import { createJsonCalls } from '../../src/providers/outbound/json-call.ts';
import { httpCarriers } from '../../src/providers/shipping/http.ts';
import { httpTaxProvider } from '../../src/providers/tax/http.ts';
import { vies } from '../../src/providers/vies/http.ts';
import { newSecret } from '../../src/shared/security/webhook-signing.ts';
import { startReceiver, verify } from '../webhooks/receiver.ts';

const outbound = createOutbound({ allow: [parseNetwork('127.0.0.0/8')!] });
const secret = newSecret();
const now = () => Math.floor(Date.now() / 1000);
const line = { productId: 'prod_1', variantId: 'main', sku: 'A', quantity: 2, unitPrice: 500, weight: 300 };
const parcel = (quantity = 2) => ({
  shippingMethodId: 'express',
  market: 'de',
  currency: 'eur',
  address: { country: 'DE', zip: '80331' },
  lines: [{ ...line, quantity }],
});

type Respond = (response: ServerResponse) => void;
const json =
  (body: unknown): Respond =>
  (response) =>
    response.end(JSON.stringify(body));

async function start(respond: Respond, timeoutMs?: number) {
  const server = await startReceiver((_call, response) => respond(response));
  const calls = createJsonCalls(outbound, timeoutMs);
  return { server, calls, receiver: { businessId: 'biz_1', url: server.url, secret } };
}

test('a carrier gets a request that it can verify, and its rate is returned', async () => {
  const { server, calls, receiver } = await start(json({ amount: 790, etaText: 'Tomorrow' }));
  const rate = await httpCarriers(calls).quote(receiver, parcel(), now());
  assert.deepEqual(rate, { amount: 790, etaText: 'Tomorrow' });
  const [call] = server.calls;
  assert.deepEqual(verify(secret, call!), { type: 'shipping.rate', businessId: 'biz_1', ...parcel() });
  assert.throws(() => verify(newSecret(), call!));
});

test('identical requests within five minutes, even concurrent ones, call the carrier once; others call it again', async () => {
  const { server, calls, receiver } = await start(json({ amount: 790 }));
  const carriers = httpCarriers(calls);
  const quote = (quantity: number, to = receiver) => carriers.quote(to, parcel(quantity), now());
  await Promise.all([quote(1), quote(1)]);
  await quote(1);
  assert.equal(server.calls.length, 1);
  await quote(2);
  await quote(1, { ...receiver, businessId: 'biz_2' });
  assert.equal(server.calls.length, 3);
});

test('a server that timed out is not called again for ten seconds, by this business only', async () => {
  let [isDown, atMs] = [true, 0];
  const { server, calls, receiver } = await start((response) => isDown || response.end('{"amount": 1}'), 50);
  const carriers = httpCarriers(calls, { now: () => atMs });
  const quote = (quantity: number, businessId = 'biz_1') =>
    carriers.quote({ ...receiver, businessId }, parcel(quantity), now());
  await assert.rejects(quote(1), /timed out$/);
  isDown = false;
  atMs = 9999;
  await assert.rejects(quote(2), /timed out a moment ago/);
  assert.equal(server.calls.length, 1);
  assert.equal((await quote(1, 'biz_2')).amount, 1);
  atMs = 10_000;
  assert.equal((await quote(1)).amount, 1);
});

test('a server that rejects a request immediately is called again for the next one', async () => {
  const responses: Respond[] = [
    (response) => response.writeHead(500).end('{"amount": 1}'),
    json({ amount: -1 }),
    (response) => response.destroy(),
    json({ amount: 1 }),
  ];
  const { calls, receiver } = await start((response) => responses.shift()!(response));
  const carriers = httpCarriers(calls);
  const quote = () => carriers.quote(receiver, parcel(), now());
  await assert.rejects(quote(), /status 500/);
  await assert.rejects(quote(), /wrong fields/);
  await assert.rejects(quote(), /unreachable/);
  assert.equal((await quote()).amount, 1);
});

const wrong: [what: string, body: unknown][] = [
  ['no amount', {}],
  ['a negative amount', { amount: -1 }],
  ['a fraction', { amount: 7.9 }],
  ['a text', { amount: '790' }],
  ['too much', { amount: 1e15 }],
  ['a list', []],
];
for (const [what, body] of wrong) {
  test(`a carrier that responds with ${what} counts as failed`, async () => {
    const { calls, receiver } = await start(json(body));
    await assert.rejects(httpCarriers(calls).quote(receiver, parcel(), now()), CallFailed);
  });
}

test('a redirect, and a response that is too large or not JSON, counts as a failure', async () => {
  const large = JSON.stringify({ amount: 1, more: 'x'.repeat(70_000) });
  const responses: [Respond, RegExp][] = [
    [(response) => response.end('<html>'), /not JSON/],
    [(response) => response.end(large), /too large/],
    [(response) => response.writeHead(302, { location: '/x' }).end(), /status 302/],
  ];
  for (const [respond, message] of responses) {
    const { calls, receiver } = await start(respond);
    await assert.rejects(httpCarriers(calls).quote(receiver, parcel(), now()), message);
  }
});

test('a call times out if the server does not respond or never ends its response', async () => {
  const responses: Respond[] = [() => {}, (response) => response.writeHead(200).write('{"amount":')];
  for (const respond of responses) {
    const { calls, receiver } = await start(respond, 50);
    await assert.rejects(httpCarriers(calls).quote(receiver, parcel(), now()), /timed out/);
  }
});

test('a private network is never called', async () => {
  const calls = createJsonCalls(createOutbound({ allow: [] }));
  const receiver = { businessId: 'biz_1', url: 'http://127.0.0.1:9999/', secret };
  await assert.rejects(httpCarriers(calls).quote(receiver, parcel(), now()), /private network/);
});

test('a business with a slow server has at most 10 calls running, and other businesses are called as usual', async () => {
  const waiting: ServerResponse[] = [];
  const slow = await start((response) => waiting.push(response));
  const fast = await startReceiver((_call, response) => response.end('{"amount": 5}'));
  const carriers = httpCarriers(slow.calls);
  const running = Array.from({ length: 10 }, (_, i) => carriers.quote(slow.receiver, parcel(i + 1), now()));
  await slow.server.received(10);
  await assert.rejects(carriers.quote(slow.receiver, parcel(11), now()), /too many calls/);
  assert.equal((await carriers.quote({ businessId: 'biz_2', url: fast.url, secret }, parcel(), now())).amount, 5);
  for (const response of waiting) response.end('{"amount": 1}');
  await Promise.all(running);
  const next = carriers.quote(slow.receiver, parcel(11), now());
  await slow.server.received(11);
  waiting.at(-1)!.end('{"amount": 2}');
  assert.equal((await next).amount, 2);
});

const cart = {
  market: 'us',
  currency: 'usd',
  taxIncluded: false,
  origin: null,
  address: { country: 'US', state: 'NY', zip: '10001' },
  lines: [{ productId: 'prod_1', variantId: 'main', taxClassId: 'standard', quantity: 1, amount: 1000 }],
  shipping: 500,
};

test('a tax provider quotes each line and shipping, and a quote that does not add up counts as failed', async () => {
  const taxLines = [{ name: 'NY', bps: 888, base: 1500, amount: 133 }];
  const valid = { lines: [{ tax: 89 }], shipping: 44, taxLines };
  const { server, calls, receiver } = await start(json(valid));
  assert.deepEqual(await httpTaxProvider(calls).quote(receiver, cart, now()), valid);
  assert.deepEqual(verify(secret, server.calls[0]!), { type: 'tax.quote', businessId: 'biz_1', ...cart });
  const invalid = [
    { ...valid, lines: [] },
    { ...valid, lines: [{ tax: 1001 }], taxLines: undefined },
    { ...valid, shipping: 501, taxLines: undefined },
    { ...valid, taxLines: [{ ...taxLines[0], amount: 134 }] },
  ];
  for (const body of invalid) {
    const other = await start(json(body));
    await assert.rejects(httpTaxProvider(other.calls).quote(other.receiver, cart, now()), CallFailed);
  }
});

test('reports to a tax provider have the ID of the sale, so that it counts each once', async () => {
  const { server, calls, receiver } = await start(json({}));
  const report = { id: 'ord_1', type: 'tax.commit', payload: { orderId: 'ord_1', tax: 133 } } as const;
  await httpTaxProvider(calls).report(receiver, report, now());
  await httpTaxProvider(calls).report(receiver, report, now());
  assert.deepEqual(
    server.calls.map(({ headers }) => headers['webhook-id']),
    ['ord_1', 'ord_1'],
  );
  assert.deepEqual(verify(secret, server.calls[0]!), {
    type: 'tax.commit',
    businessId: 'biz_1',
    orderId: 'ord_1',
    tax: 133,
  });
});

test('VIES is called with the country and the number; its outages are failures, not invalid IDs', async () => {
  const { server, calls } = await start((response) => {
    const { vatNumber } = server.calls.at(-1)!.event;
    if (vatNumber === '000000000')
      return json({ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] })(response);
    return json({ countryCode: 'EL', vatNumber, valid: vatNumber === '123456789' })(response);
  });
  const { check } = vies(calls, server.url);
  assert.equal(await check('biz_1', 'EL123456789'), true);
  assert.deepEqual(server.calls[0]!.event, { countryCode: 'EL', vatNumber: '123456789' });
  assert.equal(await check('biz_1', 'EL987654321'), false);
  await assert.rejects(check('biz_1', 'EL000000000'), CallFailed);
  const count = server.calls.length;
  for (const vatId of ['GR123456789', 'US123456789', 'DE', 'DE12/../34', '']) {
    assert.equal(await check('biz_1', vatId), false, vatId);
  }
  assert.equal(server.calls.length, count);
});
