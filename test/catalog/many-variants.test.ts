import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await shareHarness();
const shop = await openShop(h);
const { token } = shop.staff;
const COUNT = 1000;

const variants = Array.from({ length: COUNT }, (_, i) => ({
  id: `v${i}`,
  name: `Variant ${i}`,
  sku: `SKU-${i}`,
  attributes: [{ name: 'size', value: String(i) }],
  pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1000 + i }] },
  inventory: { tracked: true, quantity: 5 },
}));

test('a product with 1,000 variants can be saved, read, changed, bought, and read with SQL', async () => {
  const body = { name: 'Screw', slug: 'screw', statuses: [{ status: 'ACTIVE' }], variants };
  const { body: created } = await h.call('POST', `${shop.base}/products`, { token, body });
  assert.equal(created.variants?.length, COUNT, JSON.stringify(created).slice(0, 500));
  const path = `${shop.base}/products/${created.id}` as const;
  const changed = await h.call('PUT', path, { token, body: { variants: variants.toReversed() } });
  assert.equal(changed.status, 200);
  const items = [{ productId: created.id, variantId: 'v999', quantity: 2 }];
  const { body: placed } = await shop.checkout(created.id, { items, paymentMethod: 'CASH' });
  assert.equal((await shop.order(placed.orderId)).total, 2 * 1999);
  const { body: read } = await h.call('GET', path, { token });
  assert.deepEqual(
    read.variants.slice(0, 2).map(({ id, inventory }) => [id, inventory.quantity]),
    [
      ['v999', 3],
      ['v998', 5],
    ],
  );
  const rows = await h.pool<{ name: string; variants: number }[]>`
    select doc->>'name' as name, jsonb_array_length(doc->'variants') as variants
    from products where business_id = ${shop.businessId}`;
  assert.deepEqual(rows, [{ name: 'Screw', variants: COUNT }]);
});
