/** Example emails for the text editor. */
import type { OrderMailKind } from '../../../shared/mail/kinds.ts';
import { type Language, textsIn } from '../../../shared/mail/languages.ts';
import type { BusinessRow, PreviewInput, WrittenMail } from '../../businesses/index.ts';
import type { Query } from '../context.ts';
import { type OrderRow, paidBack } from '../order.ts';
import { orderLink } from '../order-link.ts';
import { findOrder } from '../queries.ts';
import type { Shipment } from '../shipments/schemas.ts';
import { findImages } from './mail-extras.ts';
import { shipmentFor } from './order-mails.ts';
import { type MailedReturn, writeOrderMail } from './write-mail.ts';

type Input = PreviewInput<OrderMailKind> & { orderId: string | null };

/** The email about an order, or about an example order. Null if the order doesn't exist. */
export async function previewOrderMail(ctx: Query, input: Input): Promise<WrittenMail | null> {
  const { kind, business, language, text, orderId } = input;
  const found =
    orderId === null
      ? exampleOrder(business, kind, language, ctx.now)
      : await findOrder(ctx.db, ctx.businessId, orderId);
  if (!found) return null;
  const order = kind.endsWith('SHIPPED') && !shipmentFor(found, null) ? withShipment(found, kind) : found;
  const publicUrl = ctx.publicUrl();
  const about = {
    amount: paidBack(order) || Math.round(order.doc.total / 2),
    shipment: shipmentFor(order, null),
    orderReturn:
      kind.startsWith('RETURN') || kind === 'WITHDRAWAL_RECEIVED' ? exampleReturn(order, kind, language) : null,
    link: orderId === null ? `${publicUrl}/order/example` : orderLink(ctx, business, order),
  };
  const images = await findImages(ctx, order, language);
  const exchanged = kind === 'EXCHANGED' ? exampleExchanged(order, language) : null;
  return writeOrderMail(business, order, kind, about, { language, text, images, exchanged, publicUrl });
}

const ADDRESS = {
  name: 'Ada Lovelace',
  street: 'Hauptstraße 1',
  zip: '10827',
  city: 'Berlin',
  state: '',
  country: 'DE',
};

function exampleOrder({ id, configs }: BusinessRow, kind: OrderMailKind, language: Language, now: number): OrderRow {
  const [first, second] = textsIn(language).example.items;
  const line = (name: string, quantity: number, unitPrice: number) => ({
    type: 'PRODUCT_VARIANT',
    productId: 'example',
    variantId: 'example',
    sku: '',
    name,
    quantity,
    unitPrice,
    totalPrice: quantity * unitPrice,
    discount: 0,
  });
  const status = kind === 'CANCELLED' ? 'CANCELLED' : 'PROCESSING';
  return {
    businessId: id,
    id: 'ord_example',
    number: 1042,
    status,
    paymentStatus: kind === 'EXCHANGED' ? 'PENDING' : 'PAID',
    customerId: '',
    customerEmail: 'ada@example.com',
    holds: true,
    paid: 7290,
    refunded: 0,
    doc: {
      market: 'eu',
      currency: configs.markets?.[0]?.currency.toLowerCase() ?? 'eur',
      taxMode: 'INCLUSIVE',
      subtotal: 6126,
      tax: 1164,
      taxBps: 1900,
      shipping: 0,
      discount: 0,
      total: 7290,
      lines: [line(first, 1, 4900), line(second, 2, 1195)],
      promoCode: null,
      promoId: null,
      shippingMethodId: null,
      paymentMethod: 'CREDIT_CARD',
      shippingAddress: ADDRESS,
      ...(kind === 'EXCHANGED' ? { exchange: { orderId: 'ord_other', returnId: 'ret_example', credit: 4900 } } : {}),
      blocks: [],
      statuses: [],
      paymentStatus: [],
    },
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

function withShipment(order: OrderRow, kind: OrderMailKind): OrderRow {
  const { createdAt } = order;
  const lines = order.doc.lines.map(({ quantity, id }, i) => ({ lineId: id ?? `line_${i + 1}`, quantity }));
  const shipment: Shipment = {
    id: 'shp_example',
    lines: kind === 'PARTLY_SHIPPED' ? lines.slice(0, 1) : lines,
    tracking: { carrier: 'DHL', number: '00340434161094042557', url: 'https://www.dhl.de/' },
    createdAt,
    updatedAt: createdAt,
  };
  return { ...order, doc: { ...order.doc, shipments: [shipment] } };
}

function exampleReturn(order: OrderRow, kind: OrderMailKind, language: Language): MailedReturn {
  const { instructions, reason } = textsIn(language).example;
  return {
    type: kind === 'WITHDRAWAL_RECEIVED' ? 'WITHDRAWAL' : 'RETURN',
    lines: order.doc.lines.slice(0, 1).map(({ name, quantity }) => ({ name, quantity })),
    instructions: kind === 'RETURN_APPROVED' ? instructions : null,
    labelUrl: kind === 'RETURN_APPROVED' ? 'https://www.dhl.de/' : null,
    reason: kind === 'RETURN_REJECTED' ? reason : null,
    requestedAt: order.updatedAt,
  };
}

const exampleExchanged = ({ number }: OrderRow, language: Language) => ({
  number: Math.max(1, number - 4),
  items: [{ name: textsIn(language).example.items[0], quantity: 1 }],
});
