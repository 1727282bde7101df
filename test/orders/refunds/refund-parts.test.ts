import assert from 'node:assert/strict';
import test from 'node:test';
import { createRandom, type Random } from '../../../src/demo/random.ts';
import {
  lineValues,
  previousParts,
  refundParts,
  spreadRefund,
  sumParts,
} from '../../../src/domains/orders/money/refund-parts.ts';
import type { RefundParts } from '../../../src/domains/orders/money/schemas.ts';
import type { OrderDoc } from '../../../src/domains/orders/order.ts';
import { priceCart } from '../../../src/domains/pricing/pricing.ts';
import { flatTaxes } from '../../../src/domains/pricing/taxes/tax-amounts.ts';

/** A pseudorandom order, as checkout prices it. */
function orderOf(random: Random): OrderDoc {
  const int = (count: number) => random.between(0, count - 1);
  const lines = Array.from({ length: 1 + int(5) }, (_, i) => ({
    productId: `prod_${i}`,
    unitPrice: int(5000),
    quantity: 1 + int(4),
  }));
  const taxMode = int(2) === 0 ? ('INCLUSIVE' as const) : ('EXCLUSIVE' as const);
  const price = priceCart({
    lines,
    taxMode,
    taxes: { ...flatTaxes([0, 700, 1900][int(3)]!), isReverseCharge: int(5) === 0 },
    shipping: { amount: int(3) * 490, taxable: int(2) === 0 },
    discounts:
      int(2) === 0 ? [{ type: 'ITEMS_PERCENTAGE', bps: int(10_000) }] : [{ type: 'SHIPPING_PERCENTAGE', bps: 5000 }],
    discountedProducts: null,
  });
  return { ...price, taxMode, lines: lines.map((line, i) => ({ ...line, ...price.lines[i] })) } as unknown as OrderDoc;
}

test('the values of lines and shipping add up to the total, and their tax adds up to the total tax', () => {
  const random = createRandom(1);
  for (let i = 0; i < 500; i++) {
    const doc = orderOf(random);
    const values = lineValues(doc);
    assert.equal(sumParts(values), doc.total);
    assert.equal(
      values.lines.reduce((sum, { tax }) => sum + tax, values.shipping.tax),
      doc.tax,
    );
  }
});

test('any sequence of refunds covers each line, the shipping and the tax once', () => {
  const random = createRandom(2);
  const int = (count: number) => random.between(0, count - 1);
  for (let i = 0; i < 300; i++) {
    const doc = orderOf(random);
    const previous: RefundParts[] = [];
    const left = new Map(lineValues(doc).lines.map(({ lineId, quantity }) => [lineId, quantity]));
    for (const [lineId, quantity] of left) {
      const part = 1 + int(quantity);
      previous.push(refundParts(doc, previous, { lines: [{ lineId, quantity: part, restock: false }] }));
      left.set(lineId, quantity - part);
      if (int(3) === 0) previous.push(spreadRefund(doc, previous, int(300)));
    }
    const lines = [...left].filter(([, quantity]) => quantity > 0).map(([lineId, quantity]) => ({ lineId, quantity }));
    if (lines.length > 0) previous.push(refundParts(doc, previous, { lines }));
    previous.push(spreadRefund(doc, previous, doc.total));
    const sold = lineValues(doc);
    for (const { lineId, quantity, amount, tax } of sold.lines) {
      const parts = previous.flatMap((each) => each.lines.filter((part) => part.lineId === lineId));
      assert.equal(
        parts.reduce((sum, part) => sum + part.quantity, 0),
        quantity,
      );
      assert.equal(
        parts.reduce((sum, part) => sum + part.amount, 0),
        amount,
      );
      assert.equal(
        parts.reduce((sum, part) => sum + part.tax, 0),
        tax,
      );
    }
    assert.equal(
      previous.reduce((sum, { shipping }) => sum + shipping.amount, 0),
      sold.shipping.amount,
    );
  }
});

test('a lower amount is distributed over the chosen lines, and the excess of a higher amount over the rest of the order', () => {
  const doc = {
    subtotal: 4000,
    tax: 0,
    taxBps: 0,
    shipping: 500,
    discount: 0,
    total: 4500,
    taxMode: 'EXCLUSIVE',
    lines: [
      { id: 'a', unitPrice: 1000, quantity: 2, totalPrice: 2000, discount: 0 },
      { id: 'b', unitPrice: 2000, quantity: 1, totalPrice: 2000, discount: 0 },
    ],
  } as unknown as OrderDoc;
  const lines = [{ lineId: 'a', quantity: 1, restock: true }];
  assert.deepEqual(refundParts(doc, [], { lines, shipping: 500, amount: 900 }), {
    lines: [{ lineId: 'a', quantity: 1, restock: true, amount: 600, tax: 0 }],
    shipping: { amount: 300, tax: 0 },
  });
  const higher = refundParts(doc, [], { lines, amount: 1350 });
  assert.equal(sumParts(higher), 1350);
  assert.deepEqual(
    higher.lines.map(({ lineId, quantity, amount }) => [lineId, quantity, amount]),
    [
      ['a', 1, 1100],
      ['b', 0, 200],
    ],
  );
});

test('a second payment that was returned is not a refund of the order', () => {
  const doc = {
    subtotal: 1000,
    tax: 0,
    taxBps: 0,
    shipping: 0,
    discount: 0,
    total: 1000,
    taxMode: 'EXCLUSIVE',
    lines: [{ id: 'a', unitPrice: 1000, quantity: 1, totalPrice: 1000, discount: 0 }],
  } as unknown as OrderDoc;
  assert.deepEqual(previousParts({ doc, paid: 2000, refunded: 1000 }, [{ status: 'SUCCEEDED', parts: null }]), []);
  const [spread] = previousParts({ doc, paid: 1000, refunded: 400 }, [{ status: 'SUCCEEDED', parts: null }]);
  assert.equal(sumParts(spread!), 400);
});
