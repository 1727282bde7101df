import Type, { type Static } from 'typebox';
import { ChosenId, Id, Input, Known, Nullable, Timestamp } from '../../../shared/schemas.ts';

export const ApiToken = Type.Object({
  id: Id,
  name: Type.String({ examples: ['CI'] }),
  value: Type.String({
    description: 'The masked value. A generated value is returned in full once, when the key is created.',
    examples: ['****k3y9'],
  }),
  provider: Known(['API'], Type.String({ examples: ['API'] })),
  expiresAt: Type.Optional(Timestamp),
  lastUsedAt: Type.Optional(Timestamp),
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
  expiresAt: Type.Optional(Nullable(Timestamp)),
});
export type ApiTokenInput = Static<typeof ApiTokenInput>;
