import assert from 'node:assert/strict';
import test from 'node:test';
import { takeStock } from '../../src/domains/catalog/index.ts';
import { type Json, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';

const h = await shareHarness();
const businessId = await h.business();
const path = `/v1/businesses/${businessId}/products` as const;
const { token } = await h.member(businessId, 'CATALOG_WRITE');

const inventory = { tracked: true, quantity: 5 };
const create = async (
  variants: object[] = [
    { id: 'a', inventory },
    { id: 'b', inventory },
  ],
) => (await h.call('POST', path, { token, body: { name: 'Lamp', variants } })).body;
const read = async (id: string) => {
  const { body, headers } = await h.call('GET', `${path}/${id}`, { token });
  return { product: body as Json, etag: headers.get('etag')! };
};
const put = (id: string, etag: string, body: object) =>
  h.call('PUT', `${path}/${id}`, { token, body, headers: { 'if-match': etag } });
const sell = (productId: string, quantity: number) => ({
  businessId,
  lines: [{ productId, variantId: 'a', quantity }],
  reason: 'ORDER' as const,
  reference: 'ord_1',
  userId: null,
  nowSeconds: h.clock.seconds(),
  source: h.service.contexts.system().within(businessId),
});
const quantities = ({ variants }: Json) => variants.map((variant: Json) => variant.inventory.quantity);

test('a product sold since it was read cannot be saved with its old quantities', async () => {
  const { id } = await create();
  const { product, etag } = await read(id);
  await h.pool.transaction((tx) => takeStock(tx, sell(id, 2)));
  assert.equal((await put(id, etag, product)).status, 412);
  const now = await read(id);
  assert.deepEqual(quantities(now.product), [3, 5]);
  assert.notEqual(now.etag, etag);
  const saved = await put(id, now.etag, { ...now.product, name: 'Desk lamp' });
  assert.deepEqual([saved.status, quantities(saved.body)], [200, [3, 5]]);
  assert.equal(saved.headers.get('etag'), (await read(id)).etag);
});

test('saving a product does not undo a sale in progress', async () => {
  const { id } = await create();
  const { product, etag } = await read(id);
  const late = await h.pool.transaction(async (tx) => {
    await takeStock(tx, sell(id, 2));
    const request = put(id, etag, product);
    await whenWaitingForLock(h.pool, request);
    return { request };
  });
  assert.equal((await late.request).status, 412);
  assert.deepEqual(quantities((await read(id)).product), [3, 5]);
});

test('an update without quantities and a deletion require only the product version', async () => {
  const { id } = await create();
  const { etag } = await read(id);
  await h.pool.transaction((tx) => takeStock(tx, sell(id, 1)));
  const renamed = await put(id, etag, {
    name: 'Desk lamp',
    variants: [{ id: 'a', inventory: { tracked: true } }, { id: 'b' }],
  });
  assert.deepEqual([renamed.status, quantities(renamed.body)], [200, [4, 5]]);
  assert.equal((await put(id, etag, { name: 'Lamp' })).status, 412);
  await h.pool.transaction((tx) => takeStock(tx, sell(id, 1)));
  const deleted = { token, headers: { 'if-match': renamed.headers.get('etag')! } };
  assert.equal((await h.call('DELETE', `${path}/${id}`, deleted)).status, 200);
});

test('every quantity change creates a new ETag, even a change back to an earlier quantity', async () => {
  const { id } = await create();
  const seen = new Set([(await read(id)).etag]);
  for (const adjust of [-1, 1]) {
    await h.call('POST', `${path}/${id}/variants/b/inventory`, { token, body: { adjust } });
    seen.add((await read(id)).etag);
  }
  const set = await put(id, (await read(id)).etag, {
    variants: [{ id: 'a', inventory: { quantity: 9 } }, { id: 'b' }],
  });
  seen.add(set.headers.get('etag')!);
  assert.equal(seen.size, 4);
  assert.equal(set.headers.get('etag'), (await read(id)).etag);
});

test('If-Match accepts several versions, and list items have their own ETag', async () => {
  const { id } = await create();
  const list = async () => (await h.call('GET', `${path}?ids=${id}`, { token })).body.items[0];
  const { product, etag } = await read(id);
  assert.deepEqual(await list(), { ...product, etag });
  await h.pool.transaction((tx) => takeStock(tx, sell(id, 1)));
  const sold = await list();
  assert.deepEqual([sold!.etag, quantities(sold)], [(await read(id)).etag, [4, 5]]);
  assert.equal((await put(id, `${etag}, "7.7"`, product)).status, 412);
  assert.equal((await put(id, `${etag}, ${sold!.etag}`, sold!)).status, 200);
});
