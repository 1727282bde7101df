import Type, { type Static } from 'typebox';
import { Input, Nullable, OneOf } from '../../../shared/schemas.ts';

const MAIL_KINDS = ['RECEIVED', 'PAID', 'SHIPPED', 'CANCELLED', 'REFUNDED'] as const;

/** Emails about a return. */
const RETURN_MAIL_KINDS = [
  'RETURN_REQUESTED',
  'RETURN_APPROVED',
  'RETURN_REJECTED',
  'RETURN_RECEIVED',
  'WITHDRAWAL_RECEIVED',
] as const;
export const ALL_MAIL_KINDS = [...MAIL_KINDS, ...RETURN_MAIL_KINDS] as const;

export const Kind = (options: object = {}) => OneOf(MAIL_KINDS, { examples: ['SHIPPED'], ...options });

export const ResendInput = Input({
  kind: Type.Optional(
    Nullable(Kind({ description: 'The email to resend. Defaults to the latest email that applies to the order.' })),
  ),
});
export type ResendInput = Static<typeof ResendInput>;

export const Resent = Type.Object(
  {
    success: Type.Boolean(),
    kind: Kind(),
    email: Type.String({ examples: ['ada@example.com'] }),
  },
  { description: 'The email that was sent' },
);
export type Resent = Static<typeof Resent>;
