import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openShop } from './shop.ts';

const h = await shareHarness();
const DAY = 86_400;

async function countSold(): Promise<void> {
  await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, '', 'best-sellers', {}));
  await h.drain('best-sellers');
}

test('lists show the best sellers of the last 90 days first, page by page and with filters', async () => {
  const shop = await openShop(h, { markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE' }] });
  const { token } = shop.staff;
  const products: string[] = [];
  for (const name of ['Never', 'Twice', 'Often', 'Canceled', 'Long ago']) products.push(await shop.product({ name }));
  const [never, twice, often, canceled, longAgo] = products as [string, string, string, string, string];
  const sell = async (productId: string, quantity: number) => {
    const body = {
      customerId: shop.customer.userId,
      market: 'us',
      lines: [{ productId, variantId: 'main', quantity }],
      paymentStatus: [{ status: 'PAID' }],
    };
    return (await h.call('POST', `${shop.base}/orders`, { token, body })).body as Json;
  };
  await sell(longAgo, 9);
  await countSold();
  const list = async (query = ''): Promise<string[]> => {
    const path = `${shop.base}/products?sort=best-selling&market=us&limit=2${query}`;
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, body } = await h.call('GET', `${path}&cursor=${cursor}`, { token });
      assert.equal(status, 200, JSON.stringify(body));
      ids.push(...body.items.map(({ id }: Json) => id));
      if (body.cursor === null) return ids;
      cursor = body.cursor;
    }
  };
  assert.equal((await list())[0], longAgo);
  await h.pool`update orders set created_at = created_at - ${91 * DAY} where business_id = ${shop.businessId}`;
  await sell(twice, 2);
  await sell(often, 2);
  await sell(often, 3);
  await shop.setStatus((await sell(canceled, 7)).id, 'CANCELLED');
  await countSold();
  const expected = [often, twice, ...[never, canceled, longAgo].sort().reverse()];
  assert.deepEqual(await list(), expected);
  assert.deepEqual(await list('&minPrice=1'), expected);
  assert.deepEqual(await list('&statuses=ACTIVE&statuses=DRAFT'), expected);
  assert.deepEqual((await list('&sortDirection=asc')).slice(-1), [often]);
});
