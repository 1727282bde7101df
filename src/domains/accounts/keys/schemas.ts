import Type, { type Static } from 'typebox';
import { BusinessId, ChosenId, Id, Input, Known, Nullable, OneOf, Timestamp } from '../../../shared/schemas.ts';
import { PERMISSIONS } from '../../../shared/security/caller.ts';

export const Scopes = Input(
  {
    businesses: Type.Array(BusinessId, { minItems: 1, maxItems: 100, uniqueItems: true }),
    permissions: Type.Array(OneOf(PERMISSIONS), { minItems: 1, maxItems: PERMISSIONS.length, uniqueItems: true }),
  },
  {
    description:
      "Limits the key to these businesses and permissions. It never has more permissions than its owner. A scoped API key can't create keys, change roles or members, or change the account of its owner.",
  },
);
export type Scopes = Static<typeof Scopes>;

const Networks = Type.Array(Type.String({ maxLength: 50, examples: ['203.0.113.0/24'] }), {
  minItems: 1,
  maxItems: 50,
  description: 'IP addresses and networks (CIDR) from which the key works.',
});

export const ApiToken = Type.Object({
  id: Id,
  name: Type.String({ examples: ['CI'] }),
  value: Type.String({
    description: 'The masked value. A generated value is returned in full once, when the key is created.',
    examples: ['****k3y9'],
  }),
  provider: Known(['API'], Type.String({ examples: ['API'] })),
  status: Type.Optional(
    Known(
      ['UNCONFIRMED'],
      Type.String({
        description:
          'Set if the key was created before its owner added a second factor, or before a business turned on a security policy. Requests with it fail until the owner confirms it.',
        examples: ['UNCONFIRMED'],
      }),
    ),
  ),
  unconfirmedIn: Type.Optional(
    Type.Array(BusinessId, {
      description:
        "The businesses where the key doesn't work until it is confirmed. Absent if it doesn't work anywhere.",
    }),
  ),
  expiresAt: Type.Optional(Timestamp),
  lastUsedAt: Type.Optional(Timestamp),
  scopes: Type.Optional(Scopes),
  networks: Type.Optional(Networks),
});
export type ApiToken = Static<typeof ApiToken>;

export const ApiTokenInput = Input({
  id: Type.Optional(ChosenId),
  name: Type.Optional(Type.String({ maxLength: 200, examples: ['CI'] })),
  value: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        '12 to 256 printable ASCII characters without spaces, at least 8 of them different. Send the masked value to keep an existing key. Omit it to generate a value, which is returned in full only in this response.',
      examples: ['a-long-random-k3y9'],
    }),
  ),
  provider: Type.Optional(Type.Literal('API')),
  confirmed: Type.Optional(
    Type.Boolean({
      description:
        'Send `true` to confirm a key whose `status` is `UNCONFIRMED`. Requires step-up authentication. In a business that enforces single sign-on for you, a key can be confirmed only in a session from its single sign-on.',
    }),
  ),
  expiresAt: Type.Optional(Nullable(Timestamp)),
  scopes: Type.Optional(Nullable(Scopes)),
  networks: Type.Optional(Nullable(Networks)),
});
export type ApiTokenInput = Static<typeof ApiTokenInput>;
