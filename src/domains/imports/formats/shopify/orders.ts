/**
 * Shopify's orders CSV: one row per item, with the fields of the order in its first row.
 * Source: help.shopify.com/en/manual/fulfillment/managing-orders/exporting-orders, "Understanding the order CSV file".
 */
import { type CsvFormat, isYes, type Row } from '../format.ts';
import { parseOrderDate } from '../order-dates.ts';
import { OrderDraft } from '../order-draft.ts';
import type { PaymentStatus, Status } from '../order-histories.ts';

const COLUMNS = new Set([
  ...['name', 'email', 'financial status', 'paid at', 'fulfillment status', 'fulfilled at', 'currency', 'subtotal'],
  ...['shipping', 'taxes', 'total', 'discount code', 'discount amount', 'created at', 'cancelled at', 'notes', 'tags'],
  ...['refunded amount', 'outstanding balance', 'id', 'phone', 'duties'],
  ...['lineitem quantity', 'lineitem name', 'lineitem price', 'lineitem sku', 'lineitem requires shipping'],
  'lineitem fulfillment status',
]);
const ADDRESS = /^(?:billing|shipping) (?:name|street|address1|address2|company|city|zip|province|country|phone)$/;

const PAYMENTS: Record<string, PaymentStatus> = {
  paid: 'PAID',
  partially_refunded: 'PARTIALLY_REFUNDED',
  refunded: 'REFUNDED',
  partially_paid: 'PENDING',
  pending: 'PENDING',
  authorized: 'PENDING',
  voided: 'FAILED',
  expired: 'FAILED',
  '': 'PENDING',
};

/** The columns of the fields of an order. */
const FIELDS = {
  number: 'name',
  status: 'fulfillment status',
  payment: 'financial status',
  refunded: 'refunded amount',
  promoCode: 'discount code',
  note: 'notes',
  quantity: 'lineitem quantity',
};

export const shopifyOrders: CsvFormat = {
  name: 'shopify-orders',
  label: 'Shopify orders',
  type: 'orders',
  isRecognized: (columns) => columns.has('financial status') && columns.has('lineitem name'),
  reads: (column) => COLUMNS.has(column) || ADDRESS.test(column),
  isContinuation(rows, row) {
    const name = row.get('name');
    return name === '' ? row.hasValue('lineitem name') : name === rows[0]!.get('name');
  },
  convert(rows, to) {
    const row = rows[0]!;
    const draft = new OrderDraft('shopify', row.number, row.get('currency') || (to.market?.currency ?? ''), FIELDS);
    const number = row.get('name');
    if (number === '') draft.fail('name', 'REQUIRED', 'The row has no order number.');
    const at = (column: string) => timeAt(draft, row, column);
    const createdAt = at('created at');
    if (createdAt === undefined) draft.fail('created at', 'REQUIRED', 'The order has no date.');
    for (const each of rows) addLine(draft, each);
    const financial = row.get('financial status').toLowerCase();
    const payment = PAYMENTS[financial];
    if (payment === undefined)
      draft.warn(
        'financial status',
        'UNKNOWN_STATUS',
        `The status “${financial.slice(0, 40)}” is unknown. The payment status is Pending.`,
      );
    const total = draft.money('total', row.get('total'));
    const outstanding = draft.money('outstanding balance', row.get('outstanding balance').replace(/^-.*/, ''));
    const cancelledAt = at('cancelled at');
    return draft.finish(
      {
        key: row.get('id').replace(/^'/, '') || number,
        number,
        createdAt: createdAt ?? 0,
        paidAt: at('paid at'),
        shippedAt: at('fulfilled at'),
        cancelledAt,
        status: statusOf(row, payment ?? 'PENDING', cancelledAt !== undefined),
        payment: payment ?? 'PENDING',
        email: row.get('email'),
        name: row.get('billing name') || row.get('shipping name'),
        phone: row.get('phone') || row.get('billing phone') || row.get('shipping phone'),
        shippingAddress: addressOf(row, 'shipping'),
        billingAddress: addressOf(row, 'billing'),
        promoCode: row.get('discount code'),
        note: row.get('notes'),
        tags: row.get('tags').split(','),
      },
      {
        shipping: draft.money('shipping', row.get('shipping')) + draft.money('duties', row.get('duties')),
        tax: draft.money('taxes', row.get('taxes')),
        discount: draft.money('discount amount', row.get('discount amount')),
        total,
        subtotal: row.hasValue('subtotal') ? draft.money('subtotal', row.get('subtotal')) : null,
        paid: financial === 'partially_paid' ? Math.max(0, total - outstanding) : 0,
        refunded: draft.money('refunded amount', row.get('refunded amount')),
      },
      to,
    );
  },
};

function timeAt(draft: OrderDraft, row: Row, column: string): number | undefined {
  const text = row.get(column);
  const date = parseOrderDate(text);
  if (text !== '' && !date)
    draft.warn(column, 'INVALID_FORMAT', `“${text.slice(0, 40)}” is not a date and was left out.`);
  return date?.at;
}

function addLine(draft: OrderDraft, row: Row): void {
  // A row without an item belongs to another payment of the order.
  if (!row.hasValue('lineitem name') && !row.hasValue('lineitem price')) return;
  const quantity = Number(row.get('lineitem quantity') || '1');
  draft.addLine({
    row: row.number,
    name: row.get('lineitem name'),
    sku: row.get('lineitem sku').replace(/^'/, ''),
    quantity,
    total: draft.money('lineitem price', row.get('lineitem price'), row.number) * quantity,
    requiresShipping: !row.hasValue('lineitem requires shipping') || isYes(row.get('lineitem requires shipping')),
    isShipped: row.get('lineitem fulfillment status').toLowerCase() === 'fulfilled',
  });
  if (row.get('lineitem fulfillment status').toLowerCase() === 'partial')
    draft.warn(
      'lineitem fulfillment status',
      'DROPPED',
      'The file does not say how many were shipped. The item was imported as not shipped.',
      row.number,
    );
}

function statusOf(row: Row, payment: PaymentStatus, isCancelled: boolean): Status {
  if (isCancelled) return 'CANCELLED';
  if (row.get('fulfillment status').toLowerCase() === 'fulfilled') return 'SHIPPED';
  // Nothing is left to ship.
  if (payment === 'REFUNDED') return 'REFUNDED';
  return payment === 'PENDING' || payment === 'FAILED' ? 'PENDING' : 'PROCESSING';
}

function addressOf(row: Row, kind: 'shipping' | 'billing') {
  const part = (name: string) => row.get(`${kind} ${name}`);
  return {
    name: part('name'),
    company: part('company'),
    street: part('address1') || part('street'),
    street2: part('address2'),
    city: part('city'),
    state: part('province'),
    zip: part('zip'),
    country: part('country'),
    phone: part('phone'),
  };
}
