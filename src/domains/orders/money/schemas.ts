import Type, { type Static } from 'typebox';
import { Id, Input, MoneyMinor, Nullable, OneOf, Text, Timestamp } from '../../../shared/schemas.ts';

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
export const Disputes = Type.Optional(Type.Array(OrderDispute, { maxItems: 100, description: 'For members only.' }));

export const RefundInput = Input({
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, examples: [1000] })),
  reason: Type.Optional(Type.String({ maxLength: 500, examples: ['Returned unworn'] })),
});
export type RefundInput = Static<typeof RefundInput>;

export const Refund = Type.Object({
  id: Id,
  amount: Type.Integer({ examples: [1000] }),
  reason: Nullable(Type.String({ examples: ['Returned unworn'] })),
  status: OneOf(['PENDING', 'SUCCEEDED', 'FAILED']),
  userId: Type.Optional(
    Type.String({
      ...Id,
      description:
        'The member who requested it. Missing if the refund was made by the system or the payment provider. For members only.',
    }),
  ),
  createdAt: Timestamp,
});
export type Refund = Static<typeof Refund>;
