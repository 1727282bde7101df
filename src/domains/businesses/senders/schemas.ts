import Type, { type Static } from 'typebox';
import { Email, Input, Nullable, OneOf, Timestamp } from '../../../shared/schemas.ts';
import { PURPOSES } from './dns-records.ts';

export const SenderInput = Input({
  address: Nullable({
    ...Email,
    description: 'The address to send emails from. Null removes it.',
    examples: ['hello@linen.example'],
  }),
});

export const SenderRecord = Type.Object({
  purpose: OneOf(PURPOSES, {
    description:
      '`OWNERSHIP` and `DKIM` are required before emails are sent from the address. `SPF` and `DMARC` are recommended.',
    examples: ['DKIM'],
  }),
  type: Type.Literal('TXT'),
  name: Type.String({ examples: ['souk4f2a9c._domainkey.linen.example'] }),
  value: Type.String({ description: 'The value to publish.', examples: ['v=DKIM1; k=rsa; p=MIIBIjANBg…'] }),
  state: OneOf(['OK', 'MISSING', 'WRONG', 'UNKNOWN'], {
    description: "`UNKNOWN` before the first check, or if the name servers didn't respond.",
    examples: ['MISSING'],
  }),
  found: Type.Array(Type.String({ examples: ['v=DKIM1; k=rsa; p=MIIBIjANBg…'] }), {
    description: 'The published values.',
  }),
});

export const Sender = Type.Object({
  address: Nullable({ ...Email, description: 'The sender address of the business. Null if not set.' }),
  domain: Nullable(Type.String({ examples: ['linen.example'] })),
  isVerified: Type.Boolean({ description: 'Whether emails are sent from the address of the business.' }),
  from: Type.String({
    description: 'The address that emails are currently sent from.',
    examples: ['hello@linen.example'],
  }),
  checkedAt: Nullable(Timestamp),
  records: Type.Array(SenderRecord),
});
export type Sender = Static<typeof Sender>;
