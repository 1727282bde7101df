/**
 * Builds orders, payments, refunds and stock in memory, with the rows and events that the use cases would write; they are then
 * inserted in bulk. No tasks are created, so no email is sent and unpaid cash orders don't expire.
 */
import type { AppServices, Steps } from '../../context/index.ts';
import type { BusinessRow } from '../../domains/businesses/index.ts';
import type { Product, Sellable } from '../../domains/catalog/index.ts';
import {
  afterSaleOf,
  countMail,
  type DocumentRow,
  emitChanges,
  emitRefund,
  failedPayment,
  invoiceSnapshot,
  type NewStatuses,
  newDocument,
  newOrder,
  numberOf,
  ORDER_PURPOSE,
  type OrderRow,
  partSnapshot,
  paymentOf,
  previousParts,
  type RefundParts,
  spreadRefund,
  type Tracking,
  transition,
  unnumberedEvent,
  viewNewOrder,
  withDocuments,
  withFulfillment,
} from '../../domains/orders/index.ts';
import type { PaymentRow, RefundRow } from '../../domains/payments/index.ts';
import { cartRequestOf, checkCart, type UsablePromo } from '../../domains/pricing/index.ts';
import { checkBlocks } from '../../shared/blocks/index.ts';
import { newId } from '../../shared/ids.ts';
import { systemStatus, userStatus } from '../../shared/records/status-history.ts';
import { at } from '../past.ts';
import { type CustomerNote, createCustomers } from './customers.ts';
import { type Cause, createEventLog } from './event-log.ts';
import type { Person } from './people.ts';
import type { PlannedOrder, Step } from './planned-order.ts';
import { createStock } from './stock.ts';
import type { Delivery } from './stock-plan.ts';

type BookOptions = {
  /** The caller is the admin. */
  ctx: Steps<AppServices>;
  business: BusinessRow;
  products: readonly Product[];
  sellables: readonly Sellable[];
  promo: UsablePromo;
};

type Line = { productId: string; variantId: string; quantity: number };

export function createBook({ ctx, business, products, sellables, promo }: BookOptions) {
  const { businessId, caller: admin } = ctx;
  const { configs } = business;
  const log = createEventLog(businessId);
  const customers = createCustomers(businessId, log);
  const stock = createStock({ businessId, log, products, sellables });
  const [orders, payments] = [new Map<string, OrderRow>(), new Map<string, PaymentRow>()];
  const refunds: RefundRow[] = [];
  const documents: DocumentRow[] = [];
  const promoUses: { code: string; userId: string }[] = [];

  const byAdmin = (now: number): Cause => ({ now, userId: admin.userId, ip: OFFICE });
  const bySystem = (now: number, ip = ''): Cause => ({ now, userId: null, ip });

  const taken = (lines: readonly Line[]) => lines.map((line) => ({ ...line, quantity: -line.quantity }));

  async function place(planned: PlannedOrder): Promise<string> {
    const { person, market, paymentMethod, shippingMethodId, promoCode, items, at: now } = planned;
    const caller = customers.meet(person, now);
    const shippingAddress = shippingMethodId === 'pickup' ? null : person.shippingAddress;
    const choices = { market, paymentMethod, shippingMethodId, promoCode, shippingAddress };
    const input = { ...choices, items: items.map(refOf), email: person.email };
    const usable = promoCode === null ? null : { ...promo, ...promo.doc, usesByUser: 0 };
    const facts = { configs, sellables: stock.sellables(), promo: usable, vatValid: false, nowSeconds: now };
    const result = checkCart(cartRequestOf(input, { forCheckout: true }), facts);
    if ('errors' in result) throw new Error(`Failed to place a demo order: ${JSON.stringify(result.errors)}`);
    const blocks =
      shippingMethodId === 'pickup' ? [] : checkBlocks([{ id: 'address', type: 'TEXT', value: person.address }]).blocks;
    const placed = newOrder({ caller, businessId, now }, input, result.priced, [...blocks]);
    const payment = await paymentOf(at(ctx.within(businessId, caller), now), placed, NO_RETURN);
    const doc = payment ? placed.doc : countMail(placed.doc, 'RECEIVED')!;
    const order = { ...placed, doc, number: orders.size + 1 };
    const cause = { now, userId: caller.userId, ip: person.ip };
    stock.move(taken(order.doc.lines), cause, 'ORDER', order.id);
    if (promoCode) promoUses.push({ code: promoCode, userId: caller.userId });
    if (payment) payments.set(order.id, payment);
    orders.set(order.id, order);
    const data = { ...viewNewOrder(order), number: order.number };
    log.emitter(cause).emit({ type: 'order.created', entity: `order:${order.id}`, data });
    if (order.doc.hasDocuments) issue(order, 'INVOICE', null, cause);
    return order.id;
  }

  /** The equivalent of `settleDocuments`. */
  function issue(order: OrderRow, type: DocumentRow['type'], refund: RefundRow | null, cause: Cause): void {
    const invoice = documents.find((each) => each.orderId === order.id);
    const corrects = invoice ? { number: numberOf(invoice), issuedAt: invoice.issuedAt } : null;
    const snapshot = refund
      ? partSnapshot(order, business, { parts: refund.parts as RefundParts, corrects, reason: refund.reason })
      : invoiceSnapshot(order, business);
    const { orderNumber: _, ...issued } = newDocument(order, business, type, snapshot, cause.now);
    const sequence = documents.filter(({ series }) => series === issued.series).length + 1;
    const row = {
      ...issued,
      sequence,
      refundId: refund?.id ?? null,
      snapshot: { ...snapshot, orderNumber: order.number },
    };
    documents.push(row);
    const event = unnumberedEvent({ ...row, orderNumber: order.number });
    log.emitter(cause).emit({ ...event, data: { ...event.data, number: numberOf(row) } });
  }

  function refOf({ slug, variantId, quantity }: PlannedOrder['items'][number]): Line {
    return { productId: stock.productOf(slug).id, variantId, quantity };
  }

  /** Stores the next version of the order. */
  function update(order: OrderRow, now: number): OrderRow {
    const { statuses, paymentStatus } = order.doc;
    const next = {
      ...order,
      doc: withFulfillment(order),
      status: statuses.at(-1)!.status,
      paymentStatus: paymentStatus.at(-1)!.status,
      version: order.version + 1,
      updatedAt: now,
    };
    orders.set(order.id, next);
    return next;
  }

  type Change = NewStatuses & {
    /** The user who returns the stock, if not the actor of the events. */
    userId?: string;
  };

  /** The equivalent of `applyStatuses`. */
  function addStatuses(order: OrderRow, { userId, ...added }: Change, cause: Cause): void {
    const { doc: changed, newPaymentStatus, stock: movement, mails } = transition(order, added, cause.now);
    let doc = newPaymentStatus === 'PAID' ? withDocuments(changed) : changed;
    for (const kind of mails) doc = countMail(doc, kind) ?? doc;
    const paid = newPaymentStatus === 'PAID' ? order.paid || doc.total : order.paid;
    const returnedBy = { ...cause, userId: userId ?? cause.userId };
    if (movement === 'RETURN') stock.move(order.doc.lines, returnedBy, 'CANCEL', order.id);
    const next = update({ ...order, doc, paid, holds: movement === 'RETURN' ? false : order.holds }, cause.now);
    emitChanges(log.emitter(cause), order, next);
    if (newPaymentStatus === 'PAID') issue(next, 'INVOICE', null, cause);
  }

  function setStatus(order: OrderRow, status: string, cause: Cause, tracking?: Tracking): void {
    addStatuses(order, { statuses: [userStatus(status, admin, cause.now)], tracking }, cause);
  }

  function closePayment(id: string, now: number): void {
    const payment = payments.get(id);
    if (payment) payments.set(id, { ...payment, status: 'CLOSED', updatedAt: now });
  }

  function pay(order: OrderRow, now: number, ip: string): void {
    const payment = payments.get(order.id);
    if (!payment) {
      addStatuses(order, { paymentStatus: [userStatus('PAID', admin, now)] }, byAdmin(now));
      return;
    }
    const { id, amount } = payment;
    payments.set(id, { ...payment, status: 'PAID', paid: amount, chargeId: id, updatedAt: now });
    const received = { ...order, paid: amount };
    addStatuses(received, { statuses: [], paymentStatus: [systemStatus('PAID', now)] }, bySystem(now, ip));
  }

  function refund(order: OrderRow, { share, reason }: { share: number; reason: string }, now: number): void {
    const amount =
      share === 1 ? order.paid - order.refunded : Math.max(100, Math.round((order.paid * share) / 100) * 100);
    const payment = payments.get(order.id);
    const id = newId('rfd');
    const own = refunds.filter(({ reference }) => reference === order.id);
    const made: RefundRow = {
      businessId,
      id,
      purpose: ORDER_PURPOSE,
      reference: order.id,
      paymentId: payment?.id ?? null,
      amount,
      reason,
      parts: spreadRefund(order.doc, previousParts(order, own), amount),
      userId: admin.userId,
      status: 'SUCCEEDED',
      providerRefundId: payment ? `sandbox_${id}` : null,
      failure: null,
      dueAt: now + REFUND_DUE_SECONDS,
      createdAt: now,
      updatedAt: now,
    };
    refunds.push(made);
    const money = { ...order, refunded: order.refunded + amount };
    const afterSale = afterSaleOf(money, [...own, made], []);
    const reserved = update({ ...money, doc: { ...order.doc, afterSale } }, now);
    const status = reserved.refunded >= reserved.paid ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    const doc = { ...reserved.doc, paymentStatus: [...reserved.doc.paymentStatus, userStatus(status, admin, now)] };
    const written = update({ ...reserved, doc: countMail(doc, 'REFUNDED') ?? doc }, now);
    const emitter = log.emitter(byAdmin(now));
    emitChanges(emitter, reserved, written);
    emitRefund(emitter, written, made);
    issue(written, 'CREDIT_NOTE', made, byAdmin(now));
  }

  const cancelUnpaid = (order: OrderRow, now: number) =>
    addStatuses(
      order,
      { statuses: [systemStatus('CANCELLED', now)], paymentStatus: failedPayment(order, now) },
      bySystem(now),
    );

  function giveUp(order: OrderRow, now: number, ip: string): void {
    const { customerId: userId } = order;
    const cancelled = { ...systemStatus('CANCELLED', now), changedBy: 'USER', userId };
    const paymentStatus = failedPayment(order, now);
    addStatuses(order, { statuses: [cancelled], paymentStatus, userId }, bySystem(now, ip));
  }

  function apply(orderId: string, step: Step, { ip }: Person): void {
    const order = orders.get(orderId)!;
    const { at: now } = step;
    switch (step.do) {
      case 'pay':
        pay(order, now, ip);
        break;
      case 'decline':
        addStatuses(order, { paymentStatus: [systemStatus('FAILED', now)] }, bySystem(now, ip));
        break;
      case 'expire':
        closePayment(orderId, now);
        cancelUnpaid(order, now);
        break;
      case 'giveUp':
        closePayment(orderId, now);
        giveUp(order, now, ip);
        break;
      case 'ship':
        setStatus(order, 'SHIPPED', byAdmin(now), step.tracking);
        break;
      case 'refund':
        refund(order, step, now);
        break;
      default:
        setStatus(order, STATUS_AFTER[step.do], byAdmin(now));
    }
  }

  return {
    log,
    customers,
    place,
    apply,
    receive: (delivery: Delivery) => stock.receive(delivery, byAdmin(delivery.at)),
    addNote: (entry: CustomerNote) => customers.addNote(entry, byAdmin(entry.at)),
    lastOrderOf: (email: string) => [...orders.values()].findLast(({ customerEmail }) => customerEmail === email)!.id,
    rows: { orders, payments, refunds, documents, promoUses, ledger: stock.ledger, moved: stock.moved },
  };
}

export type Book = ReturnType<typeof createBook>;

/** The IP address of staff. */
const OFFICE = '192.0.2.10';
const STATUS_AFTER = { deliver: 'DELIVERED', cancel: 'CANCELLED', takeBack: 'REFUNDED' } as const;
const NO_RETURN = { returnUrl: null, cancelUrl: null };
const REFUND_DUE_SECONDS = 60;
