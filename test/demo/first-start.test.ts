import assert from 'node:assert/strict';
import test from 'node:test';
import { seedDemo } from '../../src/demo/index.ts';
import { startHarness } from '../harness.ts';

const h = await startHarness();
const second = await h.startNode();

const seed = ({ service }: Pick<typeof h, 'service'>) => seedDemo(service.contexts.system());

test('an empty database gets one demo shop, even if two processes start at once, and never a second', async () => {
  const created = (await Promise.all([seed(h), seed(second)])).filter((secrets) => secrets !== null);
  assert.equal(created.length, 1);
  assert.equal(await seed(h), null);
  const [secrets] = created;
  const body = { provider: 'EMAIL', email: secrets!.email, password: secrets!.password };
  assert.equal((await h.call('POST', '/v1/users/login', { body })).status, 200);

  const headers = { 'x-api-key': secrets!.apiKey };
  const { body: business } = await h.call('GET', `/v1/businesses/${secrets!.businessId}`, { headers });
  assert.equal(business.slug, 'demo');
  const markets = business.configs.markets!.map(({ id, currency, taxMode }) => [id, currency, taxMode]);
  assert.deepEqual(markets, [
    ['us', 'usd', 'EXCLUSIVE'],
    ['eu', 'eur', 'INCLUSIVE'],
  ]);
  const name = { name: 'My shop' };
  const renamed = await h.call('PUT', `/v1/businesses/${secrets!.businessId}`, { headers, body: name });
  assert.equal(renamed.status, 200, 'the API key belongs to the admin');
});

test('without the payment sandbox, the demo has only cash and free orders', async () => {
  const shop = await startHarness({ PAYMENT_SANDBOX: '0' });
  assert.ok(await seed(shop));
  const methods = await shop.pool.db<{ method: string }[]>`
    select distinct doc ->> 'paymentMethod' as method from orders where business_id = 'biz_demo' order by 1`;
  assert.deepEqual(
    methods.map(({ method }) => method),
    ['CASH', 'FREE'],
  );
  assert.deepEqual([...(await shop.pool.db`select id from payments where business_id = 'biz_demo'`)], []);
});
