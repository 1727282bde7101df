/** A WooCommerce order, from any kind of file. Pure. */
import { type Conversion, type Outcome, rowError } from '../format.ts';
import { parseOrderDate } from '../order-dates.ts';
import { OrderDraft } from '../order-draft.ts';
import { isSkipped, statusesOfName } from './status.ts';

/** The fields of an order as text, whatever the file format. */
export type WooOrder = {
  row: number;
  key: string;
  number: string;
  status: string;
  currency: string;
  createdAt: string;
  paidAt: string;
  completedAt: string;
  total: string;
  shipping: string;
  tax: string;
  discount: string;
  refunded: string;
  fees: { name: string; total: string }[];
  items: { row: number; name: string; sku: string; quantity: string; total: string; unitPrice: string }[];
  email: string;
  phone: string;
  billing: Record<string, string>;
  shippingTo: Record<string, string>;
  coupon: string;
  note: string;
};

export function orderOf(woo: WooOrder, to: Conversion): Outcome {
  const { row, status } = woo;
  if (isSkipped(status))
    return {
      skipped: [rowError(row, 'status', 'SKIPPED', `The order is a draft or in the trash (${status.slice(0, 40)}).`)],
    };
  const draft = new OrderDraft('woocommerce', row, woo.currency || (to.market?.currency ?? ''));
  const createdAt = timeOf(draft, 'date', woo.createdAt);
  if (woo.number === '') draft.fail('number', 'REQUIRED', 'The row has no order number.');
  if (createdAt === undefined) draft.fail('date', 'REQUIRED', 'The order has no date.');
  for (const item of woo.items) {
    const quantity = Number(item.quantity || '1');
    const total = item.total
      ? draft.money('total', item.total, item.row)
      : draft.money('price', item.unitPrice, item.row) * quantity;
    draft.addLine({ ...item, quantity, total, requiresShipping: true, isShipped: false });
  }
  let discount = draft.money('discount', woo.discount);
  for (const fee of woo.fees) {
    const amount = draft.money('fee', fee.total.replace(/^-/, ''));
    if (fee.total.startsWith('-')) discount += amount;
    else if (amount > 0)
      draft.addLine({
        row,
        name: fee.name || 'Fee',
        sku: '',
        quantity: 1,
        total: amount,
        requiresShipping: false,
        isShipped: false,
      });
  }
  const paidAt = timeOf(draft, 'paid', woo.paidAt);
  const completedAt = timeOf(draft, 'completed', woo.completedAt);
  const known = statusesOfName(status);
  if (!known)
    draft.warn(
      'status',
      'UNKNOWN_STATUS',
      `The status “${status.slice(0, 40)}” is unknown. The order was imported as ${paidAt === undefined ? 'Pending' : 'Processing'}.`,
    );
  const [own, payment] =
    known ?? (paidAt === undefined ? (['PENDING', 'PENDING'] as const) : (['PROCESSING', 'PAID'] as const));
  const isEnded = own === 'CANCELLED' || own === 'REFUNDED';
  const refunded = draft.money('refunded', woo.refunded.replace(/^-/, ''));
  return draft.finish(
    {
      key: woo.key || woo.number,
      number: woo.number,
      createdAt: createdAt ?? 0,
      paidAt,
      shippedAt: own === 'SHIPPED' || own === 'DELIVERED' ? completedAt : undefined,
      cancelledAt: isEnded ? completedAt : undefined,
      status: own,
      // A canceled order may have been paid before.
      payment: own === 'CANCELLED' && paidAt !== undefined ? 'PAID' : payment,
      email: woo.email,
      name: woo.billing.name || woo.shippingTo.name || '',
      phone: woo.phone,
      shippingAddress: woo.shippingTo,
      billingAddress: woo.billing,
      promoCode: woo.coupon,
      note: woo.note,
      tags: [],
    },
    {
      shipping: draft.money('shipping', woo.shipping),
      tax: draft.money('tax', woo.tax),
      discount,
      total: draft.money('total', woo.total),
      subtotal: null,
      paid: 0,
      refunded,
    },
    to,
  );
}

function timeOf(draft: OrderDraft, field: string, text: string): number | undefined {
  const date = parseOrderDate(text);
  if (text !== '' && !date)
    draft.warn(field, 'INVALID_FORMAT', `“${text.slice(0, 40)}” is not a date and was left out.`);
  if (date?.isAmbiguous)
    draft.warn(
      field,
      'AMBIGUOUS',
      `“${text.slice(0, 40)}” was read as month/day/year. Use the format 2024-12-31 if that is wrong.`,
    );
  return date?.at;
}
