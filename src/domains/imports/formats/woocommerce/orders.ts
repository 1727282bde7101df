/**
 * WooCommerce orders as CSV, from the plugins "Advanced Order Export" (one row per item), "Order Export & Order Import" and
 * "Customer/Order/Coupon Export" (items in cells, or one row per item).
 * Source: woocommerce.com/document/import-and-export-of-woocommerce-orders, "Mapping of WooCommerce Orders".
 */
import type { CsvFormat, Row } from '../format.ts';
import { orderOf, type WooOrder } from './order.ts';

const NAMES = {
  key: ['order id', 'order_id'],
  number: ['order number', 'order_number', 'order id', 'order_id'],
  status: ['order status', 'order_status', 'status'],
  currency: ['order currency', 'order_currency', 'currency'],
  createdAt: ['order date', 'order_date', 'date', 'date_created'],
  paidAt: ['paid date', 'paid_date', 'date paid', 'date_paid'],
  completedAt: ['completed date', 'completed_date', 'date_completed'],
  total: ['order total amount', 'order total', 'order_total'],
  shipping: ['order shipping amount', 'order shipping', 'order_shipping', 'shipping_total'],
  tax: ['order total tax amount', 'order tax amount', 'order_tax', 'tax_total', 'total_tax'],
  discount: ['cart discount amount', 'discount_total', 'cart_discount'],
  refunded: ['order refund amount', 'order_refund', 'refunded_total', 'refund_total', 'total_refunded'],
  coupon: ['coupon code', 'coupons used', 'coupon_code', 'coupons'],
  note: ['customer note', 'customer_note'],
  email: ['email (billing)', 'billing_email', 'customer_email'],
  phone: ['phone (billing)', 'billing_phone'],
  fee: ['order fee amount', 'fee_total'],
  sku: ['sku', 'item_sku'],
  item: ['item name', 'product name', 'name', 'item_name'],
  quantity: ['quantity', 'item_quantity', 'quantity (- refund)'],
  unitPrice: ['item cost', 'item_price'],
  lineTotal: ['order line subtotal', 'item_subtotal'],
};
const PARTS: Record<string, string[]> = {
  first: ['first name', 'first_name'],
  last: ['last name', 'last_name'],
  company: ['company'],
  street: ['address 1&2', 'address 1', 'address_1'],
  street2: ['address 2', 'address_2'],
  city: ['city'],
  state: ['state code', 'state'],
  zip: ['postcode'],
  country: ['country code', 'country'],
  phone: ['phone'],
};
const partNames = (kind: string, part: string) =>
  PARTS[part]!.flatMap((name) => [`${name} (${kind})`, `${kind}_${name}`]);
const KNOWN = new Set([
  ...Object.values(NAMES).flat(),
  ...['billing', 'shipping'].flatMap((kind) => Object.keys(PARTS).flatMap((part) => partNames(kind, part))),
  'line_items',
]);
const ITEM_COLUMN = /^line_item_\d+$/;

export const woocommerceOrders: CsvFormat = {
  name: 'woocommerce-orders',
  label: 'WooCommerce orders',
  type: 'orders',
  isRecognized: (columns) =>
    NAMES.number.some((name) => columns.has(name)) &&
    NAMES.status.some((name) => columns.has(name)) &&
    NAMES.total.some((name) => columns.has(name)),
  reads: (column) => KNOWN.has(column) || ITEM_COLUMN.test(column),
  needsMarket: (columns) => !NAMES.currency.some((name) => columns.has(name)),
  isContinuation: (rows, row) =>
    row.get(...NAMES.number) === '' || row.get(...NAMES.number) === rows[0]!.get(...NAMES.number),
  convert(rows, to) {
    const row = rows[0]!;
    const get = (field: keyof typeof NAMES) => row.get(...NAMES[field]);
    const fee = get('fee');
    return orderOf(
      {
        row: row.number,
        key: get('key'),
        number: get('number'),
        status: get('status'),
        currency: get('currency'),
        createdAt: get('createdAt'),
        paidAt: get('paidAt'),
        completedAt: get('completedAt'),
        total: get('total'),
        shipping: get('shipping'),
        tax: get('tax'),
        discount: get('discount'),
        refunded: get('refunded'),
        fees: fee === '' || Number(fee) === 0 ? [] : [{ name: 'Fees', total: fee }],
        items: rows.flatMap(itemsOf),
        email: get('email'),
        phone: get('phone'),
        billing: addressOf(row, 'billing'),
        shippingTo: addressOf(row, 'shipping'),
        coupon: get('coupon').split(/[,|]/)[0]!.trim(),
        note: get('note'),
      },
      to,
    );
  },
};

/** The item of a row, or the items in the cells of a row: `name:Mug|sku:M1|quantity:2|total:10.00`. */
function itemsOf(row: Row): WooOrder['items'] {
  const cells = [...row.columns()].filter((column) => column === 'line_items' || ITEM_COLUMN.test(column));
  const packed = cells
    .flatMap((column) => row.get(column).split(/;(?=\s*(?:id|name|product_id):)/))
    .filter((text) => text.includes(':'));
  if (packed.length > 0) return packed.map((text) => packedItem(row.number, text));
  const name = row.get(...NAMES.item);
  if (name === '' && !row.hasValue(...NAMES.sku)) return [];
  const item = { name, sku: row.get(...NAMES.sku), quantity: row.get(...NAMES.quantity) };
  return [{ row: row.number, ...item, total: row.get(...NAMES.lineTotal), unitPrice: row.get(...NAMES.unitPrice) }];
}

function packedItem(row: number, text: string): WooOrder['items'][number] {
  const fields = new Map(
    text.split('|').map((part): [string, string] => {
      const at = part.indexOf(':');
      return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()];
    }),
  );
  const total = fields.get('sub_total') ?? fields.get('subtotal') ?? fields.get('total') ?? '';
  const item = { name: fields.get('name') ?? '', sku: fields.get('sku') ?? '', quantity: fields.get('quantity') ?? '' };
  return { row, ...item, total, unitPrice: '' };
}

function addressOf(row: Row, kind: 'billing' | 'shipping'): Record<string, string> {
  const part = (name: string) => row.get(...partNames(kind, name));
  const { first: _, last: __, ...rest } = PARTS;
  const name = [part('first'), part('last')].filter(Boolean).join(' ');
  return { name, ...Object.fromEntries(Object.keys(rest).map((each) => [each, part(each)])) };
}
