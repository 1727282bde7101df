import Type, { type Static } from 'typebox';
import { CountedPageQuery } from '../../../shared/paging.ts';
import { BusinessId, Email, Id, Input, Nullable, OneOf, Text, Timestamp } from '../../../shared/schemas.ts';
import { MAIL_PROVIDERS } from '../../businesses/index.ts';
import { SUPPRESSION_REASONS, type SuppressionRow } from './queries.ts';

const Reason = OneOf(SUPPRESSION_REASONS, { examples: ['COMPLAINT'] });

export const Suppression = Type.Object({
  id: Id,
  email: Type.String({ examples: ['ada@example.com'] }),
  reason: Reason,
  detail: Type.String({
    description: 'The message from the mail server or provider, or a note.',
    examples: ['550 5.1.1 No such user'],
  }),
  provider: Nullable(
    Type.String({
      description: 'The email provider that reported it. Null if a mail server or a member did.',
      examples: ['POSTMARK'],
    }),
  ),
  createdAt: Timestamp,
});
export type Suppression = Static<typeof Suppression>;

export const suppressionOf = ({ id, email, reason, detail, provider, createdAt }: SuppressionRow): Suppression => ({
  id,
  email,
  reason,
  detail,
  provider,
  createdAt,
});

export const SuppressionInput = Input({
  email: Email,
  reason: Type.Optional({ ...Reason, default: 'MANUAL' }),
  detail: Type.Optional(Text(500, { examples: ['Requested by phone'] })),
});
export type SuppressionInput = Static<typeof SuppressionInput>;

export const SuppressionQuery = Type.Object({
  ...CountedPageQuery.properties,
  email: Type.Optional(Type.String({ maxLength: 254, description: 'Part of an email address.' })),
  reason: Type.Optional(OneOf(SUPPRESSION_REASONS)),
});
export type SuppressionQuery = Static<typeof SuppressionQuery>;

export const SuppressionParams = Type.Object({
  businessId: BusinessId,
  id: Type.String({
    maxLength: 254,
    description: 'The ID of the suppression, or the email address.',
    examples: ['sup_01jd3x8q6kz5v0n4t7w2m9c1ab'],
  }),
});

export const MailEventParams = Type.Object({
  provider: OneOf(MAIL_PROVIDERS.map((name) => name.toLowerCase()) as Lowercase<(typeof MAIL_PROVIDERS)[number]>[], {
    examples: ['postmark'],
  }),
  businessId: BusinessId,
});
