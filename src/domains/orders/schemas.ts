import Type, { type Static } from 'typebox';
import { Block, type BlockValue } from '../../shared/blocks.ts';
import { PageQuery } from '../../shared/paging.ts';
import {
  BusinessId,
  ChosenId,
  Currency,
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
import { StatusEntry, StatusInput } from '../../shared/statuses.ts';
import {
  BASKET_EXAMPLE,
  Items,
  LineType,
  MAX_LINES,
  OrderLine,
  PaymentMethod,
  PromoCodeText,
  ShippingMethodId,
  sums,
  VariantId,
} from '../pricing/index.ts';

export const ORDER_STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'] as const;
export const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const;

const Blocks = Type.Array(Type.Unknown(), {
  description: 'Custom fields, such as the shipping address: `{id, type, value}`.',
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

export const Order = Type.Object({
  id: Id,
  businessId: BusinessId,
  number: Type.Integer({ examples: [1] }),
  customerId: Id,
  market: MarketCode,
  currency: Currency,
  lines: Type.Array(OrderLine),
  ...sums,
  promoCode: Nullable(Type.String()),
  shippingMethodId: Nullable(Type.String()),
  paymentMethod: Nullable(Type.String()),
  blocks: Type.Unsafe<BlockValue[]>(Type.Array(Block)),
  statuses: Type.Array(StatusEntry),
  paymentStatus: Type.Array(StatusEntry),
  createdAt: Timestamp,
  updatedAt: Timestamp,
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
  paymentMethod: Type.Optional(Nullable(PaymentMethod)),
  blocks: Type.Optional(Blocks),
  statuses: Type.Optional(Type.Array(StatusInput, { maxItems: 1000 })),
  paymentStatus: Type.Optional(Type.Array(StatusInput, { maxItems: 1000 })),
};

export const OrderInput = Input({
  ...changeable,
  lines: Type.Array(LineInput, { minItems: 1, maxItems: MAX_LINES }),
  customerId: Id,
  market: MarketCode,
  currency: Type.Optional(Currency),
});
export type OrderInput = Static<typeof OrderInput>;

export const OrderUpdate = Input({ id: Id, customerId: Type.Optional(Id), ...changeable });
export type OrderUpdate = Static<typeof OrderUpdate>;

const oneStatus = {
  id: Type.Optional(ChosenId),
  changedBy: Type.Optional(OneOf(['USER', 'SYSTEM'])),
  userId: Type.Optional(Id),
  timestamp: Type.Optional(Timestamp),
};
export const StatusChange = Input({ ...oneStatus, status: Text(40, { examples: ['SHIPPED'] }) });
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

export const OrderListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(ORDER_STATUSES)),
  paymentStatus: Type.Optional(OneOf(PAYMENT_STATUSES)),
  customerId: Type.Optional(Id),
  query: Type.Optional(
    Type.String({ maxLength: 254, description: "An order's number, or the beginning of its customer's e-mail." }),
  ),
  createdFrom: Type.Optional(Timestamp),
  createdTo: Type.Optional(Timestamp),
});
export type OrderListQuery = Static<typeof OrderListQuery>;
