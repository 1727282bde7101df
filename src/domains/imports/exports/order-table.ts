/** The columns of our own orders CSV, which `formats/own/orders.ts` reads: one row per item. Pure. */
import { cellOf } from '../formats/cells.ts';
import { writeMoney } from '../formats/money.ts';

/** Text fields, and amounts in the order's currency. The columns have the same names. */
export const ORDER_TEXTS = [
  ...['email', 'customerId', 'market', 'currency', 'taxMode', 'promoCode', 'shippingMethodId', 'pickupLocationId'],
  ...['paymentMethod', 'locale', 'assignee'],
];
export const ORDER_AMOUNTS = ['subtotal', 'discount', 'shipping', 'tax', 'total', 'paid', 'refunded'];
export const ADDRESS_PARTS = [
  ...['name', 'company', 'street', 'street2', 'city', 'state', 'zip', 'country', 'phone', 'vatId'],
];
export const addressColumn = (kind: 'shipping' | 'billing', part: string) =>
  `${kind}${part[0]!.toUpperCase()}${part.slice(1)}`;
/** The columns of a line and their fields. */
export const LINE_TEXTS = [
  ['lineId', 'id'],
  ['productId', 'productId'],
  ['variantId', 'variantId'],
  ['sku', 'sku'],
  ['lineName', 'name'],
] as const;
export const LINE_AMOUNTS = [
  ['unitPrice', 'unitPrice'],
  ['lineTotal', 'totalPrice'],
  ['lineDiscount', 'discount'],
  ['lineTax', 'tax'],
] as const;

const KINDS = ['shipping', 'billing'] as const;
const OWN = [
  ...['status', 'payment', 'fulfillment', 'createdAt', 'updatedAt'],
  ...ORDER_TEXTS,
  ...ORDER_AMOUNTS,
  'tags',
  ...KINDS.flatMap((kind) => ADDRESS_PARTS.map((part) => addressColumn(kind, part))),
  'details',
];
const LINE = [
  ...LINE_TEXTS.map(([column]) => column),
  'quantity',
  ...LINE_AMOUNTS.map(([column]) => column),
  'lineDetails',
];

export const ORDER_HEADER = ['id', 'number', ...LINE, ...OWN];

type Fields = Record<string, unknown>;

/** The first row of an order also has the fields of the order. Fields without a column are in `details`, as JSON. */
export function orderRows(exported: object): string[][] {
  const order = exported as Fields;
  const { id, number, lines, ...own } = order;
  const currency = String(order.currency);
  return (lines as Fields[]).map((line, i) => [
    ...[String(id), String(number)],
    ...lineCells(line, currency),
    ...(i === 0 ? orderCells(own, currency) : OWN.map(() => '')),
  ]);
}

function orderCells(order: Fields, currency: string): string[] {
  const { createdAt, updatedAt, fulfillment, tags, shippingAddress, billingAddress, ...rest } = order;
  const addresses = { shipping: shippingAddress, billing: billingAddress } as Record<string, Fields | null | undefined>;
  const texts = ORDER_TEXTS.map((name) => textCell(rest[name]));
  const amounts = ORDER_AMOUNTS.map((name) => writeMoney(Number(rest[name]), currency));
  const parts = KINDS.flatMap((kind) => ADDRESS_PARTS.map((part) => textCell(addresses[kind]?.[part])));
  return [
    ...[lastStatus(order.statuses), lastStatus(order.paymentStatus), textCell(fulfillment)],
    ...[isoTime(createdAt), isoTime(updatedAt)],
    ...texts,
    ...amounts,
    JSON.stringify(tags ?? []),
    ...parts,
    JSON.stringify(without(rest, [...ORDER_TEXTS, ...ORDER_AMOUNTS])),
  ];
}

function lineCells(line: Fields, currency: string): string[] {
  const known = [...LINE_TEXTS, ...LINE_AMOUNTS].map(([, field]) => field as string);
  return [
    ...LINE_TEXTS.map(([, field]) => textCell(line[field])),
    String(line.quantity),
    ...LINE_AMOUNTS.map(([, field]) => (line[field] === undefined ? '' : writeMoney(Number(line[field]), currency))),
    JSON.stringify(without(line, [...known, 'quantity'])),
  ];
}

const textCell = (value: unknown) => (value === '' ? '' : cellOf(value));
const isoTime = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
const lastStatus = (history: unknown) => String((history as { status: string }[]).at(-1)?.status ?? '');
const without = (fields: Fields, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !names.includes(name) && value !== undefined));
