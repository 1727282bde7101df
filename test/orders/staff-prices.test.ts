import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { newSecret } from '../../src/shared/security/webhook-signing.ts';
import { type Json, startHarness } from '../harness.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { openShop, problems } from './shop.ts';

/** Numbers that start with 1 are valid. */
const vies = await startReceiver(({ event }, response) =>
  response.end(JSON.stringify({ ...event, valid: event.vatNumber.startsWith('1') })),
);
const carrier = await startReceiver(({ event }, response) => {
  const items = event.lines.reduce((sum: number, line: Json) => sum + line.quantity, 0);
  if (event.address.zip === '00000') response.writeHead(500).end();
  else response.end(JSON.stringify({ amount: event.address.country === 'US' ? null : 390 + 70 * items }));
});
const provider = await startReceiver(({ event }, response) => {
  const taxOf = (amount: number) => Math.round(amount * 0.0725);
  const lines = event.lines?.map((line: Json) => ({ tax: taxOf(line.amount) }));
  if (event.address?.city === 'Outage') response.writeHead(503).end();
  else response.end(JSON.stringify({ lines, shipping: taxOf(event.shipping ?? 0) }));
});
const h = await startHarness({ VIES_URL: vies.url });
const secret = newSecret();
const rate = (country: string, bps: number) => ({ id: country, name: country, country, classId: 'standard', bps });

async function openStaffShop(taxMode: string, hasProvider: boolean) {
  const shop = await openShop(h, {
    markets: [{ id: 'us', currency: 'usd', taxMode }],
    taxRates: [rate('DE', 1900), rate('FR', 2000)],
    tax: { origin: 'DE', oss: true, ...(hasProvider ? { provider: { url: provider.url, secret } } : {}) },
    shippingMethods: [
      { id: 'live', prices: [{ market: 'us', amount: 500 }], carrier: { url: carrier.url, secret } },
      { id: 'table', prices: [{ market: 'us', amount: 300, freeAbove: 9000 }] },
    ],
  });
  await shop.promo('TEN', [{ type: 'ITEMS_PERCENTAGE', marketId: 'us', bps: 1000 }]);
  const products = [
    await shop.product({ price: 1999, quantity: null }),
    await shop.product({ price: 333, quantity: null }),
  ];
  const send = async (method: 'POST' | 'PUT', path: string, body: object) =>
    h.call(method, `${shop.base}/orders${path}`, { token: shop.staff.token, body });
  return {
    ...shop,
    products,
    create: (body: object) => send('POST', '', { customerId: shop.customer.userId, market: 'us', ...body }),
    edit: (id: string, body: object) => send('PUT', '/update', { id, ...body }),
  };
}

const modes = ['EXCLUSIVE', 'INCLUSIVE'].flatMap((mode) => [true, false].map((has) => [mode, has] as const));
const shops = await Promise.all(modes.map(([mode, has]) => openStaffShop(mode, has)));

const figuresOf = (priced: Json) => ({
  sums: [priced.subtotal, priced.tax, priced.taxBps, priced.shipping, priced.discount, priced.total],
  shippingTax: priced.shippingTax,
  taxExempt: priced.taxExempt,
  taxLines: priced.taxLines,
  display: priced.display,
  lines: priced.lines?.map((line: Json) => [line.unitPrice, line.totalPrice, line.discount, line.tax, line.taxBps]),
});

const carts = fc.record({
  shop: fc.constantFrom(...shops),
  quantities: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })),
  country: fc.constantFrom('DE', 'FR', 'US'),
  zip: fc.constantFrom('10115', '00000'),
  city: fc.constantFrom('Town', 'Outage'),
  vatId: fc.constantFrom('', 'FR123456789', 'FR923456789'),
  shippingMethodId: fc.constantFrom('live', 'table'),
  promoCode: fc.constantFrom(null, 'TEN'),
});

test('an order that staff create or edit has the price of the customer’s quote, with carrier, tax provider and VAT check', async () => {
  await fc.assert(
    fc.asyncProperty(carts, async ({ shop, quantities, country, zip, city, vatId, shippingMethodId, promoCode }) => {
      const place = { country, zip, city, street: '1 Main St', ...(country === 'US' ? { state: 'CA' } : {}) };
      const lines = shop.products.map((productId, i) => ({ productId, variantId: 'main', quantity: quantities[i]! }));
      const shippingAddress = { ...place, ...(vatId ? { vatId } : {}) };
      const cart = { shippingMethodId, shippingAddress, lines, ...(promoCode ? { promoCode } : {}) };
      const created = await shop.create(cart);
      const draft = await shop.create({ lines: lines.slice(0, 1) });
      const edited = await shop.edit(draft.body.id, cart);
      const quoted = await shop.quote('', cart);
      if (quoted.status === 422) {
        assert.deepEqual(problems(created), problems(quoted));
        assert.deepEqual(problems(edited), problems(quoted));
        return;
      }
      assert.deepEqual(figuresOf(created.body), figuresOf(quoted.body));
      assert.deepEqual(figuresOf(edited.body), figuresOf(quoted.body));
      if (!vatId) assert.equal(created.body.vatCheck, undefined);
    }),
    { numRuns: 40 },
  );
  const wasCalled = (calls: { event: Json }[]) => calls.length > 0;
  assert.deepEqual(
    [carrier, provider, vies].map(({ calls }) => wasCalled(calls)),
    [true, true, true],
  );
});

test('amounts that staff enter are kept, and no provider is called for them', async () => {
  const shop = shops[0]!;
  const [productId] = shop.products;
  const before = [carrier.calls.length, provider.calls.length];
  const shippingAddress = { street: '2 Main St', city: 'Berlin', zip: '10999', country: 'DE' };
  const lines = [{ productId, variantId: 'main', quantity: 7 }];
  const { body } = await shop.create({ lines, shippingAddress, shippingMethodId: 'live', shipping: 100, tax: 5 });
  assert.deepEqual([body.shipping, body.tax, body.total], [100, 5, 7 * 1999 + 105]);
  const { body: edited } = await shop.edit(body.id, { tax: 6, total: body.total + 1 });
  assert.deepEqual([edited.shipping, edited.tax], [100, 6]);
  assert.deepEqual([carrier.calls.length, provider.calls.length], before);
});

test('an edit is priced again if another edit was saved in the meantime', async () => {
  const shop = shops[1]!;
  const [productId, other] = shop.products;
  const line = (id: string, quantity: number) => ({ productId: id, variantId: 'main', quantity });
  const { body: order } = await shop.create({ lines: [line(productId!, 1)] });
  const both = await Promise.all([
    shop.edit(order.id, { lines: [line(productId!, 2), line(other!, 1)] }),
    shop.edit(order.id, { shippingMethodId: 'table' }),
    shop.edit(order.id, { promoCode: 'TEN' }),
  ]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200, 200],
  );
  const { subtotal, shipping, discount } = await shop.order(order.id);
  assert.deepEqual([subtotal, shipping, discount], [2 * 1999 + 333, 300, 433]);
});
