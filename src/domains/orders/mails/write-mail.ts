/** Writes the emails to an order's customer. Pure. */
import type { Mail } from '../../../providers/mail/port.ts';
import { dayOf, timeOf } from '../../../shared/day.ts';
import type { OrderMailKind } from '../../../shared/mail/kinds.ts';
import { type Language, taxLabel, textsIn } from '../../../shared/mail/languages.ts';
import type { MailItem, MailPart } from '../../../shared/mail/parts.ts';
import type { MailText } from '../../../shared/mail/render.ts';
import { formatMoney } from '../../../shared/money.ts';
import { type BusinessRow, type WrittenMail, writeBusinessMail } from '../../businesses/index.ts';
import { displayOf, lineId, taxRowsOf } from '../../pricing/index.ts';
import { instructionRows, instructionsOf } from '../bank-transfer/instructions.ts';
import { isHarmless, mailedDelivery } from '../delivery-parts.ts';
import { amountDue, type MailKind, type OrderRow, paidBack } from '../order.ts';
import { exchangeBalance } from '../returns/exchange-balance.ts';
import { linesToShip, shipmentsOf } from '../shipments/fulfillment.ts';
import type { Shipment, ShipmentLine } from '../shipments/schemas.ts';

export type MailedReturn = {
  type: 'RETURN' | 'WITHDRAWAL' | 'EXCHANGE';
  lines: { name: string; quantity: number }[];
  instructions: string | null;
  /** The shipping label of an approved return. */
  labelUrl: string | null;
  reason: string | null;
  requestedAt: number;
};

export type MailDetails = {
  kind: MailKind;
  /** The refunded amount. */
  amount: number | null;
  /** The shipment of a SHIPPED email. */
  shipment: Shipment | null;
  /** The return of an email about one. */
  orderReturn?: MailedReturn | null;
  /** The page of the order. */
  link: string;
};

/** The images of lines by line ID, with absolute URLs. */
export type LineImages = ReadonlyMap<string, { url: string; alt: string }>;

/** The language, the business's own text, the images and the document of an email. */
export type MailExtras = {
  language: Language;
  text: MailText | null;
  images: LineImages;
  /** For an EXCHANGED email: the order whose items were returned, and those items. */
  exchanged?: { number: number; items: MailItem[] } | null;
  document?: { id: string; type: 'INVOICE' | 'CREDIT_NOTE'; number: string } | null;
  publicUrl: string;
};

const QR_PIXELS = 176;

/** The text to use for an email. An order that was not confirmed when it was placed is confirmed once it is paid. */
export function textKind(order: OrderRow, kind: MailDetails['kind']): OrderMailKind {
  if (kind === 'PAID' && !order.doc.mailed?.includes('RECEIVED')) return 'CONFIRMED';
  if (kind === 'RECEIVED' && order.doc.exchange) return 'EXCHANGED';
  if (kind === 'RECEIVED' && isUnpaid(order)) return 'AWAITING_PAYMENT';
  if (kind === 'SHIPPED' && !isWhole(order)) return 'PARTLY_SHIPPED';
  return kind;
}

/** The customer still has to pay, by bank transfer. */
const isUnpaid = (order: OrderRow) => instructionsOf(order) !== null;

/** The order was canceled because no bank transfer arrived. */
const hasExpired = ({ paid, doc }: OrderRow) =>
  doc.bankTransfer !== undefined &&
  paid === 0 &&
  (doc.received ?? 0) === 0 &&
  doc.statuses.at(-1)?.changedBy === 'SYSTEM';

export function writeMail(
  business: BusinessRow,
  order: OrderRow,
  to: string,
  details: MailDetails,
  extras: MailExtras,
): Mail {
  return { to, ...writeOrderMail(business, order, textKind(order, details.kind), details, extras) };
}

export function writeOrderMail(
  business: BusinessRow,
  order: OrderRow,
  kind: OrderMailKind,
  { amount, shipment, orderReturn = null, link }: Omit<MailDetails, 'kind'>,
  { language, text, images, exchanged = null, document = null, publicUrl }: MailExtras,
): WrittenMail {
  const { doc, number } = order;
  const texts = textsIn(language).order;
  const money = (minor: number) => formatMoney(minor, doc.currency, language);
  const isShipped = kind === 'SHIPPED' || kind === 'PARTLY_SHIPPED';
  const url = isShipped ? shipment?.tracking?.url : orderReturn?.labelUrl;
  const isToPay = kind === 'EXCHANGED' && exchangeBalance(order) > 0;
  const { replyTo } = business.configs.email ?? {};
  const { timeZone = 'UTC' } = business.configs.profile ?? {};
  const parts: MailPart[] = [
    ...(kind === 'CANCELLED' && hasExpired(order)
      ? columnsOf([{ title: texts.reason, lines: [texts.notPaid(dayOf(doc.bankTransfer!.dueAt, language, timeZone))] }])
      : []),
    ...(isShipped && shipment
      ? shipmentParts(order, shipment, { language, images })
      : orderReturn
        ? returnParts(orderReturn, language, timeZone)
        : [
            ...(exchanged ? [{ type: 'items' as const, title: texts.exchangedItems, items: exchanged.items }] : []),
            ...priceParts(order, { language, images }, exchanged ? texts.newItems : undefined),
          ]),
    ...(document && !orderReturn
      ? [
          {
            type: 'button' as const,
            label: `${texts.documents[document.type]} ${document.number} (PDF)`,
            url: `${link}/documents/${document.id}/pdf`,
            isQuiet: true,
          },
        ]
      : []),
    ...(kind === 'AWAITING_PAYMENT' ? transfer(order, language, timeZone, link) : []),
    ...(orderReturn
      ? []
      : columnsOf([...tracking(shipment, isShipped, language), ...mailedDelivery(doc, business.configs, language)])),
    ...(replyTo ? [{ type: 'note' as const, text: texts.questions }] : []),
  ];
  return writeBusinessMail(business, {
    kind,
    language,
    text,
    values: {
      'customer.name': customerName(order),
      'order.number': String(number),
      'order.total': money(doc.total),
      'payment.amount': money(amountDue(doc)),
      'exchange.order': String(exchanged?.number ?? ''),
      'order.date': dayOf(order.createdAt, language, timeZone),
      'refund.amount': money(amount ?? 0),
    },
    first: url
      ? { type: 'button', label: isShipped ? texts.trackShipment : texts.printLabel, url }
      : isToPay
        ? { type: 'button', label: texts.payNow, url: `${link}#pay` }
        : undefined,
    link: { url: link, isQuiet: Boolean(url) || isToPay },
    parts,
    corner: texts.number(String(number)),
    publicUrl,
  });
}

/** How to pay by bank transfer. The order page serves the QR code, because email clients don't display embedded images. */
function transfer(order: OrderRow, language: Language, timeZone: string, link: string): MailPart[] {
  const instructions = instructionsOf(order);
  if (!instructions) return [];
  const { title, text, scan, qrCode } = textsIn(language).order.transfer;
  const rows = instructionRows(instructions, order.doc.received ?? 0, language, timeZone);
  const lines = [text, ...rows.map(([name, value]) => `${name}: ${value}`)];
  return [
    ...columnsOf([{ title, lines: instructions.epc ? [...lines, scan] : lines }]),
    ...(instructions.epc ? [{ type: 'image' as const, url: `${link}/qr.png`, alt: qrCode, pixels: QR_PIXELS }] : []),
  ];
}

const columnsOf = (columns: { title: string; lines: string[] }[]): MailPart[] =>
  columns.length > 0 ? [{ type: 'columns', columns }] : [];

/** Emails to an unverified address contain the customer's name only if it is harmless. */
function customerName({ customerEmail, doc }: OrderRow): string {
  const name = (doc.shippingAddress?.name || doc.billingAddress?.name)?.replaceAll(/\s+/g, ' ').trim();
  return name && (!doc.isEmailTyped || isHarmless(name)) ? name : (customerEmail?.split('@')[0] ?? '');
}

type Shown = Pick<MailExtras, 'language' | 'images'>;

/** The items and the totals as the shop shows them. */
function priceParts(order: OrderRow, { language, images }: Shown, title?: string): MailPart[] {
  const { doc } = order;
  const rest = exchangeBalance(order);
  const texts = textsIn(language).order;
  const money = (minor: number) => formatMoney(minor, doc.currency, language);
  const display = displayOf(doc);
  const { taxIncluded, subtotal, shipping, discount, total } = display;
  const taxes = taxRowsOf(display, doc.taxLines).map(({ name, amount }) => ({
    label: taxLabel(name, language),
    amount,
  }));
  const items = doc.lines.reduce((sum, line) => sum + line.totalPrice, 0);
  const rows = [
    { label: texts.subtotal, amount: items, isShown: true },
    { label: doc.taxExempt ? texts.reverseCharge : texts.taxDeduction, amount: subtotal - items },
    { label: texts.discount, amount: -discount },
    { label: texts.shipping, amount: shipping },
    ...(taxIncluded ? [] : taxes),
    { label: texts.total, amount: total, isShown: true, isTotal: true },
    { label: texts.exchanged, amount: -(doc.afterSale?.exchanged ?? 0) },
    { label: texts.refunded, amount: -paidBack(order) },
    { label: texts.credit, amount: -((doc.exchange?.credit ?? 0) + (doc.exchange?.refund ?? 0)) },
    { label: texts.difference, amount: doc.exchange?.refund ?? 0 },
    { label: texts.amountDue, amount: rest },
  ];
  return [
    {
      type: 'items',
      ...(title ? { title } : {}),
      items: doc.lines.map((line, i) => ({
        name: line.name,
        quantity: line.quantity,
        amount: money(line.totalPrice),
        image: images.get(lineId(line, i)),
      })),
    },
    {
      type: 'totals',
      rows: rows
        .filter(({ amount, ...row }) => amount !== 0 || 'isShown' in row)
        .map(({ label, amount, ...row }) => ({ label, amount: money(amount), isTotal: 'isTotal' in row })),
      notes: taxIncluded ? taxes.map(({ label, amount }) => texts.includes(money(amount), label)) : [],
    },
  ];
}

/** Whether all items in the order are in one shipment. */
const isWhole = (order: OrderRow) => shipmentsOf(order).length === 1 && linesToShip(order).length === 0;

function shipmentParts(order: OrderRow, { lines }: Shipment, { language, images }: Shown): MailPart[] {
  const texts = textsIn(language).order;
  const left = order.status === 'CANCELLED' ? [] : linesToShip(order);
  const itemsOf = (each: readonly ShipmentLine[]): MailItem[] =>
    each.flatMap(({ lineId: id, quantity }) => {
      const line = order.doc.lines.find((one, i) => lineId(one, i) === id);
      return line ? [{ name: line.name, quantity, image: images.get(id) }] : [];
    });
  return [
    { type: 'items', ...(isWhole(order) ? {} : { title: texts.inShipment }), items: itemsOf(lines) },
    ...(left.length > 0 ? [{ type: 'items' as const, title: texts.stillToCome, items: itemsOf(left) }] : []),
  ];
}

function tracking(shipment: Shipment | null, isShipped: boolean, language: Language) {
  const { carrier, number } = (isShipped ? shipment?.tracking : undefined) ?? {};
  const text = [carrier, number].filter(Boolean).join(' ');
  return text ? [{ title: textsIn(language).order.tracking, lines: [text] }] : [];
}

function returnParts(
  { type, lines, instructions, reason, requestedAt }: MailedReturn,
  language: Language,
  timeZone: string,
): MailPart[] {
  const texts = textsIn(language).order;
  const details = [
    ...(type === 'EXCHANGE' ? [{ title: texts.exchange, lines: [texts.exchangeRequested] }] : []),
    {
      title: type === 'WITHDRAWAL' ? texts.withdrawnAt : texts.requestedAt,
      lines: [timeOf(requestedAt, language, timeZone)],
    },
    ...(reason ? [{ title: texts.reason, lines: reason.split('\n') }] : []),
  ];
  return [
    { type: 'items', title: texts.returned, items: lines },
    ...(instructions
      ? [{ type: 'columns' as const, columns: [{ title: texts.instructions, lines: instructions.split('\n') }] }]
      : []),
    { type: 'columns', columns: details },
  ];
}
