import assert from 'node:assert/strict';
import test from 'node:test';
import { formatsFor } from '../../../src/domains/orders/documents/render/format.ts';
import { taxName } from '../../../src/domains/orders/documents/render/pdf.ts';
import { textsIn } from '../../../src/domains/orders/documents/render/texts.ts';
import { formatMoney } from '../../../src/shared/money.ts';

const MAY_6 = Date.UTC(2026, 4, 6) / 1000;

test('documents format money like emails, and dates for the country of the seller', () => {
  const of = (language: 'en' | 'de', country: string) =>
    formatsFor({ language, timeZone: 'UTC', seller: { address: { country } } } as never, 'usd');
  for (const language of ['en', 'de'] as const) {
    assert.equal(of(language, 'US').money(486_606), formatMoney(486_606, 'usd', language));
  }
  assert.equal(of('en', 'US').day(MAY_6), 'May 6, 2026');
  assert.equal(of('en', 'DE').day(MAY_6), '6 May 2026');
  assert.equal(of('de', 'US').day(MAY_6), '6. Mai 2026');
});

test("documents label a market's tax as VAT if its prices include tax, as the shop does", () => {
  const of = (taxIncluded: boolean, language: 'en' | 'de' = 'en') =>
    taxName('Tax 19%', {
      texts: textsIn(language),
      format: formatsFor({ language, timeZone: 'UTC', seller: { address: { country: 'DE' } } } as never, 'eur'),
      document: { snapshot: { taxIncluded } } as never,
    });
  assert.equal(of(true), 'VAT 19%');
  assert.equal(of(false), 'Tax 19%');
  assert.match(of(true, 'de'), /^USt\. 19\s%$/);
});
