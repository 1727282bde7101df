import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { spread } from '../../src/domains/pricing/amounts.ts';
import { type Cart, type Discount, displayOf, findTooLarge, priceCart } from '../../src/domains/pricing/pricing.ts';
import { flatTaxes } from '../../src/domains/pricing/taxes/tax-amounts.ts';

type Example = {
  title: string;
  lines: [quantity: number, unitPrice: number, productId?: string][];
  tax?: [mode: 'EXCLUSIVE' | 'INCLUSIVE', bps: number];
  shipping?: { amount: number; freeAbove?: number; taxable?: boolean };
  discounts?: Discount[];
  only?: string[];
  expect: { subtotal: number; tax: number; shipping: number; discount: number; total: number };
};

/** Worked examples, in cents. */
const EXAMPLES: Example[] = [
  {
    title: 'two shirts at 49.00, no tax',
    lines: [[2, 4900]],
    expect: { subtotal: 9800, tax: 0, shipping: 0, discount: 0, total: 9800 },
  },
  {
    title: '8.25 % sales tax is added and rounded half up: 8.25 on 100.00',
    lines: [[1, 10_000]],
    tax: ['EXCLUSIVE', 825],
    expect: { subtotal: 10_000, tax: 825, shipping: 0, discount: 0, total: 10_825 },
  },
  {
    title: 'half a cent of tax is rounded up: 5 % of 0.10',
    lines: [[1, 10]],
    tax: ['EXCLUSIVE', 500],
    expect: { subtotal: 10, tax: 1, shipping: 0, discount: 0, total: 11 },
  },
  {
    title: 'tax is rounded once for the order, not per line: 3 × 0.10 at 5 %',
    lines: [
      [1, 10],
      [1, 10],
      [1, 10],
    ],
    tax: ['EXCLUSIVE', 500],
    expect: { subtotal: 30, tax: 2, shipping: 0, discount: 0, total: 32 },
  },
  {
    title: '20 % VAT included in a listed price of 120.00',
    lines: [[1, 12_000]],
    tax: ['INCLUSIVE', 2000],
    expect: { subtotal: 10_000, tax: 2000, shipping: 0, discount: 0, total: 12_000 },
  },
  {
    title: '20 % VAT included in price and taxable shipping: the customer pays 120.00 + 6.00',
    lines: [[1, 12_000]],
    tax: ['INCLUSIVE', 2000],
    shipping: { amount: 600, taxable: true },
    expect: { subtotal: 10_000, tax: 2100, shipping: 500, discount: 0, total: 12_600 },
  },
  {
    title: 'shipping that is not taxable',
    lines: [[1, 10_000]],
    tax: ['EXCLUSIVE', 1000],
    shipping: { amount: 500 },
    expect: { subtotal: 10_000, tax: 1000, shipping: 500, discount: 0, total: 11_500 },
  },
  {
    title: 'shipping that is taxable',
    lines: [[1, 10_000]],
    tax: ['EXCLUSIVE', 1000],
    shipping: { amount: 500, taxable: true },
    expect: { subtotal: 10_000, tax: 1050, shipping: 500, discount: 0, total: 11_550 },
  },
  {
    title: 'free shipping at 50.00 and above',
    lines: [[1, 5000]],
    shipping: { amount: 500, freeAbove: 5000 },
    expect: { subtotal: 5000, tax: 0, shipping: 0, discount: 0, total: 5000 },
  },
  {
    title: 'one cent short of free shipping',
    lines: [[1, 4999]],
    shipping: { amount: 500, freeAbove: 5000 },
    expect: { subtotal: 4999, tax: 0, shipping: 500, discount: 0, total: 5499 },
  },
  {
    title: '10 % off, then tax on the rest',
    lines: [[1, 10_000]],
    tax: ['EXCLUSIVE', 1000],
    discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
    expect: { subtotal: 10_000, tax: 900, shipping: 0, discount: 1000, total: 9900 },
  },
  {
    title: '10 % off a price that includes 20 % VAT: 108.00 is paid, of which 18.00 is VAT',
    lines: [[1, 12_000]],
    tax: ['INCLUSIVE', 2000],
    discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
    expect: { subtotal: 10_200, tax: 1800, shipping: 0, discount: 1200, total: 10_800 },
  },
  {
    title: '50.00 off 30.00 is capped at 30.00: the total is never negative',
    lines: [[1, 3000]],
    tax: ['EXCLUSIVE', 1000],
    discounts: [{ type: 'ITEMS_FIXED', amount: 5000 }],
    expect: { subtotal: 3000, tax: 0, shipping: 0, discount: 3000, total: 0 },
  },
  {
    title: '10 % off one product only',
    lines: [
      [1, 1000, 'mug'],
      [2, 2000, 'shirt'],
    ],
    discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
    only: ['shirt'],
    expect: { subtotal: 5000, tax: 0, shipping: 0, discount: 400, total: 4600 },
  },
  {
    title: 'half off taxable shipping',
    lines: [[1, 10_000]],
    tax: ['EXCLUSIVE', 1000],
    shipping: { amount: 1000, taxable: true },
    discounts: [{ type: 'SHIPPING_PERCENTAGE', bps: 5000 }],
    expect: { subtotal: 10_000, tax: 1050, shipping: 1000, discount: 500, total: 11_550 },
  },
  {
    title: 'all combined: 15 % and 2.00 off, shipping discount, VAT included',
    lines: [
      [3, 1999],
      [1, 501],
    ],
    tax: ['INCLUSIVE', 1900],
    shipping: { amount: 490, taxable: true },
    discounts: [
      { type: 'ITEMS_PERCENTAGE', bps: 1500 },
      { type: 'ITEMS_FIXED', amount: 200 },
      { type: 'SHIPPING_PERCENTAGE', bps: 10_000 },
    ],
    expect: { subtotal: 5648, tax: 850, shipping: 490, discount: 1665, total: 5323 },
  },
];

for (const example of EXAMPLES) {
  test(`example: ${example.title}`, () => {
    const { subtotal, tax, shipping, discount, total } = priceCart(cartOf(example));
    assert.deepEqual({ subtotal, tax, shipping, discount, total }, example.expect);
  });
}

function cartOf({ lines, tax = ['EXCLUSIVE', 0], shipping, discounts = [], only }: Example): Cart {
  return {
    lines: lines.map(([quantity, unitPrice, productId = 'p']) => ({ quantity, unitPrice, productId })),
    taxMode: tax[0],
    taxes: flatTaxes(tax[1]),
    shipping: { amount: 0, taxable: false, ...shipping },
    discounts,
    discountedProducts: only ? new Set(only) : null,
  };
}

const money = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 1_000_000_000 }));
const bps = fc.oneof(fc.constantFrom(0, 1, 700, 1900, 10_000), fc.integer({ min: 0, max: 10_000 }));
const discount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({ type: fc.constant('ITEMS_PERCENTAGE' as const), bps }),
  fc.record({ type: fc.constant('ITEMS_FIXED' as const), amount: money }),
  fc.record({ type: fc.constant('SHIPPING_PERCENTAGE' as const), bps }),
);
const line = fc.record({
  productId: fc.constantFrom('a', 'b', 'c'),
  unitPrice: money,
  quantity: fc.integer({ min: 1, max: 50 }),
});
const cart: fc.Arbitrary<Cart> = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 8 }),
  taxMode: fc.constantFrom('EXCLUSIVE' as const, 'INCLUSIVE' as const),
  taxes: bps.map(flatTaxes),
  shipping: fc.record({
    amount: money,
    freeAbove: fc.option(money, { nil: undefined }),
    taxable: fc.boolean(),
  }),
  discounts: fc.array(discount, { maxLength: 3 }),
  discountedProducts: fc.option(fc.constantFrom(new Set(['a']), new Set(['b', 'c']), new Set<string>())),
});

const items = (of: Cart) => of.lines.reduce((sum, each) => sum + each.unitPrice * each.quantity, 0);
const always = (name: string, holds: (of: Cart) => void) =>
  test(name, () => fc.assert(fc.property(cart, holds), { numRuns: 2000 }));

always('the total is subtotal + tax + shipping − discount', (of) => {
  const price = priceCart(of);
  assert.equal(price.total, price.subtotal + price.tax + price.shipping - price.discount);
});

always('all parts of a price are non-negative integers', (of) => {
  const { lines, taxLines, taxExempt: _, ...parts } = priceCart(of);
  for (const part of [
    ...Object.values(parts),
    ...taxLines.flatMap(({ base, amount }) => [base, amount]),
    ...lines.flatMap((each) => Object.values(each)),
  ]) {
    assert.ok(Number.isSafeInteger(part) && part >= 0);
  }
});

always('item discounts never exceed the items, and the discount of a line never exceeds the line', (of) => {
  const price = priceCart({ ...of, discounts: of.discounts.filter((each) => each.type !== 'SHIPPING_PERCENTAGE') });
  assert.ok(price.discount <= items(of));
  for (const each of price.lines) assert.ok(each.discount <= each.totalPrice);
});

always('the discounts of the lines add up to the item discount', (of) => {
  const price = priceCart({ ...of, discounts: of.discounts.filter((each) => each.type !== 'SHIPPING_PERCENTAGE') });
  assert.equal(
    price.lines.reduce((sum, each) => sum + each.discount, 0),
    price.discount,
  );
});

always('with INCLUSIVE tax and no discount, the customer pays the listed prices', (of) => {
  const price = priceCart({ ...of, taxMode: 'INCLUSIVE', discounts: [] });
  const { amount, freeAbove } = of.shipping;
  assert.equal(price.total, items(of) + (freeAbove !== undefined && items(of) >= freeAbove ? 0 : amount));
});

always('with INCLUSIVE tax, customers see listed item and shipping prices, and they add up to the total', (of) => {
  const price = priceCart({ ...of, taxMode: 'INCLUSIVE' });
  const { amount, freeAbove } = of.shipping;
  const listedShipping = freeAbove !== undefined && items(of) >= freeAbove ? 0 : amount;
  const { taxIncluded, ...shown } = displayOf({ ...price, taxMode: 'INCLUSIVE' });
  assert.equal(taxIncluded, true);
  assert.equal(shown.subtotal, items(of));
  assert.equal(shown.shipping, listedShipping);
  assert.equal(shown.total, shown.subtotal + shown.shipping - shown.discount);
});

always('with EXCLUSIVE tax, tax is shown as a separate amount', (of) => {
  const price = priceCart({ ...of, taxMode: 'EXCLUSIVE' });
  const { subtotal, tax, shipping, discount: off, total } = price;
  const shown = { taxIncluded: false, subtotal, tax, shipping, discount: off, total };
  assert.deepEqual(displayOf({ ...price, taxMode: 'EXCLUSIVE' }), shown);
});

always('splitting a line in two changes only the lines', (of) => {
  const split = of.lines.flatMap((each) =>
    each.quantity === 1
      ? [each]
      : [
          { ...each, quantity: 1 },
          { ...each, quantity: each.quantity - 1 },
        ],
  );
  const { lines: _one, ...whole } = priceCart(of);
  const { lines: _two, ...parts } = priceCart({ ...of, lines: split });
  assert.deepEqual(parts, whole);
});

test('shares by largest remainder add up exactly and differ by less than one from the exact share', () => {
  fc.assert(
    fc.property(
      fc.array(money, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 0, max: 10_000 }),
      (weights, cut) => {
        const whole = weights.reduce((sum, weight) => sum + weight, 0);
        const amount = Math.floor((whole / 10_000) * cut);
        const shares = spread(amount, weights);
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          whole === 0 ? 0 : amount,
        );
        for (const [i, share] of shares.entries()) {
          assert.ok(share <= weights[i]!);
          if (whole > 0) assert.ok(Math.abs(share - (amount * weights[i]!) / whole) < 1 + 1e-6 * share);
        }
      },
    ),
  );
});

test('amounts above the maximum are detected without overflow', () => {
  assert.equal(findTooLarge([{ unitPrice: 1_000_000_000_000, quantity: 1 }]), null);
  assert.equal(
    findTooLarge([
      { unitPrice: 1, quantity: 1 },
      { unitPrice: 1_000_000_000_000, quantity: 1_000_000 },
    ]),
    1,
  );
  assert.equal(
    findTooLarge([
      { unitPrice: 600_000_000_000, quantity: 1 },
      { unitPrice: 600_000_000_000, quantity: 1 },
    ]),
    'sum',
  );
});
