import type { Versioned } from '../../context/index.ts';
import type { BlockValue } from '../../shared/blocks.ts';
import { type Caller, isMember } from '../../shared/caller.ts';
import type { StatusEntry } from '../../shared/statuses.ts';
import type { PaymentLine } from '../payments/index.ts';
import type { StoredLine, Sums } from '../pricing/index.ts';
import type { MAIL_KINDS, Order, Tracking } from './schemas.ts';

/** How payments and refunds of orders are marked. */
export const ORDER_PURPOSE = 'ORDER';

export type MailKind = (typeof MAIL_KINDS)[number];

/** The part of an order that lies in its document. */
export type OrderDoc = Sums & {
  market: string;
  currency: string;
  taxMode: 'EXCLUSIVE' | 'INCLUSIVE';
  lines: StoredLine[];
  promoCode: string | null;
  promoId: string | null;
  /** Whose use of the promo code this is, once the order has another customer. */
  promoUserId?: string;
  shippingMethodId: string | null;
  paymentMethod: string | null;
  tracking?: Tracking;
  /** Somebody typed the address that mail goes to: it may be anybody's. */
  isEmailTyped?: boolean;
  /** The mails that its customer was sent about it, so that none is sent over and over. */
  mailed?: MailKind[];
  blocks: BlockValue[];
  statuses: StatusEntry[];
  paymentStatus: StatusEntry[];
};

export type OrderRow = {
  businessId: string;
  id: string;
  number: number;
  /** The last entries of the two histories, to search by. */
  status: string;
  paymentStatus: string;
  customerId: string;
  customerEmail: string | null;
  /** Its stock and its promo use are taken. */
  holds: boolean;
  paid: number;
  refunded: number;
  doc: OrderDoc;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export type NewOrder = Omit<OrderRow, 'number'>;

/** Of who changed a status, others than members learn only about themselves. */
export function viewOrder(order: OrderRow, caller: Caller): Order {
  const { statuses, paymentStatus } = order.doc;
  const shown = { ...viewNewOrder(order), number: order.number };
  if (isMember(caller, order.businessId)) return shown;
  return {
    ...shown,
    statuses: withoutOthers(statuses, caller),
    paymentStatus: withoutOthers(paymentStatus, caller),
  };
}

/** As members see it, but for its number. */
export function viewNewOrder(order: NewOrder): Omit<Order, 'number'> {
  const { businessId, id, customerId, customerEmail: email, paid, refunded, doc, createdAt, updatedAt } = order;
  const { mailed: _, isEmailTyped: __, promoId: ___, promoUserId: ____, taxMode: _____, ...shown } = doc;
  const lines = doc.lines.map(({ name: _, sku: __, discount: ___, ...line }) => line);
  return { ...shown, lines, id, businessId, customerId, email, paid, refunded, createdAt, updatedAt };
}

/** All that makes it the same order in another business. */
export function exportOrder(order: OrderRow): object {
  const { etag: _, businessId: __, ...shown } = { ...viewNewOrder(order), number: order.number };
  const { lines, taxMode, promoUserId, mailed } = order.doc;
  return {
    ...shown,
    ...{ lines, taxMode },
    ...(promoUserId === undefined ? {} : { promoUserId }),
    ...(mailed === undefined ? {} : { mailed }),
  };
}

const withoutOthers = (entries: readonly StatusEntry[], { userId: own }: Caller): StatusEntry[] =>
  entries.map(({ userId, ...entry }) => (userId === own ? { ...entry, userId } : entry));

export const versioned = (order: OrderRow, caller: Caller): Versioned<Order> => ({
  record: viewOrder(order, caller),
  version: order.version,
});

/** What the customer sees on the way to pay, and afterwards in mail: rows that add up to the total. */
export function paymentLines({ lines, taxMode, tax, shipping, discount, total }: OrderDoc): PaymentLine[] {
  const items = lines.reduce((sum, line) => sum + line.totalPrice, 0);
  const listedShipping = taxMode === 'INCLUSIVE' ? total + discount - items : shipping;
  return [
    ...lines.map(({ name, quantity, unitPrice }) => ({ name, quantity, unitPrice })),
    { name: 'Shipping', quantity: 1, unitPrice: listedShipping },
    { name: 'Tax', quantity: 1, unitPrice: taxMode === 'EXCLUSIVE' ? tax : 0 },
    { name: 'Discount', quantity: 1, unitPrice: -discount },
  ].filter((line, i) => i < lines.length || line.unitPrice !== 0);
}
