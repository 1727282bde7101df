import Type, { type Static } from 'typebox';
import { BusinessId, Id, Input, Name, Timestamp } from '../../../shared/schemas.ts';

const Origins = Type.Array(Type.String({ minLength: 1, maxLength: 300, examples: ['https://shop.example'] }), {
  minItems: 1,
  maxItems: 20,
  description: 'The origins of the pages that use the key: scheme, host and port, without a path.',
});

export const PublishableKeyInput = Input({ name: Name('Online store'), origins: Origins });
export type PublishableKeyInput = Static<typeof PublishableKeyInput>;

export const PublishableKeyChange = Type.Partial(PublishableKeyInput, { additionalProperties: false });
export type PublishableKeyChange = Static<typeof PublishableKeyChange>;

export const PublishableKey = Type.Object({
  id: Id,
  businessId: BusinessId,
  name: Name('Online store'),
  value: Type.String({
    description: 'Not a secret: it only lets guests log in from its origins.',
    examples: ['pk_biz_demo_3f2a9c1b7d5e4f6081a2b3c4'],
  }),
  origins: Origins,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type PublishableKey = Static<typeof PublishableKey>;
