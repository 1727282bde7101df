import Type, { type Static } from 'typebox';
import { ChosenId, Id, Input, Nullable, Timestamp } from '../../../shared/schemas.ts';

export const ApiToken = Type.Object({
  id: Id,
  name: Type.String({ examples: ['CI'] }),
  value: Type.String({ description: 'Masked, except once for one that the service has made.', examples: ['****k3y9'] }),
  provider: Type.String({ examples: ['API'] }),
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
        '12 to 256 visible characters, 8 of them different. The masked value keeps the key; left out, the service makes one and shows it this once.',
      examples: ['a-long-random-k3y9'],
    }),
  ),
  provider: Type.Optional(Type.Literal('API')),
  expiresAt: Type.Optional(Nullable(Timestamp)),
});
export type ApiTokenInput = Static<typeof ApiTokenInput>;
