import assert from 'node:assert/strict';
import test from 'node:test';
import { newEmail } from '../accounts/people.ts';
import { shareHarness } from '../harness.ts';
import { fixture, openShop as openImports } from '../imports/shop.ts';
import { register } from '../privacy/person.ts';
import { openShop, passTime, press } from './shop.ts';

const h = await shareHarness();

/** The columns of each order of a business, as stored and as its document implies. */
const columnsOf = (businessId: string) => h.pool<{ id: string; stored: object; implied: object }[]>`
  select id, jsonb_build_array(paid_at, country, is_abandoned, bought, total, market, currency) as stored, jsonb_build_array(
    jsonb_path_query_first(doc, '$.paymentStatus[*] ? (@.status == "PAID").timestamp'),
    coalesce(doc #>> '{shippingAddress,country}', doc #>> '{billingAddress,country}', doc #>> '{taxLines,0,country}'),
    status = 'CANCELLED' and payment_status = 'FAILED' and paid = 0
      and coalesce(doc ->> 'paymentMethod' in ('CREDIT_CARD', 'STRIPE', 'CARD_PROVIDER'), false)
      and coalesce(doc #>> '{statuses,-1,changedBy}' = 'SYSTEM' or doc #>> '{statuses,-1,userId}' = customer_id, false),
    jsonb_path_query_array(doc, '$.lines[*].productId ? (@ != null)'),
    doc -> 'total', lower(doc ->> 'market'), lower(doc ->> 'currency')) as implied
  from orders where business_id = ${businessId} order by number`;

const US = { name: 'Ada', street: '1 Main St', city: 'Salem', state: 'OR', zip: '97301', country: 'US' };

test('the columns of an order match its document when it is placed, paid, abandoned, canceled, refunded, erased or imported', async () => {
  const market = { id: 'us', currency: 'usd', paymentMethods: [{ method: 'CREDIT_CARD' }, { method: 'CASH' }] };
  const shop = await openShop(h, { markets: [market] });
  const mug = await shop.product({ quantity: null });
  const place = async (more: object = {}) => {
    const { status, body } = await shop.checkout(mug, { shippingAddress: US, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const ada = await register(h, newEmail());
  await place();
  const [paid, refunded] = [await place(), await place({ token: ada.token })];
  for (const { checkoutUrl } of [paid, refunded]) await press(checkoutUrl!, 'pay');
  await shop.refund(refunded.orderId);
  await press((await place()).checkoutUrl!, 'cancel');
  await shop.setStatus((await place()).orderId, 'CANCELLED');
  await passTime(h, h.config.checkoutTtlSeconds + 1);
  await h.drain();
  await place({ paymentMethod: 'CASH', shippingAddress: undefined });
  await h.call('DELETE', '/v1/users/me', { token: ada.token, body: { password: ada.password } });
  await h.drain();
  const rows = await columnsOf(shop.businessId);
  const [expired, bought, erased, canceled, byStaff, cash] = rows.map(({ stored }) => Object.values(stored));
  assert.deepEqual(
    rows.map(({ stored }) => stored),
    rows.map(({ implied }) => implied),
  );
  assert.deepEqual([bought!.slice(1, 4), typeof bought![0]], [['US', false, [mug]], 'number']);
  assert.deepEqual(
    [expired, canceled, byStaff, cash].map((row) => row![2]),
    [true, true, false, false],
  );
  assert.equal(erased![1], null);

  const imports = await openImports(h);
  await imports.run('type=orders', fixture('shopify-orders-history.csv'));
  const imported = await columnsOf(imports.businessId);
  assert.ok(imported.some(({ stored }) => Object.values(stored)[0] !== null));
  assert.deepEqual(
    imported.map(({ stored }) => stored),
    imported.map(({ implied }) => implied),
  );
});

test('an order with too many products for the index is stored without the list', async () => {
  const shop = await openShop(h);
  const products = await Promise.all(Array.from({ length: 60 }, () => shop.product({ quantity: null })));
  const items = products.map((productId) => ({ productId, variantId: 'main', quantity: 1 }));
  const { status, body } = await shop.checkout(products[0]!, { items });
  assert.equal(status, 200, JSON.stringify(body));
  const [row] = await h.pool`select bought from orders where id = ${body.orderId}`;
  assert.deepEqual(row, { bought: null });
});
