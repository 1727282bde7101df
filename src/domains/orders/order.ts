import type { Versioned } from '../../context/index.ts';
import type { BlockValue } from '../../shared/blocks/index.ts';
import { type Language, taxLabel, textsIn } from '../../shared/mail/languages.ts';
import { pickFields } from '../../shared/records/pick-fields.ts';
import { showBlocks } from '../../shared/records/show-blocks.ts';
import type { StatusEntry } from '../../shared/records/status-schemas.ts';
import { type Caller, isMember, may } from '../../shared/security/caller.ts';
import type { PaymentLine } from '../payments/index.ts';
import {
  type Addresses,
  displayOf,
  type StoredLine,
  showPrice,
  type TaxDetails,
  type TaxMode,
  type Totals,
  taxRowsOf,
  type VatCheck,
} from '../pricing/index.ts';
import { instructionsOf, type StoredAccount } from './bank-transfer/instructions.ts';
import type { BankPayment } from './bank-transfer/schemas.ts';
import type { ALL_MAIL_KINDS } from './mails/schemas.ts';
import { type AfterSale, refundableOf } from './money/after-sale.ts';
import type { OrderDispute } from './money/schemas.ts';
import { CustomerOrder, MemberOrder, type Order } from './schemas.ts';
import { cancelledLines, fulfillmentOf, returnableLines, shipmentsOf } from './shipments/fulfillment.ts';
import type { Fulfillment, Shipment, ShipmentLine, Tracking } from './shipments/schemas.ts';
import type { OrderNote, OrderSource } from './work/schemas.ts';

/** The `purpose` of payments and refunds of orders. */
export const ORDER_PURPOSE = 'ORDER';

export type MailKind = (typeof ALL_MAIL_KINDS)[number];

/** The JSON document of an order; its other fields are columns. Older orders have no addresses and no tax details. */
export type OrderDoc = Totals &
  Partial<TaxDetails & Addresses> & {
    market: string;
    currency: string;
    taxMode: TaxMode;
    pickupLocationId?: string | null;
    locale?: string | null;
    lines: StoredLine[];
    promoCode: string | null;
    promoId: string | null;
    /** The cart that was ordered. It is reopened if the order is not paid. */
    cartId?: string;
    /** The newsletter send that led to the order. */
    attribution?: { sendId: string };
    /** The user who used the promo code, if the order was later assigned to another customer. */
    promoUserId?: string;
    shippingMethodId: string | null;
    paymentMethod: string | null;
    bankTransfer?: StoredAccount;
    /** The amount received by bank transfer, whether or not the order is paid. */
    received?: number;
    bankPayments?: BankPayment[];
    /** The tracking of the latest shipment or, before there is one, of the first. */
    tracking?: Tracking;
    /** Orders from older versions have none: read them with `shipmentsOf`. */
    shipments?: Shipment[];
    /** The key of an index. Derived from the lines and shipments. */
    fulfillment?: Fulfillment;
    /** Missing until something is refunded or returned. */
    afterSale?: AfterSale;
    /** Unshipped items that the order does not hold: a refund returned them to stock, and they were sold again before the refund failed. */
    unstocked?: ShipmentLine[];
    /** For the new items in an exchange: the order and the return that pay for it, how much, and the refunded difference. */
    exchange?: { orderId: string; returnId: string; credit: number; refund?: number };
    /** The email was entered by hand and is not verified. */
    isEmailTyped?: boolean;
    /** Set if the order was paid after invoices were introduced. Older orders don't get documents. */
    hasDocuments?: boolean;
    /** Emails sent so far, to limit the number of each kind. */
    mailed?: MailKind[];
    /** Emails that were not sent because the address got too many. */
    withheldMails?: { kind: MailKind; timestamp: number }[];
    /** Disputes at the customer's bank, with the time of their last change. */
    disputes?: OrderDispute[];
    /** Missing if the tax does not depend on a VAT ID. */
    vatCheck?: VatCheck | undefined;
    /** Also in `order_tags`, for search. */
    tags?: string[];
    /** A member who may have left since. */
    assignee?: string | null;
    notes?: OrderNote[];
    /** Missing unless the order was imported from another system. */
    source?: OrderSource;
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

/** The order as the caller may see it. Only members see the other users who changed it. */
export function viewOrder(order: OrderRow, caller: Caller): Order {
  const { businessId, doc } = order;
  const bankTransfer = instructionsOf(order);
  const shown = {
    ...viewNewOrder(order),
    number: order.number,
    notes: doc.notes ?? [],
    ...(bankTransfer ? { bankTransfer } : {}),
  };
  if (may(caller, businessId, 'ORDER_READ') || may(caller, businessId, 'ORDER_WRITE')) return shown;
  if (isMember(caller, businessId)) return pickFields<Order>(MemberOrder, shown);
  return pickFields<Order>(CustomerOrder, {
    ...shown,
    statuses: hideOtherUsers(doc.statuses, caller),
    paymentStatus: hideOtherUsers(doc.paymentStatus, caller),
  });
}

/** The order as members see it, without its number and notes. Events contain this data. Notes have separate events. */
export function viewNewOrder(order: NewOrder): Omit<Order, 'number' | 'notes'> {
  const { businessId, id, customerId, customerEmail: email, paid, refunded, doc, createdAt, updatedAt } = order;
  const {
    mailed: _,
    isEmailTyped: __,
    promoId: ___,
    promoUserId: ____,
    taxMode: _____,
    afterSale,
    notes: ______,
    hasDocuments: _______,
    bankTransfer: ________,
    cartId: _________,
    ...shown
  } = doc;
  // Media files of an order are stored with their full URL.
  const blocks = showBlocks(doc.blocks, '');
  const { shippingAddress = null, billingAddress = null, pickupLocationId = null, locale = null } = doc;
  const { tags = [], assignee = null } = doc;
  return {
    ...shown,
    ...showPrice(doc),
    fulfillment: fulfillmentOf(order),
    shipments: shipmentsOf(order),
    cancelledLines: cancelledLines(order),
    returnable: returnableLines(order),
    refundable: refundableOf(order),
    shippingAddress,
    billingAddress,
    pickupLocationId,
    locale,
    tags,
    assignee,
    blocks,
    id,
    businessId,
    customerId,
    email,
    paid,
    refunded,
    ...(afterSale?.exchanged ? { exchanged: afterSale.exchanged } : {}),
    createdAt,
    updatedAt,
  };
}

const hideOtherUsers = (entries: readonly StatusEntry[], { userId: own }: Caller): StatusEntry[] =>
  entries.map(({ userId, ...entry }) => (userId === own ? { ...entry, userId } : entry));

export const versioned = (order: OrderRow, caller: Caller): Versioned<Order> => ({
  record: viewOrder(order, caller),
  version: order.version,
});

/** The amount that the customer got back, including pending refunds. The rest of `refunded` paid for exchanges. */
export const paidBack = ({ refunded, doc }: Pick<OrderRow, 'refunded' | 'doc'>) =>
  refunded - (doc.afterSale?.exchanged ?? 0);

/** The amount that the customer pays. Returned items pay for part of an exchange. */
export const amountDue = ({ total, exchange }: OrderDoc) => total - (exchange?.credit ?? 0);

/** The rows shown on the payment page. They add up to the amount due. */
export function paymentLines(doc: OrderDoc, language: Language): PaymentLine[] {
  const { lines } = doc;
  const display = displayOf(doc);
  const { taxIncluded, subtotal, shipping, discount } = display;
  const taxes = taxIncluded ? [] : taxRowsOf(display, doc.taxLines);
  const items = lines.reduce((sum, line) => sum + line.totalPrice, 0);
  const names = textsIn(language).order;
  return [
    ...lines.map(({ name, quantity, unitPrice }) => ({ name, quantity, unitPrice })),
    { name: doc.taxExempt ? names.reverseCharge : names.taxDeduction, quantity: 1, unitPrice: subtotal - items },
    { name: names.discount, quantity: 1, unitPrice: -discount },
    { name: names.shipping, quantity: 1, unitPrice: shipping },
    ...taxes.map(({ name, amount }) => ({ name: taxLabel(name, language), quantity: 1, unitPrice: amount })),
    { name: names.credit, quantity: 1, unitPrice: -(doc.exchange?.credit ?? 0) },
  ].filter((line, i) => i < lines.length || line.unitPrice !== 0);
}
