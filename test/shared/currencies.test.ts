import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();

const markets = (currency: string) => [{ id: 'de', currency, taxMode: 'INCLUSIVE', taxBps: 1900 }];
const variants = (currency: string) => [
  { id: 'one', name: 'One', pricing: { markets: [{ marketId: 'de', currency, price: 100 }] } },
];
const plans = (currency: string) => [{ id: 'paid', name: 'Paid', price: { amount: 500, currency } }];

const fields = (body: { details: { field: string; error: string }[] }) =>
  body.details.map(({ field, error }) => `${field} ${error}`);

test('new values with an unknown currency are rejected with an error on their field', async () => {
  const businessId = await h.business();
  const { token } = await h.member(businessId, 'ADMIN');
  const base = `/v1/businesses/${businessId}` as const;
  const business = await h.call('PUT', base, { token, body: { configs: { markets: markets('fra') } } });
  assert.equal(business.status, 422);
  assert.deepEqual(fields(business.body), ['configs.markets[0].currency INVALID_VALUE']);
  const product = await h.call('POST', `${base}/products`, { token, body: { name: 'Mug', variants: variants('fra') } });
  assert.deepEqual(fields(product.body), ['variants[0].pricing.markets[0].currency INVALID_VALUE']);
  const collection = { businessId, name: 'News', type: 'NEWSLETTER', plans: plans('fra') };
  const newsletter = await h.call('POST', `${base}/collections`, { token, body: collection });
  assert.deepEqual(fields(newsletter.body), ['plans[0].price.currency INVALID_VALUE']);
});

test('a stored unknown currency can be sent back, and known ones are accepted in upper and lower case', async () => {
  const businessId = await h.business({ markets: markets('CHF') });
  const { token } = await h.member(businessId, 'ADMIN');
  const base = `/v1/businesses/${businessId}` as const;
  await h.pool`
    update businesses set configs = jsonb_set(configs, '{markets,0,currency}', '"fra"') where id = ${businessId}`;
  const { body: stored } = await h.call('GET', base, { token });
  assert.equal(stored.configs.markets![0]!.currency, 'fra');
  const same = await h.call('PUT', base, { token, body: { configs: { markets: stored.configs.markets } } });
  assert.equal(same.status, 200, JSON.stringify(same.body));
  const product = await h.call('POST', `${base}/products`, { token, body: { name: 'Mug', variants: variants('EUR') } });
  assert.equal(product.status, 200);
});
