import Type, { type Static } from 'typebox';
import { CountedPageQuery } from '../../../shared/paging.ts';
import {
  Address,
  BusinessId,
  Email,
  Etag,
  Id,
  Input,
  Line,
  Nullable,
  PartialAddress,
  Timestamp,
} from '../../../shared/schemas.ts';

const Phone = Type.String({ minLength: 3, maxLength: 40, pattern: '^[+0-9 ()./-]+$', examples: ['+4915112345678'] });
const Tag = Line(50, { minLength: 1, examples: ['regular'] });
const Note = Type.String({ maxLength: 5000, examples: ['Prefers to be called in the evening.'] });
const Consent = { source: Line(200, { minLength: 1, examples: ['Trade show 2025'] }), at: Timestamp };

const fields = {
  email: Type.Optional(Nullable(Email)),
  name: Type.Optional(Line(200, { examples: ['Ada Lovelace'] })),
  phone: Type.Optional(Nullable(Phone)),
  addresses: Type.Optional(Type.Array(PartialAddress, { maxItems: 20 })),
  shippingAddress: Type.Optional(Nullable(PartialAddress)),
  billingAddress: Type.Optional(Nullable(PartialAddress)),
  tags: Type.Optional(Type.Array(Tag, { maxItems: 50 })),
  note: Type.Optional(Note),
  consent: Type.Optional(
    Nullable(Input(Consent, { description: 'Consent to receive email: where and when it was given.' })),
  ),
};

export const CustomerInput = Input(fields);
export type CustomerInput = Static<typeof CustomerInput>;

export const Customer = Type.Object({
  id: Id,
  businessId: BusinessId,
  userId: Nullable(
    Type.String({
      description:
        'The user ID of the customer. Null until the customer interacts with the business, for example by ordering or subscribing.',
    }),
  ),
  hasAccount: Type.Boolean({ description: 'Whether the customer has an account. False for guests.' }),
  email: Nullable(Type.String({ examples: ['ada@example.com'] })),
  name: Type.String({ examples: ['Ada Lovelace'] }),
  phone: Nullable(Type.String({ examples: ['+4915112345678'] })),
  addresses: Type.Array(Address),
  shippingAddress: Nullable(Address),
  billingAddress: Nullable(Address),
  tags: Type.Array(Type.String({ examples: ['regular'] })),
  note: Type.String(),
  consent: Nullable(Type.Object(Consent)),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Customer = Static<typeof Customer>;

export const ListedCustomer = Type.Object({ ...Customer.properties, etag: Etag });
export type ListedCustomer = Static<typeof ListedCustomer>;

export const CustomerQuery = Type.Object({
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name, email or phone number.' })),
  tags: Type.Optional(Type.Array(Tag, { maxItems: 50, description: 'Returns only customers with all of these tags.' })),
  userId: Type.Optional(Id),
  ...CountedPageQuery.properties,
});
export type CustomerQuery = Static<typeof CustomerQuery>;
