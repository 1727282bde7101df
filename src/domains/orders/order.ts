import type { Versioned } from '../../context/index.ts';
import type { BlockValue } from '../../shared/blocks/index.ts';
import { showBlocks } from '../../shared/records/show-blocks.ts';
import type { StatusEntry } from '../../shared/records/status-schemas.ts';
import { type Caller, isMember } from '../../shared/security/caller.ts';
import type { PaymentLine } from '../payments/index.ts';
import { displayOf, type StoredLine, type Sums, showLine } from '../pricing/index.ts';
import type { MAIL_KINDS, Order, OrderDispute, Tracking } from './schemas.ts';

/** The `purpose` of payments and refunds of orders. */
export const ORDER_PURPOSE = 'ORDER';

export type MailKind = (typeof MAIL_KINDS)[number];

/** The JSON document of an order; its other fields are columns. */
export type OrderDoc = Sums & {
  market: string;
  currency: string;
  taxMode: 'EXCLUSIVE' | 'INCLUSIVE';
  lines: StoredLine[];
  promoCode: string | null;
  promoId: string | null;
  /** The user who used the promo code, if the order was later assigned to another customer. */
  promoUserId?: string;
  shippingMethodId: string | null;
  paymentMethod: string | null;
  tracking?: Tracking;
  /** The email was entered by hand and is not verified. */
  isEmailTyped?: boolean;
  /** Emails sent so far, to limit the number of each kind. */
  mailed?: MailKind[];
  /** Emails that were not sent because the address got too many. */
  withheldMails?: { kind: MailKind; timestamp: number }[];
  /** Disputes at the customer's bank, with the time of their last change. */
  disputes?: OrderDispute[];
  blocks: BlockValue[];
  statuses: StatusEntry[];
  paymentStatus: StatusEntry[];
};

export type OrderRow = {
  businessId: string;
  id: string;
  number: number;
  /** The latest status of each history, as columns for search. */
  status: string;
  paymentStatus: string;
  customerId: string;
  customerEmail: string | null;
  /** The order holds its stock and its promo use. */
  holds: boolean;
  paid: number;
  refunded: number;
  doc: OrderDoc;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export type NewOrder = Omit<OrderRow, 'number'>;

/** The order as the caller may see it. Only members see which other users changed a status, withheld emails, and disputes. */
export function viewOrder(order: OrderRow, caller: Caller): Order {
  const { statuses, paymentStatus } = order.doc;
  const shown = { ...viewNewOrder(order), number: order.number };
  if (isMember(caller, order.businessId)) return shown;
  const { withheldMails: _, disputes: __, ...forCustomer } = shown;
  return {
    ...forCustomer,
    statuses: hideOtherUsers(statuses, caller),
    paymentStatus: hideOtherUsers(paymentStatus, caller),
  };
}

/** The order as members see it, without its number. */
export function viewNewOrder(order: NewOrder): Omit<Order, 'number'> {
  const { businessId, id, customerId, customerEmail: email, paid, refunded, doc, createdAt, updatedAt } = order;
  const { mailed: _, isEmailTyped: __, promoId: ___, promoUserId: ____, taxMode: _____, ...shown } = doc;
  const lines = doc.lines.map(showLine);
  // Media files of an order are stored with their full URL.
  const blocks = showBlocks(doc.blocks, '');
  const display = displayOf(doc);
  return { ...shown, display, lines, blocks, id, businessId, customerId, email, paid, refunded, createdAt, updatedAt };
}

/** All data needed to recreate the order in another business. */
export function exportOrder(order: OrderRow): object {
  const { etag: _, businessId: __, display: ___, ...shown } = { ...viewNewOrder(order), number: order.number };
  const { lines, taxMode, promoUserId, mailed } = order.doc;
  return {
    ...shown,
    lines,
    taxMode,
    ...(promoUserId === undefined ? {} : { promoUserId }),
    ...(mailed === undefined ? {} : { mailed }),
  };
}

const hideOtherUsers = (entries: readonly StatusEntry[], { userId: own }: Caller): StatusEntry[] =>
  entries.map(({ userId, ...entry }) => (userId === own ? { ...entry, userId } : entry));

export const versioned = (order: OrderRow, caller: Caller): Versioned<Order> => ({
  record: viewOrder(order, caller),
  version: order.version,
});

/** The rows shown on the payment page and in emails. They add up to the total. */
export function paymentLines(doc: OrderDoc): PaymentLine[] {
  const { lines } = doc;
  const { taxIncluded, tax, shipping, discount } = displayOf(doc);
  return [
    ...lines.map(({ name, quantity, unitPrice }) => ({ name, quantity, unitPrice })),
    { name: 'Shipping', quantity: 1, unitPrice: shipping },
    { name: 'Tax', quantity: 1, unitPrice: taxIncluded ? 0 : tax },
    { name: 'Discount', quantity: 1, unitPrice: -discount },
  ].filter((line, i) => i < lines.length || line.unitPrice !== 0);
}
