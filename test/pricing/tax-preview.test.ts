import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();
const markets = [{ id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE', taxBps: 1900 }];
const draft = {
  taxClasses: [
    { id: 'standard', name: 'Standard' },
    { id: 'books', name: 'Books' },
  ],
  taxRates: [
    { id: 'de', name: 'VAT', country: 'DE', classId: 'standard', bps: 1900 },
    { id: 'fr', name: 'VAT', country: 'FR', classId: 'standard', bps: 2000 },
    { id: 'fr-books', name: 'VAT', country: 'FR', classId: 'books', bps: 550 },
  ],
  tax: { origin: 'DE', oss: true, shipping: 'standard' },
};

test('a preview uses unsaved tax settings if they are sent, and the saved ones otherwise', async () => {
  const businessId = await h.business({ markets });
  const { token } = await h.member(businessId, 'BUSINESS_WRITE');
  const preview = async (body: object) =>
    (await h.call('POST', `/v1/businesses/${businessId}/tax-preview`, { token, body: { market: 'eu', ...body } })).body;
  const book = { amount: 5000, taxClassId: 'books', address: { country: 'FR' } };
  assert.deepEqual(await preview({ ...book, ...draft }), {
    currency: 'eur',
    taxIncluded: true,
    tax: 261,
    taxLines: [{ name: 'VAT', bps: 550, base: 4739, amount: 261, country: 'FR' }],
    shippingTax: 0,
    total: 5000,
  });
  const shipped = await preview({ ...book, shipping: 490, ...draft });
  assert.deepEqual([shipped.tax, shipped.shippingTax, shipped.total], [261 + 82, 82, 5490]);
  const withoutOss = await preview({ ...book, ...draft, tax: { origin: 'DE', oss: false } });
  assert.equal(withoutOss.taxLines[0]!.country, 'DE');
  const saved = await preview(book);
  assert.deepEqual([saved.tax, saved.taxLines[0]!.bps], [798, 1900]);
  const { status } = await h.call('POST', `/v1/businesses/${businessId}/tax-preview`, {
    token,
    body: { market: 'us', amount: 1 },
  });
  assert.equal(status, 422);
});
