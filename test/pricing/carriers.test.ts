import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { newSecret } from '../../src/shared/security/webhook-signing.ts';
import { type Json, shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { startReceiver, verify } from '../webhooks/receiver.ts';

const h = await shareHarness();
const secret = newSecret();
const markets = [{ id: 'us', currency: 'usd' }];
const address = { street: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' };
const table = [{ market: 'us', amount: 500 }];

/** A shop whose method `express` uses the carrier. `prices` are its own rates. */
async function openCarrierShop(respond: (response: ServerResponse, cart: Json) => void, prices: object[] = table) {
  const carrier = await startReceiver(({ event }, response) => respond(response, event));
  const express = { id: 'express', prices, carrier: { url: carrier.url, secret } };
  const post = { id: 'post', prices: [{ market: 'us', amount: 300 }] };
  const shop = await openShop(h, { markets, shippingMethods: [express, post] });
  const productId = await shop.product();
  const quote = (more: object = {}) =>
    shop.quote(productId, { shippingMethodId: 'express', shippingAddress: address, ...more });
  const options = async (shippingAddress: object | null = address): Promise<Json[]> => {
    const items = [{ productId, variantId: 'main', quantity: 1 }];
    const body = { businessId: shop.businessId, market: 'us', items, shippingAddress };
    const { body: found } = await h.call('POST', '/v1/payments/shipping-options', { token: shop.customer.token, body });
    return found.items;
  };
  return { ...shop, carrier, productId, quote, options };
}

const amountsOf = (options: Json[]) => options.map(({ shippingMethodId, amount }) => [shippingMethodId, amount]);

test('shipping options, quotes and checkouts use the rate of the carrier, which is called once', async () => {
  const shop = await openCarrierShop((response) => response.end('{"amount": 790, "etaText": "Tomorrow"}'));
  const options = await shop.options();
  assert.deepEqual(amountsOf(options), [
    ['express', 790],
    ['post', 300],
  ]);
  assert.equal(options[0]!.etaText, 'Tomorrow');
  const { body: quoted } = await shop.quote();
  assert.deepEqual([quoted.shipping, quoted.total], [790, 1790]);
  const chosen = { shippingMethodId: 'express', shippingAddress: address, paymentMethod: 'CASH' };
  const { body: placed } = await shop.checkout(shop.productId, chosen);
  assert.equal((await shop.order(placed.orderId)).total, 1790);
  const [call, ...more] = shop.carrier.calls;
  assert.equal(more.length, 0);
  const sent = verify(secret, call!) as Json;
  assert.deepEqual([sent.type, sent.shippingMethodId, sent.currency], ['shipping.rate', 'express', 'usd']);
  assert.equal(sent.address.zip, '62701');
  assert.deepEqual([sent.lines[0].productId, sent.lines[0].quantity], [shop.productId, 1]);
});

test("if the carrier fails, the method's own rates apply", async () => {
  const shop = await openCarrierShop((response) => response.writeHead(500).end());
  assert.deepEqual(amountsOf(await shop.options()), [
    ['express', 500],
    ['post', 300],
  ]);
  assert.equal((await shop.quote()).body.shipping, 500);
});

test('if the carrier of a method without its own rates fails, the method is not offered', async () => {
  let isDown = true;
  const respond = (response: ServerResponse) => (isDown ? response.destroy() : response.end('{"amount": 900}'));
  const shop = await openCarrierShop(respond, []);
  assert.deepEqual(amountsOf(await shop.options()), [['post', 300]]);
  const { status, body } = await shop.quote();
  assert.equal(status, 422);
  assert.deepEqual([body.details[0]!.field, body.details[0]!.error], ['shippingMethodId', 'NOT_AVAILABLE']);
  isDown = false;
  assert.equal((await shop.quote()).body.shipping, 900);
});

test('a carrier that does not serve the address is not offered, although the method has its own rates', async () => {
  const shop = await openCarrierShop((response, { address: to }) =>
    response.end(JSON.stringify({ amount: to.zip === '62701' ? 700 : null })),
  );
  assert.deepEqual(amountsOf(await shop.options({ ...address, zip: '10001', state: 'NY' })), [['post', 300]]);
  assert.equal((await shop.quote()).body.shipping, 700);
});

test("without an address, the estimate uses the method's own rates, and a checkout requires the address", async () => {
  const shop = await openCarrierShop((response) => response.end('{"amount": 790}'));
  assert.equal((await shop.quote({ shippingAddress: null })).body.shipping, 500);
  assert.equal(shop.carrier.calls.length, 0);
  const { body } = await shop.checkout(shop.productId, { shippingMethodId: 'express' });
  assert.deepEqual([body.details[0]!.field, body.details[0]!.error], ['shippingAddress', 'REQUIRED']);
});

test('while the carrier of one shop does not respond, other shops quote, and no connection is held', async () => {
  const held: ServerResponse[] = [];
  const slow = await openCarrierShop((response) => held.push(response));
  const other = await openCarrierShop((response) => response.end('{"amount": 100}'));
  const quotes = Array.from({ length: 5 }, (_, i) => slow.quote({ quantity: i + 1 }));
  await slow.carrier.received(5);
  const listHeld = () => h.pool`
    select from pg_stat_activity
    where datname = current_database() and application_name <> 'test' and state like 'idle in transaction%'`;
  // A background transaction may be running. A connection held by a quote would be held until the carrier times out.
  while ((await listHeld()).length > 0);
  assert.equal((await other.quote()).body.shipping, 100);
  for (const response of held) response.end('{"amount": 1}');
  assert.deepEqual(
    (await Promise.all(quotes)).map(({ body }) => body.shipping),
    [1, 1, 1, 1, 1],
  );
});

test('a carrier’s secret is encrypted, masked for members, kept when it is sent back, and hidden from others', async () => {
  const shop = await openCarrierShop((response) => response.end('{"amount": 790}'));
  const admin = await h.member(shop.businessId, 'ADMIN');
  const [row] = await h.pool<{ configs: string }[]>`
    select configs::text as configs from businesses where id = ${shop.businessId}`;
  assert.ok(!row!.configs.includes(secret));
  const read = await h.call('GET', shop.base, { token: admin.token });
  const { carrier } = read.body.configs.shippingMethods![0]!;
  assert.deepEqual(carrier, { url: shop.carrier.url, secret: `****${secret.slice(-4)}` });
  const back = await h.call('PUT', shop.base, { token: admin.token, body: { configs: read.body.configs } });
  assert.equal(back.status, 200);
  assert.equal((await shop.quote()).body.shipping, 790);
  verify(secret, shop.carrier.calls[0]!);
  const { body: seen } = await h.call('GET', shop.base, { token: shop.customer.token });
  assert.equal(seen.configs.shippingMethods![0]!.carrier, undefined);
});

test('a new carrier needs its own secret', async () => {
  const businessId = await h.business();
  const { token } = await h.member(businessId, 'ADMIN');
  const save = (carrier: object) =>
    h.call('PUT', `/v1/businesses/${businessId}`, {
      token,
      body: { configs: { shippingMethods: [{ id: 'express', prices: [], carrier }] } },
    });
  const errorOf = async (carrier: object) => (await save(carrier)).body.details?.[0]?.error;
  const url = 'https://shop.example/rates';
  assert.equal(await errorOf({ url }), 'REQUIRED');
  assert.equal(await errorOf({ url, secret: '****abcd' }), 'INVALID_VALUE');
  assert.equal(await errorOf({ url, secret: 'short' }), 'INVALID_FORMAT');
  assert.equal(await errorOf({ url: 'ftp://x', secret }), 'INVALID_FORMAT');
  assert.equal((await save({ url, secret })).status, 200);
});
