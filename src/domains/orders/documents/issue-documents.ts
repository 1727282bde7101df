/**
 * Issues invoices and credit notes. An order that is paid gets an invoice, at payment or with its first shipment. Later documents follow
 * the money: invoices minus credit notes equal the amount that the business keeps. Their numbers are assigned in the same transaction.
 */
import type { EventSource } from '../../../context/index.ts';
import { releaseEarly } from '../../../db/flush.ts';
import type { Statement, Tx } from '../../../db/sql.ts';
import type { NewEvent } from '../../../shared/events.ts';
import { newId } from '../../../shared/ids.ts';
import { type BusinessRow, getBusiness, invoicingOf } from '../../businesses/index.ts';
import { listRefunds, type RefundRow } from '../../payments/index.ts';
import type { PaymentCommand } from '../context.ts';
import { spreadRefund, sumParts } from '../money/refund-parts.ts';
import type { RefundParts } from '../money/schemas.ts';
import { type NewOrder, ORDER_PURPOSE, type OrderRow } from '../order.ts';
import { fulfillmentOf } from '../shipments/fulfillment.ts';
import {
  type DocumentRow,
  documentEvent,
  insertDocument,
  insertDocumentEvent,
  listDocumentRows,
  type NewDocument,
  numberOf,
} from './queries.ts';
import type { DocumentType } from './schemas.ts';
import { invoiceSnapshot, partSnapshot, totalOf } from './snapshot.ts';
import type { Snapshot } from './snapshot-schemas.ts';

const PAID = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];

/** Whether the order gets an invoice now that it is paid. */
const isDue = (order: NewOrder, { configs }: BusinessRow) =>
  PAID.includes(order.doc.paymentStatus.at(-1)!.status) &&
  (invoicingOf(configs).issueAt === 'PAYMENT' || fulfillmentOf(order) !== 'UNFULFILLED');

/** The invoice of a new order; null if the order is not paid or gets its invoice later. */
export function firstInvoice(order: NewOrder, business: BusinessRow, nowSeconds: number): NewDocument | null {
  if (!order.doc.hasDocuments || !isDue(order, business)) return null;
  return newDocument({ ...order, number: null }, business, 'INVOICE', invoiceSnapshot(order, business), nowSeconds);
}

/** Marks a paid order as one that gets documents. Orders that were paid before invoices were introduced lack the mark. */
export const withDocuments = <Doc extends NewOrder['doc']>(doc: Doc): Doc =>
  doc.paymentStatus.at(-1)!.status === 'PAID' ? { ...doc, hasDocuments: true } : doc;

/** Call it after a payment that makes the order's first invoice due. Returns its event, which the caller emits next. */
export async function issueInvoice(ctx: PaymentCommand, order: OrderRow): Promise<NewEvent[]> {
  const business = await getBusiness(ctx, ctx.businessId);
  const invoice = firstInvoice(order, business, ctx.now);
  return invoice ? [issue(ctx, { ...invoice, orderNumber: order.number })] : [];
}

/** Call it after a shipment that may make the invoice of an order due. */
export async function issueMissingInvoice(ctx: PaymentCommand, order: OrderRow): Promise<void> {
  if (!order.doc.hasDocuments) return;
  const issued = await listDocumentRows(ctx.db, order.businessId, order.id);
  if (issued.length === 0) ctx.emit(...(await issueInvoice(ctx, order)));
}

type Cause = Pick<RefundRow, 'id' | 'amount' | 'reason'> & { parts?: object | null };

/**
 * Issues what is missing after a change to a locked order: its invoice, a credit note for refunded money, or an invoice
 * for money that was returned to the business. Call it last in the transaction.
 */
export async function settleDocuments(
  ctx: PaymentCommand,
  order: OrderRow,
  refund: Cause | null = null,
): Promise<void> {
  if (!order.doc.hasDocuments) return;
  const business = await getBusiness(ctx, ctx.businessId);
  let issued = await listDocumentRows(ctx.db, order.businessId, order.id);
  if (issued.length === 0) {
    if (!isDue(order, business) && refund === null) return;
    ctx.emit(issue(ctx, newDocument(order, business, 'INVOICE', invoiceSnapshot(order, business), ctx.now)));
    issued = await listDocumentRows(ctx.db, order.businessId, order.id);
  }
  const invoiced = issued.reduce((sum, { type, total }) => sum + (type === 'INVOICE' ? total : -total), 0);
  const change = (await keptAmount(ctx, order)) - invoiced;
  if (change === 0) return;
  const type = change > 0 ? 'INVOICE' : 'CREDIT_NOTE';
  const correction = {
    corrects: correctedBy(type, issued, refund),
    reason: refund?.reason ?? null,
  };
  const snapshot =
    change === order.doc.total
      ? { ...invoiceSnapshot(order, business), ...correction }
      : partSnapshot(order, business, { ...correction, parts: partsFor(order, issued, refund, change) });
  ctx.emit(issue(ctx, { ...newDocument(order, business, type, snapshot, ctx.now), refundId: refund?.id ?? null }));
}

/** A credit note corrects the latest invoice. An invoice reverses the credit note of its refund, or else the latest. */
function correctedBy(type: DocumentType, issued: readonly DocumentRow[], refund: Cause | null): Snapshot['corrects'] {
  const others = issued.filter((document) => document.type !== type);
  const corrected = others.find(({ refundId }) => refund !== null && refundId === refund.id) ?? others.at(-1);
  return corrected ? { number: numberOf(corrected), issuedAt: corrected.issuedAt } : null;
}

/** The amount that was paid and not refunded. Refunds that wait for the provider don't count yet. */
async function keptAmount(ctx: PaymentCommand, { businessId, id, paid, refunded, doc }: OrderRow): Promise<number> {
  const rows = refunded === 0 ? [] : await listRefunds(ctx.db, { businessId, purpose: ORDER_PURPOSE, reference: id });
  const pending = rows.filter(({ status }) => status === 'PENDING').reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, Math.min(doc.total, paid - refunded + pending));
}

/** The parts that the document covers: the items of the refund or, if its amount differs, a share of everything that is left. */
function partsFor(
  { doc }: OrderRow,
  issued: readonly DocumentRow[],
  refund: Cause | null,
  change: number,
): RefundParts {
  const amount = Math.abs(change);
  const given = (refund?.parts ?? null) as RefundParts | null;
  if (given && sumParts(given) === amount) return given;
  const latest = issued.slice(issued.findLastIndex(({ type, snapshot }) => type === 'INVOICE' && !snapshot.parts));
  const reversed = new Set(latest.filter(({ type }) => type === 'INVOICE').map(({ refundId }) => refundId));
  const previous = latest.flatMap(({ type, refundId, snapshot: { parts } }) =>
    type === 'CREDIT_NOTE' && parts && (refundId === null || !reversed.has(refundId)) ? [parts] : [],
  );
  return spreadRefund(doc, change > 0 ? [] : previous, amount);
}

/** A document without its number. */
export function newDocument(
  order: NewOrder & { number: number | null },
  { configs }: BusinessRow,
  type: NewDocument['type'],
  snapshot: Snapshot,
  nowSeconds: number,
): NewDocument {
  const { series, creditSeries } = invoicingOf(configs);
  return {
    businessId: order.businessId,
    id: newId('doc'),
    orderId: order.id,
    orderNumber: order.number,
    type,
    series: type === 'INVOICE' ? series : creditSeries,
    refundId: null,
    issuedAt: nowSeconds,
    currency: order.doc.currency,
    total: totalOf(snapshot, order),
    snapshot,
  };
}

/** Returns the event to emit next. */
function issue(ctx: PaymentCommand, document: NewDocument): NewEvent {
  ctx.issue(insertDocument(ctx.db, document));
  ctx.issue(releaseEarly(ctx.db));
  return documentEvent(document);
}

/** Issues a document in the transaction that numbers its order. */
export const issueWithOrder = (tx: Tx, document: NewDocument, source: EventSource): Statement<object[]>[] => [
  insertDocument(tx, document),
  insertDocumentEvent(tx, document, source),
];
