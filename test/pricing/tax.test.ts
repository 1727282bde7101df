/** Tax against an oracle that shares no code with the service and works with exact fractions. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { Configs } from '../../src/domains/businesses/index.ts';
import type { Sellable } from '../../src/domains/catalog/index.ts';
import { invoiceSnapshot } from '../../src/domains/orders/documents/snapshot.ts';
import { cartRequestOf, checkCart, displayOf, type Priced, VAT_RATES } from '../../src/domains/pricing/index.ts';
import type { PartialAddress } from '../../src/shared/schemas.ts';
import { casesOf } from '../cases.ts';
import { type Json, shareHarness } from '../harness.ts';
import { businessWith, SELLER, sampleOrder } from '../orders/documents/sample-orders.ts';
import { openShop } from '../orders/shop.ts';

const h = await shareHarness();

const { taxClasses, taxRates } = VAT_RATES;
const COUNTRIES = [...new Set(taxRates.map(({ country }) => country))];
const CLASSES = ['standard', 'reduced', 'books'];
const EU = COUNTRIES.filter((country) => !['CH', 'GB', 'NO'].includes(country));

type TaxMode = 'EXCLUSIVE' | 'INCLUSIVE';
type Case = {
  mode: TaxMode;
  origin: string;
  oss: boolean;
  shippingClass: string | undefined;
  taxable: boolean;
  shippingAmount: number;
  lines: { taxClass: number; unitPrice: number; quantity: number }[];
  destination: string | null;
  billing: string | null;
  vatCountry: string | null;
  vatValid: boolean;
  promo: { type: string; bps?: number; amount?: number }[] | null;
};

const money = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 9_000_000 }));
const bps = fc.integer({ min: 0, max: 10_000 });
const country = fc.constantFrom(...COUNTRIES);
const cases: fc.Arbitrary<Case> = fc.record({
  mode: fc.constantFrom('EXCLUSIVE' as const, 'INCLUSIVE' as const),
  origin: country,
  oss: fc.boolean(),
  shippingClass: fc.constantFrom(undefined, 'PROPORTIONAL', ...CLASSES),
  taxable: fc.boolean(),
  shippingAmount: money,
  lines: fc.array(
    fc.record({ taxClass: fc.nat({ max: 2 }), unitPrice: money, quantity: fc.integer({ min: 1, max: 20 }) }),
    { minLength: 1, maxLength: 6 },
  ),
  destination: fc.option(country),
  billing: fc.option(country),
  vatCountry: fc.option(country),
  vatValid: fc.boolean(),
  promo: fc.option(
    fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('ITEMS_PERCENTAGE'), bps }),
        fc.record({ type: fc.constant('ITEMS_FIXED'), amount: money }),
        fc.record({ type: fc.constant('SHIPPING_PERCENTAGE'), bps }),
      ),
      { minLength: 1, maxLength: 2 },
    ),
  ),
});

const configsOf = ({ mode, origin, oss, shippingClass, taxable, shippingAmount }: Case): Configs => ({
  markets: [{ id: 'eu', currency: 'eur', taxMode: mode, taxBps: 4321 }],
  shippingMethods: [{ id: 'post', prices: [{ market: 'eu', amount: shippingAmount }], taxable }],
  taxClasses,
  taxRates,
  tax: { origin, oss, ...(shippingClass === undefined ? {} : { shipping: shippingClass }) },
});

function price(each: Case): Priced {
  const items = each.lines.map((line, i) => ({ productId: `p${i}`, variantId: 'v', quantity: line.quantity }));
  const sellables = each.lines.map(
    ({ taxClass, unitPrice }, i): Sellable => ({
      productId: `p${i}`,
      variantId: 'v',
      productName: 'P',
      variantName: '',
      sku: '',
      options: [],
      image: null,
      active: true,
      tracked: false,
      quantity: 0,
      isWatched: false,
      taxClassId: CLASSES[taxClass]!,
      prices: [{ marketId: 'eu', currency: 'eur', price: unitPrice }],
    }),
  );
  const vatId = each.vatCountry === null ? {} : { vatId: `${each.vatCountry === 'GR' ? 'EL' : each.vatCountry}123` };
  const address = (code: string | null): PartialAddress | null => (code === null ? null : { country: code, ...vatId });
  const request = cartRequestOf(
    {
      market: 'eu',
      shippingMethodId: 'post',
      items,
      shippingAddress: address(each.destination),
      billingAddress: address(each.billing),
      promoCode: each.promo === null ? null : 'X',
    },
    { forCheckout: false },
  );
  const promo = each.promo && {
    id: 'promo_1',
    code: 'X',
    status: 'ACTIVE',
    conditions: [],
    uses: 0,
    usesByUser: 0,
    discounts: each.promo as never,
  };
  const facts = { configs: configsOf(each), sellables, promo, vatValid: each.vatValid, nowSeconds: 0 };
  const result = checkCart(request, facts);
  assert.ok('priced' in result, JSON.stringify(result));
  return result.priced;
}

/** A fraction, rounded half up only where the rules say so. */
const halfUp = (numerator: bigint, denominator: bigint) => {
  const [whole, rest] = [numerator / denominator, numerator % denominator];
  return rest * 2n >= denominator ? whole + 1n : whole;
};

/** Hands out one unit at a time to the part that is furthest below its exact share. */
function share(amount: bigint, weights: bigint[]): bigint[] {
  const whole = weights.reduce((a, b) => a + b, 0n);
  if (whole === 0n) return weights.map(() => 0n);
  const given = weights.map((weight) => (amount * weight - ((amount * weight) % whole)) / whole);
  let left = amount - given.reduce((a, b) => a + b, 0n);
  while (left > 0n) {
    let neediest = 0;
    for (let i = 1; i < weights.length; i++) {
      const need = (j: number) => amount * weights[j]! - given[j]! * whole;
      if (need(i) > need(neediest)) neediest = i;
    }
    given[neediest]! += 1n;
    left -= 1n;
  }
  return given;
}

function rateAt(place: string, classId: string): bigint {
  return BigInt(taxRates.find((rate) => rate.country === place && rate.classId === classId)!.bps);
}

function oracle(each: Case) {
  const totals = each.lines.map((line) => BigInt(line.unitPrice) * BigInt(line.quantity));
  const items = totals.reduce((a, b) => a + b, 0n);
  const post = BigInt(each.shippingAmount);
  let [offItems, offShipping] = [0n, 0n];
  for (const { type, bps: part = 0, amount = 0 } of each.promo ?? []) {
    if (type === 'ITEMS_FIXED') offItems += BigInt(amount);
    if (type === 'ITEMS_PERCENTAGE') offItems += halfUp(items * BigInt(part), 10_000n);
    if (type === 'SHIPPING_PERCENTAGE') offShipping += halfUp(post * BigInt(part), 10_000n);
  }
  if (offItems > items) offItems = items;
  if (offShipping > post) offShipping = post;
  const off = share(offItems, totals);
  const amounts = totals.map((total, i) => total - off[i]!);

  const goesTo = each.destination ?? each.billing ?? each.origin;
  const inEu = EU.includes(each.origin) && EU.includes(goesTo);
  const place = inEu && !each.oss ? each.origin : goesTo;
  const hasVatId = each.vatCountry !== null && (each.destination ?? each.billing) !== null;
  const exempt =
    inEu && goesTo !== each.origin && hasVatId && each.vatValid && EU.includes(each.vatCountry!)
      ? each.vatCountry !== each.origin
      : false;

  const rates = each.lines.map(({ taxClass }) => rateAt(place, CLASSES[taxClass]!));
  const isTaxed = each.shippingClass !== undefined || each.taxable;
  const taxedPost = isTaxed ? post - offShipping : 0n;
  const distinct = [...new Set(rates)];
  const own = each.shippingClass !== undefined && each.shippingClass !== 'PROPORTIONAL';
  const postRates = own ? [rateAt(place, each.shippingClass!)] : distinct;
  const weights = postRates.map((rate) => amounts.filter((_, i) => rates[i] === rate).reduce((a, b) => a + b, 0n));
  const isFree = weights.every((weight) => weight === 0n);
  const postShares = own || isFree ? postRates.map((_, i) => (i === 0 ? taxedPost : 0n)) : share(taxedPost, weights);

  const lineTaxes = amounts.map(() => 0n);
  let [tax, postTax] = [0n, 0n];
  for (const rate of new Set([...rates, ...postRates])) {
    const members = amounts.flatMap((_, i) => (rates[i] === rate ? [i] : []));
    const onPost = postShares[postRates.indexOf(rate)] ?? 0n;
    const whole = members.reduce((sum, i) => sum + amounts[i]!, onPost);
    const divisor = each.mode === 'INCLUSIVE' ? 10_000n + rate : 10_000n;
    const ofRate = halfUp(whole * rate, divisor);
    const ofPost = halfUp(onPost * rate, divisor);
    const parts = share(
      ofRate - ofPost,
      members.map((i) => amounts[i]!),
    );
    for (const [n, i] of members.entries()) lineTaxes[i] = parts[n]!;
    tax += ofRate;
    postTax += ofPost;
  }
  const discount = offItems + offShipping;
  const gross = items + post - discount;
  const total = each.mode === 'INCLUSIVE' ? (exempt ? gross - tax : gross) : exempt ? gross : gross + tax;
  const inclusive = each.mode === 'INCLUSIVE';
  const itemTax = tax - postTax;
  return {
    exempt,
    discount,
    total,
    subtotal: inclusive ? items - itemTax : items,
    shipping: inclusive ? post - postTax : post,
    tax: exempt ? 0n : tax,
    shippingTax: exempt ? 0n : postTax,
    lineTaxes: exempt ? lineTaxes.map(() => 0n) : lineTaxes,
  };
}

test('quote, checkout, order and invoice of the same cart have the same amounts, line by line', async () => {
  for (const each of fc.sample(cases, { numRuns: casesOf(4, 12), seed: 7 })) {
    const shop = await openShop(h, { ...configsOf(each), ...SELLER, invoicing: { format: 'XRECHNUNG' } });
    if (each.promo) await shop.promo('X', each.promo);
    const products = await Promise.all(
      each.lines.map(async ({ taxClass, unitPrice }) => {
        const id = await shop.product({ price: unitPrice, currency: 'eur', market: 'eu', quantity: null });
        const body = { taxClassId: CLASSES[taxClass] };
        const { status } = await h.call('PUT', `${shop.base}/products/${id}`, { token: shop.staff.token, body });
        assert.equal(status, 200);
        return id;
      }),
    );
    const cart = {
      businessId: shop.businessId,
      market: 'eu',
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'post',
      items: each.lines.map(({ quantity }, i) => ({ productId: products[i]!, variantId: 'main', quantity })),
      shippingAddress: each.destination === null ? null : ADDRESSES[each.destination],
      email: 'buyer@example.com',
      ...(each.promo && { promoCode: 'X' }),
    };
    const { token } = shop.customer;
    const { body: quote } = await h.call('POST', '/v1/payments/quote', { token, body: cart });
    const placed = await h.call('POST', `${shop.base}/orders/checkout`, { token, body: cart });
    const honored = await h.call('POST', `${shop.base}/orders/checkout`, {
      token,
      body: { ...cart, quoteId: quote.id },
    });
    const { body: manual } = await h.call('POST', `${shop.base}/orders`, {
      token: shop.staff.token,
      body: { ...cart, customerId: shop.customer.userId, lines: cart.items },
    });
    assert.deepEqual([placed.status, honored.status], [200, 200], JSON.stringify([placed.body, honored.body]));
    for (const order of [await shop.order(placed.body.orderId), await shop.order(honored.body.orderId), manual]) {
      assert.deepEqual(figuresOf(order), figuresOf(quote));
    }
    const expected = price({ ...each, billing: null, vatCountry: null });
    assert.deepEqual([quote.total, quote.tax, quote.taxLines], [expected.total, expected.tax, expected.taxLines]);
    await shop.setPayment(placed.body.orderId, 'PAID');
    const base = `${shop.base}/orders/${placed.body.orderId}/documents` as const;
    const [invoice] = (await h.call('GET', base, { token })).body.items;
    assert.equal(invoice!.total, quote.total);
    if (each.destination === null) continue;
    const { body: xml } = await h.call('GET', `${base}/${invoice!.id}/xml`, { token });
    assert.match(String(xml), new RegExp(`<ram:TaxTotalAmount currencyID="EUR">${decimal(quote.tax)}<`));
    assert.match(String(xml), new RegExp(`<ram:GrandTotalAmount>${decimal(quote.total)}<`));
  }
});

const decimal = (cents: number) => `${Math.floor(cents / 100)}\\.${String(cents % 100).padStart(2, '0')}`;

const figuresOf = ({
  subtotal,
  tax,
  taxBps,
  shipping,
  discount,
  total,
  taxLines,
  shippingTax,
  display,
  lines,
}: Json) => ({
  subtotal,
  tax,
  taxBps,
  shipping,
  discount,
  total,
  taxLines,
  shippingTax,
  display,
  lines: lines.map((line: Json) => [line.unitPrice, line.totalPrice, line.discount, line.tax, line.taxBps]),
});

/** A complete address in each country. */
const ZIPS: Record<string, string> = {
  AT: '1010',
  BE: '1000',
  BG: '1000',
  CH: '8001',
  CY: '1010',
  CZ: '110 00',
  DE: '80331',
  DK: '1050',
  EE: '10111',
  ES: '28001',
  FI: '00100',
  FR: '69001',
  GB: 'SW1A 1AA',
  GR: '105 57',
  HR: '10000',
  HU: '1011',
  IE: 'D02 AF30',
  IT: '00184',
  LT: '01103',
  LU: '1111',
  LV: 'LV-1050',
  MT: 'VLT 1117',
  NL: '1012 JS',
  NO: '0150',
  PL: '00-950',
  PT: '1100-148',
  RO: '010011',
  SE: '111 20',
  SI: '1000',
  SK: '811 01',
};
const STATES: Record<string, string> = { ES: 'M', IT: 'RM', IE: 'D', RO: 'B' };
const ADDRESSES = Object.fromEntries(
  COUNTRIES.map((code) => [
    code,
    { name: 'Ada', street: '1 Main Street', city: 'Town', state: STATES[code] ?? '', zip: ZIPS[code]!, country: code },
  ]),
);

test('a reverse charge needs a VAT ID from another EU country and goods that go there', () => {
  const cart: Case = {
    mode: 'INCLUSIVE',
    origin: 'DE',
    oss: true,
    shippingClass: undefined,
    taxable: false,
    shippingAmount: 0,
    lines: [{ taxClass: 0, unitPrice: 12_000, quantity: 1 }],
    billing: null,
    promo: null,
    destination: 'FR',
    vatCountry: 'FR',
    vatValid: true,
  };
  const { tax, total, taxExempt, taxLines, lines, subtotal } = price(cart);
  assert.deepEqual([tax, total, subtotal, taxExempt, lines[0]!.tax], [0, 10_000, 10_000, 'REVERSE_CHARGE', 0]);
  assert.deepEqual(taxLines, [{ name: 'Reverse charge', bps: 0, base: 10_000, amount: 0, country: 'FR' }]);
  const others: Partial<Case>[] = [
    { vatValid: false },
    { vatCountry: null },
    { vatCountry: 'DE' },
    { vatCountry: 'CH' },
    { destination: 'DE' },
    { origin: 'CH' },
  ];
  for (const each of others) assert.equal(price({ ...cart, ...each }).taxExempt, null, JSON.stringify(each));
});

test('an order with several rates has an effective rate, and an order with one rate has that rate', () => {
  const cart: Case = {
    mode: 'EXCLUSIVE',
    origin: 'DE',
    oss: true,
    shippingClass: 'standard',
    taxable: false,
    shippingAmount: 500,
    destination: 'DE',
    billing: null,
    promo: null,
    vatCountry: null,
    vatValid: false,
    lines: [
      { taxClass: 0, unitPrice: 1000, quantity: 1 },
      { taxClass: 2, unitPrice: 1000, quantity: 1 },
    ],
  };
  const several = price(cart);
  assert.deepEqual([several.tax, several.shippingTax, several.taxBps], [190 + 70 + 95, 95, 1420]);
  assert.equal(price({ ...cart, lines: [cart.lines[0]!] }).taxBps, 1900);
});

const ORDER = sampleOrder({ taxMode: 'EXCLUSIVE', lines: [], shipping: 0, discounts: [] });

test('random carts over 30 countries, and their invoices, have the tax that an independent calculation gives', async () => {
  assert.equal(COUNTRIES.length, 30);
  const carts = () =>
    fc.assert(
      fc.property(cases, (each) => {
        const priced = price(each);
        const expected = oracle(each);
        const { subtotal, tax, shipping, discount, total, shippingTax, taxLines, taxExempt, lines } = priced;
        assert.deepEqual(
          { subtotal, tax, shipping, discount, total, shippingTax },
          {
            subtotal: Number(expected.subtotal),
            tax: Number(expected.tax),
            shipping: Number(expected.shipping),
            discount: Number(expected.discount),
            total: Number(expected.total),
            shippingTax: Number(expected.shippingTax),
          },
        );
        assert.deepEqual(
          lines.map((line) => line.tax),
          expected.lineTaxes.map(Number),
        );
        assert.equal(taxExempt, expected.exempt ? 'REVERSE_CHARGE' : null);
        const sum = (values: number[]) => values.reduce((whole, value) => whole + value, 0);
        assert.equal(sum(lines.map((line) => line.tax!)) + shippingTax, tax);
        assert.equal(sum(taxLines.map((line) => line.amount)), tax);
        assert.equal(total, subtotal + tax + shipping - discount);
        const shown = displayOf(priced);
        assert.equal(
          shown.total,
          shown.subtotal + shown.shipping - shown.discount + (shown.taxIncluded ? 0 : shown.tax),
        );
        const invoice = invoiceSnapshot({ ...ORDER, doc: { ...ORDER.doc, ...priced } }, businessWith({}));
        const shares = [...invoice.lines.map((line) => line.share), ...invoice.shipping];
        assert.equal(sum(invoice.rows.map((row) => row.amount)), total);
        assert.equal(sum(shares.map((part) => part.net + part.tax)), total);
        assert.equal(sum(shares.map((part) => part.tax)), tax);
        assert.deepEqual(invoice.taxLines, taxLines);
      }),
      { numRuns: 500 },
    );
  for (let batch = 0; batch < casesOf(2, 20); batch++) {
    carts();
    await setImmediate();
  }
});
