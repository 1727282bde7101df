import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isEInvoice, writeEInvoice } from '../../../src/domains/orders/documents/render/e-invoice.ts';
import { supplyText } from '../../../src/domains/orders/documents/render/supply.ts';
import { casesOf } from '../../cases.ts';
import { readRules, violations } from './en16931/schematron.ts';
import { violatedRules } from './en16931/validate.ts';
import { BUYER, businessWith, creditNoteOf, invoiceOf, type Sample, SELLER, sampleOrder } from './sample-orders.ts';

const samples: fc.Arbitrary<Sample & { refund: number; format: string }> = fc.record({
  taxMode: fc.constantFrom('EXCLUSIVE', 'INCLUSIVE'),
  lines: fc.array(
    fc.record({
      unitPrice: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 1_000_000 })),
      quantity: fc.integer({ min: 1, max: 40 }),
      taxClassId: fc.constantFrom('standard', 'reduced', 'none'),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  shipping: fc.constantFrom(0, 1, 490, 1299),
  shippingClass: fc.constantFrom(undefined, 'standard', 'reduced') as fc.Arbitrary<string>,
  isShippingTaxed: fc.boolean(),
  discounts: fc.constantFrom(
    [],
    [{ type: 'ITEMS_PERCENTAGE' as const, bps: 1337 }],
    [{ type: 'ITEMS_FIXED' as const, amount: 777 }],
    [{ type: 'SHIPPING_PERCENTAGE' as const, bps: 5000 }],
    [{ type: 'ITEMS_PERCENTAGE' as const, bps: 10_000 }],
  ),
  isReverseCharge: fc.boolean(),
  locale: fc.constantFrom('en', 'de'),
  supply: fc.constantFrom('OPEN', 'PARTLY', 'SHIPPED', 'DIGITAL'),
  /** The part of the total that is refunded, in percent. */
  refund: fc.integer({ min: 1, max: 100 }),
  format: fc.constantFrom('FACTUR_X', 'XRECHNUNG'),
});

test('every e-invoice satisfies the rules of EN 16931', () => {
  let [invoices, creditNotes] = [0, 0];
  for (const [i, sample] of fc.sample(samples, { numRuns: casesOf(20, 200), seed: 31 }).entries()) {
    const order = sampleOrder(sample);
    const business = businessWith({ format: sample.format, legalText: 'Thanks & goodbye.' });
    const amount = Math.ceil((order.doc.total * sample.refund) / 100);
    const document = i % 3 === 0 && amount > 0 ? creditNoteOf(order, business, amount) : invoiceOf(order, business);
    assert.ok(isEInvoice(document), JSON.stringify(sample));
    assert.deepEqual(violatedRules(writeEInvoice(document)), [], JSON.stringify(sample));
    if (document.type === 'INVOICE') invoices++;
    else creditNotes++;
  }
  assert.ok(invoices > creditNotes && creditNotes > casesOf(4, 50));
});

test('every XRechnung satisfies the XRechnung rules in both syntaxes, and in UBL also the EN 16931 rules', async () => {
  const texts = { XRECHNUNG: [] as string[], XRECHNUNG_UBL: [] as string[] };
  for (const [i, sample] of fc.sample(samples, { numRuns: casesOf(12, 200), seed: 32 }).entries()) {
    const order = sampleOrder(sample);
    const amount = Math.ceil((order.doc.total * sample.refund) / 100);
    for (const format of ['XRECHNUNG', 'XRECHNUNG_UBL'] as const) {
      const business = businessWith({ format, legalText: 'Thanks & goodbye.' });
      const document = i % 3 === 0 && amount > 0 ? creditNoteOf(order, business, amount) : invoiceOf(order, business);
      assert.ok(isEInvoice(document), JSON.stringify(sample));
      texts[format].push(writeEInvoice(document));
    }
  }
  const none = texts.XRECHNUNG.map(() => []);
  assert.deepEqual(await violations(readRules('xrechnung-common', 'xrechnung-cii'), texts.XRECHNUNG), none);
  assert.deepEqual(await violations(readRules('xrechnung-common', 'xrechnung-ubl'), texts.XRECHNUNG_UBL), none);
  assert.deepEqual(await violations(readRules('ubl'), texts.XRECHNUNG_UBL), none);
});

const sample: Sample = {
  taxMode: 'INCLUSIVE',
  lines: [{ unitPrice: 4900, quantity: 2, taxClassId: 'standard' }],
  shipping: 490,
  discounts: [],
};

test('the validation finds an amount that is off by one cent', () => {
  const xml = writeEInvoice(invoiceOf(sampleOrder(sample), businessWith({ format: 'FACTUR_X' })));
  const broken = xml.replace(/<ram:GrandTotalAmount>102.90/, '<ram:GrandTotalAmount>102.91');
  assert.notEqual(broken, xml);
  assert.ok(violatedRules(broken).some((rule) => rule.includes('BR-CO-15')));
});

test('the validation of UBL finds a wrong amount, and each detail that only XRechnung requires', async () => {
  const xml = writeEInvoice(invoiceOf(sampleOrder(sample), businessWith({ format: 'XRECHNUNG_UBL' })));
  const without = (name: string) => xml.replaceAll(new RegExp(`<${name}>.*?</${name}>`, 'g'), '');
  const [wrong] = await violations(readRules('ubl'), [xml.replace(/(<cbc:TaxInclusiveAmount.*?>)102.90/, '$1102.91')]);
  assert.ok(wrong!.includes('BR-CO-15'), String(wrong));
  const missing = {
    'cac:PaymentMeans': 'BR-DE-1',
    'cac:Contact': 'BR-DE-2',
    'cbc:CityName': 'BR-DE-3',
    'cbc:PostalZone': 'BR-DE-4',
    'cbc:Telephone': 'BR-DE-6',
    'cbc:ElectronicMail': 'BR-DE-7',
    'cbc:Percent': 'BR-DE-14',
    'cbc:BuyerReference': 'BR-DE-15',
  };
  const found = await violations(readRules('xrechnung-common', 'xrechnung-ubl'), Object.keys(missing).map(without));
  for (const [i, rule] of Object.values(missing).entries()) assert.ok(found[i]!.includes(rule), `${rule}: ${found[i]}`);
});

test('without the data that the rules require, only a PDF is issued', () => {
  const facturX = businessWith({ format: 'FACTUR_X' });
  const xRechnung = businessWith({ format: 'XRECHNUNG' });
  const issued = (change: Partial<Sample>, business = facturX) =>
    isEInvoice(invoiceOf(sampleOrder({ ...sample, ...change }), business));
  assert.equal(issued({}), true);
  assert.equal(issued({}, xRechnung), true);
  assert.equal(issued({}, businessWith({})), false);
  assert.equal(issued({ buyer: null }), false);
  assert.equal(issued({ buyer: { ...BUYER, name: '', company: '' } }), false);
  assert.equal(issued({ buyer: { ...BUYER, street: '' } }), false);
  assert.equal(issued({ buyer: { ...BUYER, country: 'Germany' } }), false);
  const { seller, profile } = SELLER;
  assert.equal(issued({}, businessWith({ format: 'FACTUR_X' }, { seller: seller! })), false);
  const noTaxId = { profile: { ...profile, taxId: undefined }, seller: { email: 'a@example.com' } } as typeof SELLER;
  assert.equal(issued({}, businessWith({ format: 'FACTUR_X' }, noTaxId)), false);
  const noPhone = { profile: profile!, seller: { ...seller!, phone: undefined } } as typeof SELLER;
  assert.equal(issued({}, businessWith({ format: 'FACTUR_X' }, noPhone)), true);
  assert.equal(issued({}, businessWith({ format: 'XRECHNUNG' }, noPhone)), false);
});

test('invoices without VAT, from a small business or for an export, state the reason', () => {
  const exempt = sampleOrder({ ...sample, lines: [{ unitPrice: 4900, quantity: 1, taxClassId: 'none' }] });
  const invoice = writeEInvoice(invoiceOf(exempt, businessWith({ format: 'FACTUR_X' })));
  assert.match(invoice, /<ram:CategoryCode>E</);
  assert.deepEqual(violatedRules(invoice), []);
  const exported = sampleOrder({
    ...sample,
    lines: [{ unitPrice: 4900, quantity: 1, taxClassId: 'none' }],
    buyer: { ...BUYER, country: 'CH' },
  });
  const abroad = writeEInvoice(invoiceOf(exported, businessWith({ format: 'FACTUR_X' })));
  assert.match(abroad, /<ram:CategoryCode>G</);
  assert.deepEqual(violatedRules(abroad), []);
});

test('an e-invoice has the date of supply, or a note that items are still to be delivered', () => {
  const two = { ...sample, lines: [...sample.lines, ...sample.lines] };
  const written = (supply: Sample['supply'], format: string, locale = 'en') => {
    const xml = writeEInvoice(invoiceOf(sampleOrder({ ...two, supply: supply!, locale }), businessWith({ format })));
    const [, cii] = /<ram:OccurrenceDateTime>.*?>(\d+)</.exec(xml) ?? [];
    const [, ubl] = /<cbc:ActualDeliveryDate>(.*?)</.exec(xml) ?? [];
    const [, note] = /<(?:cbc:Note|ram:Content)>(.*?)</.exec(xml) ?? [];
    return [cii ?? ubl ?? null, note ?? null];
  };
  assert.deepEqual(written('SHIPPED', 'FACTUR_X'), ['20261025', null]);
  assert.deepEqual(written('SHIPPED', 'XRECHNUNG_UBL'), ['2026-10-25', null]);
  assert.deepEqual(written('DIGITAL', 'XRECHNUNG_UBL'), ['2026-10-26', null]);
  const open = 'Date of supply: Paid in advance, delivery to follow';
  for (const format of ['FACTUR_X', 'XRECHNUNG_UBL']) assert.deepEqual(written('OPEN', format), [null, open]);
  const partly = 'Lieferdatum: 25. Oktober 2026, weitere Artikel folgen';
  assert.deepEqual(written('PARTLY', 'FACTUR_X', 'de'), ['20261025', partly]);
});

test("a document from an older version that has no date of supply doesn't show one", () => {
  const issued = invoiceOf(sampleOrder(sample), businessWith({ format: 'FACTUR_X' }));
  assert.equal(supplyText(issued), 'Paid in advance, delivery to follow');
  const { isSupplyOpen: _, ...older } = issued.snapshot;
  const document = { ...issued, snapshot: older };
  assert.equal(supplyText(document), '');
  assert.doesNotMatch(writeEInvoice(document), /supply|OccurrenceDateTime/);
});

test('documents show options as the shop does, with a capital letter', () => {
  const order = sampleOrder(sample);
  for (const { snapshot } of [invoiceOf(order, businessWith({})), creditNoteOf(order, businessWith({}), 100)])
    assert.equal(snapshot.lines[0]!.details, 'Size: M');
});
