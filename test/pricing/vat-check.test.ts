import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** Numbers that start with 1 are valid. */
let isDown = false;
const vies = await startReceiver(({ event }, response) =>
  isDown
    ? response.end('{"actionSucceed": false, "errorWrappers": [{"error": "MS_UNAVAILABLE"}]}')
    : response.end(JSON.stringify({ ...event, valid: event.vatNumber.startsWith('1') })),
);
const h = await startHarness({ VIES_URL: vies.url });

const rate = (country: string, bps: number) => ({ id: country, name: country, country, classId: 'standard', bps });
const configs = {
  markets: [{ id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE' }],
  taxRates: [rate('DE', 1900), rate('FR', 2000)],
  tax: { origin: 'DE', oss: true },
};
const address = (vatId?: string) => ({
  street: '1 rue de la République',
  city: 'Lyon',
  zip: '69001',
  country: 'FR',
  ...(vatId ? { vatId } : {}),
});

async function openVatShop(more: object = {}) {
  const shop = await openShop(h, { ...configs, ...more });
  const productId = await shop.product({ market: 'eu', currency: 'eur', price: 1200 });
  const cart = (vatId?: string) => ({ market: 'eu', shippingAddress: address(vatId) });
  return {
    ...shop,
    quote: async (vatId?: string): Promise<Json> => (await shop.quote(productId, cart(vatId))).body,
    place: async (vatId: string): Promise<string> =>
      (await shop.checkout(productId, { ...cart(vatId), paymentMethod: 'CASH' })).body.orderId,
    manual: async (vatId: string): Promise<Json> => {
      const body = {
        ...cart(vatId),
        customerId: shop.customer.userId,
        lines: [{ productId, variantId: 'main', quantity: 1 }],
      };
      return (await h.call('POST', `${shop.base}/orders`, { token: shop.staff.token, body })).body;
    },
  };
}

async function runVatTasks(): Promise<void> {
  await h.pool`update order_tasks set due_at = 1 where kind = 'VAT_CHECK'`;
  await h.drain('order-tasks');
}

const countCalls = (vatNumber: string) => vies.calls.filter(({ event }) => event.vatNumber === vatNumber).length;

test('a valid VAT ID from another EU country makes the order subject to reverse charge; an invalid one does not', async () => {
  const shop = await openVatShop();
  const exempt = await shop.quote('fr 123456789');
  assert.deepEqual([exempt.taxExempt, exempt.tax, exempt.total], ['REVERSE_CHARGE', 0, 1000]);
  const taxed = await shop.quote('FR999999999');
  assert.deepEqual([taxed.taxExempt, taxed.tax, taxed.total], [null, 200, 1200]);
  assert.equal((await shop.quote()).tax, 200);
  const order = await shop.order(await shop.place('FR123456789'));
  assert.deepEqual([order.taxExempt, order.vatCheck, order.total], ['REVERSE_CHARGE', 'VALID', 1000]);
});

test('a VAT ID is checked once a day for each business', async () => {
  const [shop, other] = [await openVatShop(), await openVatShop()];
  await shop.quote('FR111111111');
  await shop.quote('FR 111 111 111');
  assert.equal(countCalls('111111111'), 1);
  await other.quote('FR111111111');
  assert.equal(countCalls('111111111'), 2);
  await h.pool`update vat_checks set checked_at = checked_at - 86400 where business_id = ${shop.businessId}`;
  await shop.quote('FR111111111');
  assert.equal(countCalls('111111111'), 3);
});

test('a VAT ID is not checked where it changes nothing: in the same country, outside the EU, without rates, or with the check off', async () => {
  const count = vies.calls.length;
  const shop = await openVatShop();
  assert.equal((await shop.quote('DE123456789')).taxExempt, null);
  assert.equal((await shop.quote('US123456789')).taxExempt, null);
  const off = await openVatShop({ tax: { ...configs.tax, vatCheck: false } });
  assert.equal((await off.quote('FR123456789')).tax, 200);
  const flat = await openVatShop({ taxRates: [] });
  assert.equal((await flat.quote('FR123456789')).taxExempt, null);
  assert.equal(vies.calls.length, count);
});

test('while VIES is down, VAT is charged, staff see that the ID is unchecked, and the check is repeated until it succeeds', async () => {
  const shop = await openVatShop();
  isDown = true;
  const orderId = await shop.place('FR122222222');
  const unchecked = await shop.order(orderId);
  assert.deepEqual([unchecked.tax, unchecked.vatCheck], [200, 'UNCHECKED']);
  const { body: own } = await h.call('GET', `${shop.base}/orders/${orderId}`, { token: shop.customer.token });
  assert.equal(own.vatCheck, undefined);
  await runVatTasks();
  assert.equal((await shop.order(orderId)).vatCheck, 'UNCHECKED');
  isDown = false;
  await runVatTasks();
  const checked = await shop.order(orderId);
  assert.deepEqual([checked.tax, checked.total, checked.vatCheck], [200, 1200, 'VALID']);
  const tasks = await h.pool`
    select id from order_tasks where business_id = ${shop.businessId} and kind = 'VAT_CHECK'`;
  assert.deepEqual(tasks, []);
});

test('the VAT ID of an order that staff create is checked, later if VIES is down', async () => {
  const shop = await openVatShop();
  isDown = true;
  const unchecked = await shop.manual('FR133333333');
  isDown = false;
  assert.deepEqual([unchecked.vatCheck, unchecked.total], ['UNCHECKED', 1200]);
  await runVatTasks();
  assert.equal((await shop.order(unchecked.id)).vatCheck, 'VALID');
  const checked = await shop.manual('FR133333333');
  assert.deepEqual([checked.vatCheck, checked.taxExempt, checked.total], ['VALID', 'REVERSE_CHARGE', 1000]);
});

test('checks are exported and erased with the customer, and deleted after 90 days', async () => {
  const shop = await openVatShop();
  const stored = () => h.pool`select vat_id from vat_checks where business_id = ${shop.businessId}`;
  await shop.place('FR144444444');
  const admin = await h.member(shop.businessId, 'ADMIN');
  const { body: customers } = await h.call('GET', `${shop.base}/customers`, { token: admin.token });
  const path = `${shop.base}/customers/${customers.items[0]!.id}/personal-data` as const;
  const { body: exported } = await h.call('GET', path, { token: admin.token });
  assert.match(JSON.stringify(exported), /"vatId":"FR144444444","valid":true/);
  await h.call('DELETE', path, { token: admin.token });
  await h.drain();
  assert.deepEqual(await stored(), []);
  const [order] = await h.pool<{ doc: string }[]>`
    select doc::text as doc from orders where business_id = ${shop.businessId}`;
  assert.doesNotMatch(order!.doc, /FR144444444|Lyon/);
  await shop.quote('FR155555555');
  await shop.quote('FR166666666');
  await h.pool`update vat_checks set checked_at = checked_at - 7776001 where vat_id = 'FR155555555'`;
  await h.service.contexts.system().transaction((ctx) => ctx.enqueue('quotes-upkeep', {}));
  await h.drain('quotes-upkeep');
  assert.deepEqual(await stored(), [{ vatId: 'FR166666666' }]);
});
