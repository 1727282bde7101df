import Type, { type Static, type TSchema } from 'typebox';
import { Block, BlockInput, type BlockValue } from '../../shared/blocks/index.ts';
import { CountedPageQuery } from '../../shared/paging.ts';
import { CustomerStatusEntry, StatusEntry, StatusInput, withStatuses } from '../../shared/records/status-schemas.ts';
import {
  BusinessId,
  Currency,
  Documented,
  Id,
  Known,
  Line,
  MarketCode,
  Nullable,
  OneOf,
  Timestamp,
} from '../../shared/schemas.ts';
import { Customer } from '../businesses/index.ts';
import { addresses, Display, OrderLine, PAYMENT_METHODS, taxes, totals, VAT_CHECKS } from '../pricing/index.ts';
import { BankPayment, BankTransfer } from './bank-transfer/schemas.ts';
import { ALL_MAIL_KINDS } from './mails/schemas.ts';
import { Disputes, Exchange, Refundable } from './money/schemas.ts';
import { CustomerShipment, FULFILLMENTS, Fulfillment, Shipment, ShipmentLine, Tracking } from './shipments/schemas.ts';
import { Assignee, OrderNotes, OrderSource, Tags } from './work/schemas.ts';

export const ORDER_STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'] as const;
export const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const;

export const OrderStatusEntry = withStatuses(StatusEntry, ORDER_STATUSES);
export const OrderStatusInput = withStatuses(StatusInput, ORDER_STATUSES);
export const PaymentStatusEntry = withStatuses(StatusEntry, PAYMENT_STATUSES);
export const PaymentStatusInput = withStatuses(StatusInput, PAYMENT_STATUSES);

/** For orders created by staff. A customer's cart has a lower limit. */
export const MAX_LINES = 500;

export const Blocks = Type.Array(Documented(BlockInput, Type.Unknown()), {
  description: 'Custom fields such as the shipping address, as `{id, type, value}`. At most 32 KiB in total.',
  examples: [[{ id: 'address', type: 'TEXT', value: '1 Main Street' }]],
});

export const Locale = Line(35, { minLength: 2, description: "The customer's language.", examples: ['de-DE'] });
export const EXPANDABLE = ['customer', 'product'] as const;
const Expand = Type.Optional(
  Type.Array(OneOf(EXPANDABLE), {
    maxItems: EXPANDABLE.length,
    description: 'Adds `customer` to each order, or `product` to each of its lines.',
    examples: [['customer', 'product']],
  }),
);
export const OrderQuery = Type.Object({ expand: Expand });
export type OrderQuery = Static<typeof OrderQuery>;

/** The fields that customers see. Fields for members come in through `memberFields` and `staffFields`, and in the entries of lists. */
const customerFields = <S extends TSchema, P extends TSchema, F extends TSchema>(entries: {
  status: S;
  payment: P;
  shipment: F;
}) => ({
  id: Id,
  businessId: BusinessId,
  number: Type.Integer({ examples: [1] }),
  customerId: Id,
  email: Nullable(
    Type.String({ description: 'The recipient of emails about this order.', examples: ['ada@example.com'] }),
  ),
  paid: Type.Integer({ description: 'The amount paid so far.', examples: [5000] }),
  refunded: Type.Integer({ description: 'The refunded amount, including pending refunds.', examples: [0] }),
  exchanged: Type.Optional(
    Type.Integer({
      description:
        'The part of `refunded` that was applied to an exchange order instead of being returned to the customer.',
      examples: [1500],
    }),
  ),
  market: MarketCode,
  currency: Currency,
  lines: Type.Array(OrderLine),
  ...totals,
  ...taxes,
  display: Display,
  promoCode: Nullable(Type.String()),
  shippingMethodId: Nullable(Type.String()),
  ...addresses,
  locale: Nullable(Type.String({ examples: ['de-DE'] })),
  paymentMethod: Nullable(Known(PAYMENT_METHODS, Type.String())),
  bankTransfer: Type.Optional({ ...BankTransfer, description: 'How to pay. Only while the order is unpaid.' }),
  received: Type.Optional(
    Type.Integer({
      description: 'The amount received by bank transfer. It can be less or more than the total.',
      examples: [4900],
    }),
  ),
  fulfillment: Fulfillment,
  shipments: Type.Array(entries.shipment, { description: 'Oldest first.' }),
  cancelledLines: Type.Array(ShipmentLine, {
    description:
      'Items removed from the order before they were shipped, by a refund or a withdrawal. They will not be shipped.',
  }),
  returnable: Type.Array(ShipmentLine, { description: 'Shipped items that were neither refunded nor returned.' }),
  exchange: Type.Optional(Exchange),
  tracking: Type.Optional({ ...Tracking, description: 'Tracking information for the latest shipment.' }),
  blocks: Type.Unsafe<BlockValue[]>(Type.Array(Block)),
  statuses: Type.Array(entries.status),
  paymentStatus: Type.Array(entries.payment),
  source: Type.Optional(OrderSource),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const memberFields = {
  customer: Type.Optional(
    Nullable({
      ...Customer,
      description:
        'The customer record, with `expand=customer`. Null if there is none, or without the `CUSTOMER_READ` permission.',
    }),
  ),
  bankPayments: Type.Optional(
    Type.Array(BankPayment, {
      description: 'Payments recorded from bank statements, oldest first. Requires `ORDER_READ` or `ORDER_WRITE`.',
    }),
  ),
  unstocked: Type.Optional(
    Type.Array(ShipmentLine, {
      description:
        'Items to ship that are not in stock: a refund returned them to stock, and they were sold again before the refund failed. Requires `ORDER_READ` or `ORDER_WRITE`.',
    }),
  ),
  refundable: Type.Optional(Refundable),
  attribution: Type.Optional(
    Type.Object(
      { sendId: Id },
      { description: 'The newsletter send that led to the order. Requires `ORDER_READ` or `ORDER_WRITE`.' },
    ),
  ),
  disputes: Disputes,
  vatCheck: Type.Optional(
    OneOf(VAT_CHECKS, {
      description:
        'The VIES result for the VAT ID of the order. `UNCHECKED`: VIES was unavailable, so VAT was charged. The check is retried. Requires `ORDER_READ` or `ORDER_WRITE`.',
    }),
  ),
  withheldMails: Type.Optional(
    Type.Array(Type.Object({ kind: OneOf(ALL_MAIL_KINDS), timestamp: Timestamp }), {
      description:
        'Emails that were not sent because too many were sent to the address within an hour. Requires `ORDER_READ` or `ORDER_WRITE`.',
    }),
  ),
};

/** For members with a permission for orders. */
const staffFields = {
  tags: Type.Optional(Tags),
  assignee: Type.Optional(Assignee),
  notes: Type.Optional(OrderNotes),
};

/** An order as its customer sees it. */
export const CustomerOrder = Type.Object(
  customerFields({
    status: withStatuses(CustomerStatusEntry, ORDER_STATUSES),
    payment: withStatuses(CustomerStatusEntry, PAYMENT_STATUSES),
    shipment: CustomerShipment,
  }),
);
export type CustomerOrder = Static<typeof CustomerOrder>;

/** An order as a member without a permission for orders sees it: their own order. */
export const MemberOrder = Type.Object({
  ...customerFields({ status: OrderStatusEntry, payment: PaymentStatusEntry, shipment: Shipment }),
  ...memberFields,
});

export const Order = Type.Object({
  ...MemberOrder.properties,
  ...staffFields,
  etag: Type.Optional(
    Type.String({ description: 'The `ETag` of the order. Only present in lists and bulk results.', examples: ['"1"'] }),
  ),
});
export type Order = Static<typeof Order>;

export const CustomerId = Type.String({
  ...Id,
  description: 'The ID of a user, or of a customer record of the business.',
  examples: ['cust_01jd3x8q6kz5v0n4t7w2m9c1ab'],
});

export const OrderListQuery = Type.Object({
  ...CountedPageQuery.properties,
  ...OrderQuery.properties,
  status: Type.Optional(OneOf(ORDER_STATUSES)),
  statuses: Type.Optional(Type.Array(OneOf(ORDER_STATUSES), { maxItems: ORDER_STATUSES.length })),
  paymentStatus: Type.Optional(OneOf(PAYMENT_STATUSES)),
  fulfillment: Type.Optional(OneOf(FULFILLMENTS)),
  abandoned: Type.Optional(
    Type.Boolean({
      description: 'If false, leaves out abandoned checkouts. If true, returns only abandoned checkouts.',
    }),
  ),
  tag: Type.Optional(Line(40, { minLength: 1, description: 'A tag, in upper or lower case. Requires `ORDER_READ`.' })),
  assignee: Type.Optional(Type.String({ ...Id, description: 'The user ID of the assignee. Requires `ORDER_READ`.' })),
  country: Type.Optional(
    Type.String({
      maxLength: 2,
      pattern: '^[A-Za-z]{2}$',
      description: 'The country code of the shipping address.',
      examples: ['DE'],
    }),
  ),
  customerId: Type.Optional(
    Type.String({
      ...CustomerId,
      description:
        'The ID of a user or a customer record. For a customer record, also returns the orders of its user or, if it has no user, of its email address.',
    }),
  ),
  userId: Type.Optional(Type.String({ ...Id, description: 'Alias of `customerId`.' })),
  query: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        "An order number, the original number of an imported order, or the beginning of the customer's email address.",
    }),
  ),
  createdFrom: Type.Optional(Timestamp),
  createdTo: Type.Optional(Timestamp),
  createdAtFrom: Type.Optional(Type.Integer({ ...Timestamp, description: 'Alias of `createdFrom`.' })),
  createdAtTo: Type.Optional(Type.Integer({ ...Timestamp, description: 'Alias of `createdTo`.' })),
  sortField: Type.Optional(OneOf(['createdAt'])),
  sortDirection: Type.Optional(
    OneOf(['desc', 'asc', 'DESC', 'ASC'], { description: 'Defaults to `desc`, newest first.' }),
  ),
});
export type OrderListQuery = Static<typeof OrderListQuery>;
