import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';

const h = await startHarness();

test('a database error in a list with facets returns 500 and does not end the process', async () => {
  const businessId = await h.business();
  const { token } = await h.member(businessId, 'CATALOG_WRITE');
  const products = `/v1/businesses/${businessId}/products` as const;
  assert.equal((await h.call('POST', products, { token, body: { name: 'Lamp' } })).status, 200);
  const list = () => h.call('GET', `${products}?facets=options&query=lamp`, { token });
  assert.equal((await list()).status, 200);
  await h.pool.text('alter table product_search rename column bucket to old_bucket');
  assert.equal((await list()).status, 500);
});
