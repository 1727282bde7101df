import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import { Currency, Id, MoneyMinor, Nullable, OneOf, Timestamp } from '../../../shared/schemas.ts';
import { PAYMENT_STATUSES } from '../schemas.ts';

export const AbandonedQuery = Type.Object({
  ...PageQuery.properties,
  createdFrom: Type.Optional(Timestamp),
  createdTo: Type.Optional(Timestamp),
});
export type AbandonedQuery = Static<typeof AbandonedQuery>;

export const AbandonedCheckout = Type.Object({
  orderId: Id,
  number: Type.Integer({ examples: [42] }),
  customerId: Id,
  email: Nullable(Type.String({ examples: ['ada@example.com'] })),
  name: Nullable(Type.String({ description: "The customer's name, from the address.", examples: ['Ada Lovelace'] })),
  items: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['Linen shirt'] }),
      variantName: Type.String({ examples: ['Medium, white'] }),
      quantity: Type.Integer({ examples: [2] }),
    }),
  ),
  total: MoneyMinor,
  currency: Currency,
  paymentStatus: OneOf(PAYMENT_STATUSES),
  createdAt: Timestamp,
  abandonedAt: Timestamp,
  reason: OneOf(['EXPIRED', 'CANCELED'], {
    description: '`EXPIRED`: not paid in time. `CANCELED`: the customer canceled on the payment page.',
  }),
  boughtLater: Nullable(
    Type.Object(
      { orderId: Id, number: Type.Integer({ examples: [43] }) },
      {
        description: 'The first paid order that was placed later by the same customer or with the same email address.',
      },
    ),
  ),
});
export type AbandonedCheckout = Static<typeof AbandonedCheckout>;
