import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transition } from '../../src/domains/orders/changing/transitions.ts';
import type { OrderRow } from '../../src/domains/orders/order.ts';
import { systemStatus } from '../../src/shared/records/status-history.ts';

const NOW = 1_700_000_000;
const entry = (status: string) => systemStatus(status, NOW);
const lines = [{ productId: 'prod_1', variantId: 'main', quantity: 2 }];
const names = (history: readonly { status: string }[]) => history.map(({ status }) => status);

/** An order with these statuses and only the fields that transitions read. */
function orderWith({ status = 'PENDING', payment = 'PENDING' } = {}): OrderRow {
  const doc = { lines, statuses: [entry(status)], paymentStatus: [entry(payment)] };
  return { id: 'ord_1', status, paymentStatus: payment, holds: status !== 'CANCELLED', doc } as unknown as OrderRow;
}

test('canceling an order returns its stock, ends its payment and emails the customer', () => {
  const { stock, endsPayment, mails, newPaymentStatus } = transition(
    orderWith({ status: 'PROCESSING' }),
    { statuses: [entry('CANCELLED')] },
    NOW,
  );
  assert.deepEqual({ stock, endsPayment, mails }, { stock: 'RETURN', endsPayment: true, mails: ['CANCELLED'] });
  assert.equal(newPaymentStatus, null);
});

test('canceling a canceled order returns no stock and sends no email', () => {
  const { stock, mails } = transition(orderWith({ status: 'CANCELLED' }), { statuses: [entry('CANCELLED')] }, NOW);
  assert.deepEqual({ stock, mails }, { stock: 'KEEP', mails: [] });
});

test('an order that leaves CANCELLED deducts its stock again', () => {
  const { stock, endsPayment } = transition(
    orderWith({ status: 'CANCELLED' }),
    { statuses: [entry('PROCESSING')] },
    NOW,
  );
  assert.deepEqual({ stock, endsPayment }, { stock: 'TAKE', endsPayment: false });
});

test('a payment moves a PENDING order to PROCESSING and emails the customer', () => {
  const { doc, newPaymentStatus, stock, mails } = transition(orderWith(), { paymentStatus: [entry('PAID')] }, NOW);
  assert.deepEqual(names(doc.statuses), ['PENDING', 'PROCESSING']);
  assert.deepEqual(names(doc.paymentStatus), ['PENDING', 'PAID']);
  assert.deepEqual({ newPaymentStatus, stock, mails }, { newPaymentStatus: 'PAID', stock: 'KEEP', mails: ['PAID'] });
});

test('a payment does not change the status of an order that staff have moved past PENDING', () => {
  const { doc } = transition(orderWith({ status: 'SHIPPED' }), { paymentStatus: [entry('PAID')] }, NOW);
  assert.deepEqual(names(doc.statuses), ['SHIPPED']);
});

test('SHIPPED and DELIVERED ship everything left, and only SHIPPED emails the customer', () => {
  for (const status of ['SHIPPED', 'DELIVERED']) {
    const { doc, mails } = transition(orderWith({ status: 'PROCESSING' }), { statuses: [entry(status)] }, NOW);
    assert.deepEqual(
      doc.shipments?.map(({ lines }) => lines),
      [[{ lineId: 'line_1', quantity: 2 }]],
    );
    assert.deepEqual(mails, status === 'SHIPPED' ? ['SHIPPED'] : []);
  }
});

test('a shipped order that returns to PROCESSING undoes its shipments', () => {
  const { doc, mails } = transition(orderWith({ status: 'SHIPPED' }), { statuses: [entry('PROCESSING')] }, NOW);
  assert.deepEqual([doc.shipments, mails], [[], []]);
});

test('a second PAID entry neither moves the order nor emails the customer', () => {
  const { doc, newPaymentStatus, mails } = transition(
    orderWith({ payment: 'PAID' }),
    { paymentStatus: [entry('PAID')] },
    NOW,
  );
  assert.deepEqual(names(doc.statuses), ['PENDING']);
  assert.deepEqual({ newPaymentStatus, mails }, { newPaymentStatus: null, mails: [] });
});
