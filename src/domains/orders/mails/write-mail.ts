/** Writes the emails to an order's customer. Pure. */
import type { Mail } from '../../../providers/mail/port.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { BusinessRow } from '../../businesses/index.ts';
import { displayOf, taxRowsOf } from '../../pricing/index.ts';
import { instructionRows, instructionsOf } from '../bank-transfer/instructions.ts';
import { mailedDelivery } from '../delivery-parts.ts';
import { type MailKind, type OrderDoc, type OrderRow, paymentLines } from '../order.ts';
import { linesToShip, namedLines, shipmentsOf } from '../shipments/fulfillment.ts';
import type { Shipment, ShipmentLine, Tracking } from '../shipments/schemas.ts';

type MailDetails = {
  kind: MailKind;
  /** The refunded amount. */
  amount: number | null;
  /** The shipment of a SHIPPED email. */
  shipment: Shipment | null;
  /** The page of the order. */
  link: string;
};

export function writeMail(
  business: BusinessRow,
  order: OrderRow,
  to: string,
  { kind, amount, shipment, link }: MailDetails,
): Mail {
  const { doc, number } = order;
  const money = (minor: number) => formatMoney(minor, doc.currency);
  const words: Record<MailKind, { subject: string; opening: string }> = {
    RECEIVED: {
      subject: `Order #${number} confirmed`,
      opening: `Thank you for your order from ${business.name}. Your order number is #${number}.`,
    },
    PAID: doc.mailed?.includes('RECEIVED')
      ? {
          subject: `Payment received for order #${number}`,
          opening: `We received your payment of ${money(doc.total)} for order #${number}.`,
        }
      : {
          subject: `Order #${number} confirmed`,
          opening: `Thank you for your order from ${business.name}. We received your payment of ${money(doc.total)}. Your order number is #${number}.`,
        },
    SHIPPED: isWhole(order)
      ? {
          subject: `Order #${number} is on its way`,
          opening: `Your order #${number} from ${business.name} is on its way.`,
        }
      : {
          subject: `A shipment from order #${number} is on its way`,
          opening: `Part of your order #${number} from ${business.name} is on its way.`,
        },
    CANCELLED: {
      subject: `Order #${number} canceled`,
      opening: `Your order #${number} from ${business.name} was canceled.`,
    },
    REFUNDED: {
      subject: `Refund for order #${number}`,
      opening: `We refunded ${money(amount ?? 0)} for order #${number}.`,
    },
  };
  const { subject, opening } = words[kind];
  const { fromName, replyTo } = business.configs.email ?? {};
  return {
    to,
    subject,
    text: [
      opening,
      ...(kind === 'SHIPPED' && shipment ? shipmentRows(order, shipment) : priceRows(doc)),
      ...(kind === 'RECEIVED' ? transferRows(order) : []),
      ...mailedDelivery(doc, business.configs).flatMap(({ title, lines }) => ['', `${title}:`, ...lines.map(indent)]),
      '',
      `View your order: ${link}`,
      '',
      business.name,
    ].join('\n'),
    fromName: fromName ?? singleLine(business.name),
    ...(replyTo ? { replyTo } : {}),
  };
}

const indent = (line: string) => `  ${line}`;

function priceRows(doc: OrderDoc): string[] {
  const money = (minor: number) => formatMoney(minor, doc.currency);
  const display = displayOf(doc);
  const included = display.taxIncluded ? taxRowsOf(display, doc.taxLines) : [];
  return [
    '',
    ...paymentLines(doc).map(
      ({ name, quantity, unitPrice }) => `  ${quantity} × ${name}   ${money(quantity * unitPrice)}`,
    ),
    `  Total   ${money(doc.total)}`,
    ...included.map(({ name, amount }) => `  Includes ${money(amount)} ${name}`),
  ];
}

/** How to pay by bank transfer. */
function transferRows(order: OrderRow): string[] {
  const transfer = instructionsOf(order);
  if (!transfer) return [];
  const rows = instructionRows(transfer).map(([name, value]) => `  ${name}: ${value}`);
  return ['', 'Please transfer the amount to this account:', ...rows];
}

/** All items of the order are in one shipment. */
const isWhole = (order: OrderRow) => shipmentsOf(order).length === 1 && linesToShip(order).length === 0;

function shipmentRows(order: OrderRow, { tracking, lines }: Shipment): string[] {
  const left = order.status === 'CANCELLED' ? [] : linesToShip(order);
  const rowsOf = (each: readonly ShipmentLine[]) =>
    namedLines(order, each).map(({ name, quantity }) => `  ${quantity} × ${name}`);
  return [
    ...trackingRows(tracking),
    ...(isWhole(order) ? [''] : ['', 'In this shipment:']),
    ...rowsOf(lines),
    ...(left.length > 0 ? ['', 'Still to come:', ...rowsOf(left)] : []),
  ];
}

const trackingRows = ({ carrier, number, url }: Tracking = {}): string[] =>
  [[carrier, number].filter(Boolean).join(' '), url ?? ''].filter(Boolean);

const singleLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ');
