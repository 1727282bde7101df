import Type, { type Static } from 'typebox';
import { Block, type BlockValue } from '../../shared/blocks.ts';
import { PageQuery } from '../../shared/paging.ts';
import {
  BusinessId,
  ChosenId,
  Currency,
  Email,
  Id,
  Input,
  MarketCode,
  MoneyMinor,
  Nullable,
  OneOf,
  Quantity,
  Text,
  Timestamp,
} from '../../shared/schemas.ts';
import { MAX_HISTORY, StatusEntry, StatusInput } from '../../shared/statuses.ts';
import {
  BASKET_EXAMPLE,
  Items,
  LineType,
  OrderLine,
  PaymentMethod,
  PromoCodeText,
  ShippingMethodId,
  sums,
  VariantId,
} from '../pricing/index.ts';

export const ORDER_STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'] as const;
export const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const;

/** Lines of an order that staff write; a customer's basket has fewer. */
const MAX_LINES = 500;
/** Of an order that is brought along. */
const MAX_NUMBER = 1_000_000_000_000;

const Blocks = Type.Array(Type.Unknown(), {
  description: 'Custom fields, such as the shipping address: `{id, type, value}`. At most 32 KB in all.',
  examples: [[{ id: 'address', type: 'TEXT', value: '1 Main Street' }]],
});

const WebAddress = Nullable(Type.String({ maxLength: 2000, examples: ['https://shop.example/thanks'] }));

const checkoutFields = {
  businessId: Type.Optional(BusinessId),
  market: MarketCode,
  currency: Type.Optional(Nullable(Currency)),
  paymentMethod: PaymentMethod,
  shippingMethodId: Type.Optional(ShippingMethodId),
  items: Type.Optional(Items),
  lines: Type.Optional(Items),
  blocks: Type.Optional(Blocks),
  promoCode: Type.Optional(PromoCodeText),
  quoteId: Type.Optional(Nullable(Id)),
  email: Type.Optional(Nullable(Email)),
  returnUrl: Type.Optional(WebAddress),
  cancelUrl: Type.Optional(WebAddress),
};
export const CheckoutInput = Input(checkoutFields, { examples: [BASKET_EXAMPLE] });
export type CheckoutInput = Static<typeof CheckoutInput>;

export const CheckoutResult = Type.Object({
  orderId: Id,
  checkoutUrl: Type.Optional(
    Type.String({ description: 'Send the customer here to pay.', examples: ['https://souk.example/pay/eyJ…'] }),
  ),
  status: Type.Optional(
    Type.String({ description: 'COMPLETED: nothing is to be paid. PENDING: paid in cash.', examples: ['COMPLETED'] }),
  ),
});
export type CheckoutResult = Static<typeof CheckoutResult>;

const OneLine = (maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\x00-\\x1f\\x7f]*$', examples: [example] });

export const Tracking = Input(
  {
    carrier: Type.Optional(OneLine(100, 'DHL')),
    number: Type.Optional(OneLine(100, '00340434161094042557')),
    url: Type.Optional(
      Type.String({
        maxLength: 2000,
        pattern: '^https?://[^\\s\\x00-\\x1f\\x7f]+$',
        examples: ['https://carrier.example/00340434161094042557'],
      }),
    ),
  },
  { description: 'Where the parcel is.' },
);
export type Tracking = Static<typeof Tracking>;

export const Order = Type.Object({
  id: Id,
  businessId: BusinessId,
  number: Type.Integer({ examples: [1] }),
  customerId: Id,
  email: Nullable(Type.String({ description: 'Where mail about this order goes.', examples: ['ada@example.com'] })),
  paid: Type.Integer({ description: 'What has arrived.', examples: [5000] }),
  refunded: Type.Integer({ description: 'What was given back of it, or is on its way back.', examples: [0] }),
  market: MarketCode,
  currency: Currency,
  lines: Type.Array(OrderLine),
  ...sums,
  promoCode: Nullable(Type.String()),
  shippingMethodId: Nullable(Type.String()),
  paymentMethod: Nullable(Type.String()),
  tracking: Type.Optional(Tracking),
  blocks: Type.Unsafe<BlockValue[]>(Type.Array(Block)),
  statuses: Type.Array(StatusEntry),
  paymentStatus: Type.Array(StatusEntry),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  etag: Type.Optional(
    Type.String({ description: 'In lists: what a GET of this order has in `ETag`.', examples: ['"1"'] }),
  ),
});
export type Order = Static<typeof Order>;

export const LineInput = Input({
  type: LineType,
  productId: Id,
  variantId: VariantId,
  quantity: Quantity,
  unitPrice: Type.Optional(MoneyMinor),
  totalPrice: Type.Optional(MoneyMinor),
});
export type LineInput = Static<typeof LineInput>;

const changeable = {
  lines: Type.Optional(Type.Array(LineInput, { minItems: 1, maxItems: MAX_LINES })),
  subtotal: Type.Optional(MoneyMinor),
  tax: Type.Optional(MoneyMinor),
  shipping: Type.Optional(MoneyMinor),
  discount: Type.Optional(MoneyMinor),
  total: Type.Optional(MoneyMinor),
  shippingMethodId: Type.Optional(ShippingMethodId),
  promoCode: Type.Optional(PromoCodeText),
  currency: Type.Optional(Nullable(Currency)),
  paymentMethod: Type.Optional(Nullable(PaymentMethod)),
  email: Type.Optional(Nullable(Email)),
  tracking: Type.Optional(Nullable(Tracking)),
  blocks: Type.Optional(Blocks),
  statuses: Type.Optional(Type.Array(StatusInput, { maxItems: 1000 })),
  paymentStatus: Type.Optional(Type.Array(StatusInput, { maxItems: 1000 })),
};

export const OrderInput = Input({
  ...changeable,
  lines: Type.Array(LineInput, { minItems: 1, maxItems: MAX_LINES }),
  customerId: Id,
  market: MarketCode,
  status: Type.Optional(Text(40, { description: 'The same as `statuses` with one entry.', examples: ['PROCESSING'] })),
});
export type OrderInput = Static<typeof OrderInput>;

export const OrderUpdate = Input({
  ...changeable,
  id: Id,
  customerId: Type.Optional(Id),
  market: Type.Optional(MarketCode),
});
export type OrderUpdate = Static<typeof OrderUpdate>;

const oneStatus = {
  id: Type.Optional(ChosenId),
  changedBy: Type.Optional(OneOf(['USER', 'SYSTEM'])),
  userId: Type.Optional(Id),
  timestamp: Type.Optional(Timestamp),
};
export const StatusChange = Input({
  ...oneStatus,
  status: Text(40, { examples: ['SHIPPED'] }),
  tracking: Type.Optional(Nullable(Tracking)),
});
export const PaymentStatusChange = Input({
  ...oneStatus,
  status: Type.Optional(Text(40, { examples: ['PAID'] })),
  paymentStatus: Type.Optional(Text(40, { examples: ['PAID'] })),
});
export type StatusChange = Static<typeof StatusChange>;

export const RefundInput = Input({
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, examples: [1000] })),
  reason: Type.Optional(Type.String({ maxLength: 500, examples: ['Came back unworn'] })),
});
export type RefundInput = Static<typeof RefundInput>;

export const MAIL_KINDS = ['RECEIVED', 'PAID', 'SHIPPED', 'CANCELLED', 'REFUNDED'] as const;
const Kind = (options: object = {}) => OneOf(MAIL_KINDS, { examples: ['SHIPPED'], ...options });

export const ResendInput = Input({
  kind: Type.Optional(
    Nullable(Kind({ description: 'Which mail; the one that fits the state of the order unless told.' })),
  ),
});
export type ResendInput = Static<typeof ResendInput>;

export const Resent = Type.Object({
  success: Type.Boolean(),
  kind: Kind(),
  email: Type.String({ examples: ['ada@example.com'] }),
});
export type Resent = Static<typeof Resent>;

const History = (statuses: readonly string[]) =>
  Type.Array(
    Input({
      id: ChosenId,
      status: OneOf(statuses),
      changedBy: OneOf(['USER', 'SYSTEM']),
      userId: Type.Optional(Id),
      timestamp: Timestamp,
    }),
    { minItems: 1, maxItems: MAX_HISTORY },
  );

/** An order in the export of a whole business. */
export const OrderExport = Input({
  id: Id,
  number: Type.Integer({ minimum: 1, maximum: MAX_NUMBER }),
  customerId: Id,
  email: Type.Optional(Nullable(Email)),
  paid: MoneyMinor,
  refunded: MoneyMinor,
  market: MarketCode,
  currency: Currency,
  taxMode: Type.Optional(OneOf(['EXCLUSIVE', 'INCLUSIVE'])),
  lines: Type.Array(
    Input({
      ...OrderLine.properties,
      type: LineType,
      name: Type.Optional(Type.String({ maxLength: 500 })),
      sku: Type.Optional(Type.String({ maxLength: 200 })),
      discount: Type.Optional(MoneyMinor),
    }),
    { minItems: 1, maxItems: MAX_LINES },
  ),
  ...sums,
  promoCode: Type.Optional(PromoCodeText),
  promoUserId: Type.Optional(Id),
  shippingMethodId: Type.Optional(ShippingMethodId),
  paymentMethod: Type.Optional(Nullable(PaymentMethod)),
  tracking: Type.Optional(Tracking),
  mailed: Type.Optional(Type.Array(Kind(), { maxItems: 20 })),
  blocks: Type.Array(Type.Unknown(), { maxItems: 1000 }),
  statuses: History(ORDER_STATUSES),
  paymentStatus: History(PAYMENT_STATUSES),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type OrderExport = Static<typeof OrderExport>;

/** The number that the business has given last. */
export const OrderCounter = Input({ lastNumber: Type.Integer({ minimum: 0, maximum: MAX_NUMBER }) });

export const OrderListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(ORDER_STATUSES)),
  statuses: Type.Optional(Type.Array(OneOf(ORDER_STATUSES), { maxItems: ORDER_STATUSES.length })),
  paymentStatus: Type.Optional(OneOf(PAYMENT_STATUSES)),
  customerId: Type.Optional(Id),
  userId: Type.Optional(Type.String({ ...Id, description: 'The same as `customerId`.' })),
  query: Type.Optional(
    Type.String({ maxLength: 254, description: "An order's number, or the beginning of its customer's e-mail." }),
  ),
  createdFrom: Type.Optional(Timestamp),
  createdTo: Type.Optional(Timestamp),
  createdAtFrom: Type.Optional(Type.Integer({ ...Timestamp, description: 'The same as `createdFrom`.' })),
  createdAtTo: Type.Optional(Type.Integer({ ...Timestamp, description: 'The same as `createdTo`.' })),
  sortField: Type.Optional(OneOf(['createdAt'])),
  sortDirection: Type.Optional(OneOf(['desc', 'asc', 'DESC', 'ASC'], { description: 'Newest first unless asc.' })),
});
export type OrderListQuery = Static<typeof OrderListQuery>;
