import Type, { type Static } from 'typebox';
import {
  Bulk,
  BulkResults,
  ChosenId,
  Currency,
  Email,
  Id,
  Input,
  Known,
  MarketCode,
  MoneyMinor,
  Nullable,
  OneOf,
  Quantity,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';
import {
  addressInputs,
  LineId,
  LineType,
  PaymentMethod,
  PromoCodeText,
  ShippingMethodId,
  VariantId,
} from '../../pricing/index.ts';
import {
  Blocks,
  CustomerId,
  Locale,
  MAX_LINES,
  ORDER_STATUSES,
  Order,
  OrderStatusInput,
  PAYMENT_STATUSES,
  PaymentStatusInput,
} from '../schemas.ts';
import { Tracking } from '../shipments/schemas.ts';
import { Assignee, Tags } from '../work/schemas.ts';

export const LineInput = Input({
  id: Type.Optional(
    Type.String({
      ...LineId,
      description:
        'The ID of an existing line, to distinguish lines with the same variant. Ignored if the order has no such line.',
    }),
  ),
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
  ...addressInputs,
  locale: Type.Optional(Nullable(Locale)),
  promoCode: Type.Optional(PromoCodeText),
  currency: Type.Optional(Nullable(Currency)),
  paymentMethod: Type.Optional(Nullable(PaymentMethod)),
  email: Type.Optional(Nullable(Email)),
  tracking: Type.Optional(Nullable(Tracking)),
  blocks: Type.Optional(Blocks),
  tags: Type.Optional(Tags),
  assignee: Type.Optional(Assignee),
  statuses: Type.Optional(Type.Array(OrderStatusInput, { maxItems: 1000 })),
  paymentStatus: Type.Optional(Type.Array(PaymentStatusInput, { maxItems: 1000 })),
};

export const OrderInput = Input({
  ...changeable,
  lines: Type.Array(LineInput, { minItems: 1, maxItems: MAX_LINES }),
  customerId: CustomerId,
  market: MarketCode,
  status: Type.Optional(
    Known(
      ORDER_STATUSES,
      Text(40, { description: 'Shorthand for `statuses` with a single status.', examples: ['PROCESSING'] }),
    ),
  ),
});
export type OrderInput = Static<typeof OrderInput>;

export const OrderUpdate = Input({
  ...changeable,
  id: Id,
  customerId: Type.Optional(CustomerId),
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
  status: Known(ORDER_STATUSES, Text(40, { examples: ['SHIPPED'] })),
  tracking: Type.Optional(Nullable(Tracking)),
});
export const PaymentStatusChange = Input({
  ...oneStatus,
  status: Type.Optional(Known(PAYMENT_STATUSES, Text(40, { examples: ['PAID'] }))),
  paymentStatus: Type.Optional(Known(PAYMENT_STATUSES, Text(40, { examples: ['PAID'] }))),
});
export type StatusChange = Static<typeof StatusChange>;
export const OrderStatusItem = Input({ orderId: Id, ...StatusChange.properties });
export type OrderStatusItem = Static<typeof OrderStatusItem>;
export const OrderStatusInputs = Bulk(OrderStatusItem);
export const OrderStatusResults = BulkResults(Order);
