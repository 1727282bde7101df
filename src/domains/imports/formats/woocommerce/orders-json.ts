/** WooCommerce orders as its REST API returns them. Source: woocommerce.github.io/woocommerce-rest-api-docs, "Orders". */
import { isRecord } from '../../../../shared/is-record.ts';
import { type JsonFormat, textOf } from '../format.ts';
import { orderOf } from './order.ts';

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

export const woocommerceOrdersJson: JsonFormat = {
  name: 'woocommerce-orders',
  label: 'WooCommerce orders',
  type: 'orders',
  isRecognized: (sample) => Array.isArray(sample.line_items) && 'billing' in sample,
  convert(value, row, to) {
    const text = (name: string) => textOf(value[name]);
    const refunds = listOf(value.refunds).reduce((sum, { total }) => sum + Math.abs(Number(textOf(total)) || 0), 0);
    const billing = isRecord(value.billing) ? value.billing : {};
    return orderOf(
      {
        row,
        key: text('id'),
        number: text('number') || text('id'),
        status: text('status'),
        currency: text('currency'),
        createdAt: text('date_created_gmt') || text('date_created'),
        paidAt: text('date_paid_gmt') || text('date_paid'),
        completedAt: text('date_completed_gmt') || text('date_completed'),
        total: text('total'),
        shipping: text('shipping_total'),
        tax: text('total_tax'),
        discount: text('discount_total'),
        refunded: refunds === 0 ? '' : refunds.toFixed(4),
        fees: listOf(value.fee_lines).map((fee) => ({ name: textOf(fee.name), total: textOf(fee.total) })),
        items: listOf(value.line_items).map((item) => ({
          row,
          name: textOf(item.name),
          sku: textOf(item.sku),
          quantity: textOf(item.quantity),
          total: textOf(item.subtotal) || textOf(item.total),
          unitPrice: textOf(item.price),
        })),
        email: textOf(billing.email),
        phone: textOf(billing.phone),
        billing: jsonAddress(value.billing),
        shippingTo: jsonAddress(value.shipping),
        coupon: textOf(listOf(value.coupon_lines)[0]?.code),
        note: text('customer_note'),
      },
      to,
    );
  },
};

function jsonAddress(given: unknown): Record<string, string> {
  const address = isRecord(given) ? given : {};
  const part = (name: string) => textOf(address[name]);
  return {
    name: [part('first_name'), part('last_name')].filter(Boolean).join(' '),
    company: part('company'),
    street: part('address_1'),
    street2: part('address_2'),
    city: part('city'),
    state: part('state'),
    zip: part('postcode'),
    country: part('country'),
    phone: part('phone'),
  };
}
