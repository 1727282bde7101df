import Type, { type Static } from 'typebox';
import { Id, Input, MoneyMinor, Nullable, OneOf, Quantity, Text, Timestamp } from '../../../shared/schemas.ts';
import { LineId } from '../../pricing/index.ts';

export const OrderDispute = Input(
  {
    id: Text(255, { examples: ['dp_1MtJUT2eZvKYlo2CNaw2HvEv'] }),
    amount: MoneyMinor,
    reason: Nullable(Type.String({ maxLength: 255, examples: ['fraudulent'] })),
    status: OneOf(['OPEN', 'WON', 'LOST']),
    timestamp: Timestamp,
  },
  { description: 'A payment that the customer disputed with their bank.' },
);
export type OrderDispute = Static<typeof OrderDispute>;
export const Disputes = Type.Optional(
  Type.Array(OrderDispute, { maxItems: 100, description: 'Requires `ORDER_READ` or `ORDER_WRITE`.' }),
);

/** The lines of an order that staff created. */
export const MAX_REFUND_LINES = 500;

const RefundLineInput = Input({
  lineId: LineId,
  quantity: Quantity,
  restock: Type.Optional(Type.Boolean({ description: 'Whether to restock the items. Defaults to false.' })),
});
export type RefundLineInput = Static<typeof RefundLineInput>;

export const RefundInput = Input({
  amount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000_000,
      description:
        'The total amount to refund. Defaults to the value of `lines` and `shipping` or, if both are omitted, to the remaining amount.',
      examples: [1000],
    }),
  ),
  lines: Type.Optional(
    Type.Array(RefundLineInput, {
      minItems: 1,
      maxItems: MAX_REFUND_LINES,
      description:
        'The items to refund. Unshipped items are refunded first and are no longer shipped. Without `lines`, the amount ' +
        'is distributed across all remaining items and shipping.',
    }),
  ),
  shipping: Type.Optional(
    Type.Integer({ ...MoneyMinor, description: 'The shipping amount to refund, including tax.', examples: [490] }),
  ),
  reason: Type.Optional(Type.String({ maxLength: 500, examples: ['Returned unworn'] })),
});
export type RefundInput = Static<typeof RefundInput>;

const refunded = {
  amount: Type.Integer({ description: 'The refunded amount, including tax.', examples: [1000] }),
  tax: Type.Integer({ description: 'The tax in `amount`.', examples: [160] }),
};
export const RefundedLine = Type.Object({
  lineId: LineId,
  quantity: Type.Integer({ description: '0 if only money was refunded.', examples: [1] }),
  restock: Type.Boolean({ description: 'Whether the items were returned to stock.' }),
  unshipped: Type.Optional(
    Type.Integer({
      description: 'How many of the items had not been shipped. Omitted if all were shipped.',
      examples: [1],
    }),
  ),
  ...refunded,
});
export const RefundParts = Type.Object(
  { lines: Type.Array(RefundedLine), shipping: Type.Object(refunded) },
  { description: 'What the refund is for.' },
);
/** `returned`: how many of the unshipped items had returned to stock with the cancellation of the order. */
export const StoredParts = Input({
  lines: Type.Array(Input({ ...RefundedLine.properties, returned: Type.Optional(Type.Integer()) }), {
    maxItems: MAX_REFUND_LINES,
  }),
  shipping: Input(refunded),
});
export type RefundParts = Static<typeof StoredParts>;

export const Exchange = Input(
  {
    orderId: Type.String({ ...Id, description: 'The order whose items were returned.' }),
    returnId: Type.String({ ...Id, examples: ['ret_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
    credit: Type.Integer({ ...MoneyMinor, description: 'The value of the returned items, applied to this order.' }),
    refund: Type.Optional(
      Type.Integer({ ...MoneyMinor, description: 'The refunded difference, if the new items cost less.' }),
    ),
  },
  { description: 'Set if the order contains the replacement items of an exchange.' },
);

export const Refundable = Type.Object(
  {
    amount: Type.Integer({ description: 'The paid amount that can still be refunded.', examples: [5490] }),
    shipping: Type.Integer({ description: 'The part that was paid for shipping.', examples: [490] }),
    lines: Type.Array(
      Type.Object({
        lineId: LineId,
        quantity: Type.Integer({ description: 'Items that were neither refunded nor returned.', examples: [1] }),
        amount: Type.Integer({ description: 'The amount paid for these items, including tax.', examples: [5000] }),
      }),
    ),
  },
  { description: 'The amounts and items that can still be refunded. Requires `ORDER_READ` or `ORDER_WRITE`.' },
);
export type Refundable = Static<typeof Refundable>;

export const Refund = Type.Object({
  id: Id,
  amount: Type.Integer({ examples: [1000] }),
  reason: Nullable(Type.String({ examples: ['Returned unworn'] })),
  status: OneOf(['PENDING', 'SUCCEEDED', 'FAILED']),
  parts: Nullable({
    ...RefundParts,
    description: 'What the refund is for. Null for refunds made before this field was introduced.',
  }),
  userId: Type.Optional(
    Type.String({
      ...Id,
      description:
        'The member who requested it. Omitted if the refund was made by the system or the payment provider. Requires `ORDER_READ` or `ORDER_WRITE`.',
    }),
  ),
  createdAt: Timestamp,
});
export type Refund = Static<typeof Refund>;
