import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fulfillmentOf,
  heldLines,
  linesToShip,
  statusToAdd,
} from '../../../src/domains/orders/shipments/fulfillment.ts';
import { systemStatus } from '../../../src/shared/records/status-history.ts';

type Order = Parameters<typeof fulfillmentOf>[0];

const line = (quantity: number, requiresShipping?: boolean) => ({
  productId: 'prod_1',
  variantId: 'main',
  quantity,
  ...(requiresShipping === undefined ? {} : { requiresShipping }),
});

/** An order with only the fields that fulfillment depends on. */
const orderOf = (lines: object[], shipped: number[], ...statuses: string[]) =>
  ({
    id: 'ord_1',
    doc: {
      lines,
      shipments: shipped.map((quantity, i) => ({ id: `shp_${i}`, lines: [{ lineId: 'line_1', quantity }] })),
      statuses: statuses.map((status) => systemStatus(status, 1)),
    },
  }) as unknown as Order;

test('items that do not require shipping never count as unshipped, but return to stock when the order is canceled', () => {
  const order = orderOf([line(3), line(2, false)], [3], 'PROCESSING');
  assert.deepEqual([linesToShip(order), fulfillmentOf(order), statusToAdd(order)], [[], 'FULFILLED', 'SHIPPED']);
  assert.deepEqual(
    heldLines(order).map(({ quantity }) => quantity),
    [2],
  );
  const digital = orderOf([line(2, false)], [], 'PENDING');
  assert.deepEqual([fulfillmentOf(digital), statusToAdd(digital)], ['FULFILLED', null]);
});

test('the status follows the shipments', () => {
  const cases: [number[], string[], string | null][] = [
    [[], ['PENDING'], null],
    [[1], ['PENDING'], 'PROCESSING'],
    [[1], ['PROCESSING'], null],
    [[1, 2], ['PROCESSING'], 'SHIPPED'],
    [[3], ['PENDING'], 'SHIPPED'],
    [[3], ['PENDING', 'SHIPPED'], null],
    [[2], ['PENDING', 'SHIPPED'], 'PROCESSING'],
    [[], ['PENDING', 'SHIPPED', 'DELIVERED'], 'PENDING'],
    [[], ['SHIPPED'], 'PROCESSING'],
    [[3], ['CANCELLED'], null],
    [[1], ['REFUNDED'], null],
  ];
  for (const [shipped, statuses, expected] of cases) {
    assert.equal(statusToAdd(orderOf([line(3)], shipped, ...statuses)), expected, `${shipped} ${statuses}`);
  }
});
