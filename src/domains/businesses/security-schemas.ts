import Type, { type Static } from 'typebox';
import { Input, MoneyMinor, Timestamp } from '../../shared/schemas.ts';

const fields = {
  requireSecondFactor: Type.Optional(
    Type.Boolean({
      description:
        'Whether members need a passkey or an authenticator app. Without one, they have no permissions in this business after the grace period.',
    }),
  ),
  gracePeriodDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 90,
      description:
        'The number of days members have to set up a second factor after the requirement is turned on. Defaults to 0.',
      examples: [7],
    }),
  ),
  stepUp: Type.Optional(
    Type.Boolean({
      description:
        'Whether refunds, exports, erasures, the deletion of the business, and changes to API keys, roles, invitations, single sign-on, payment settings and security settings require step-up authentication in sessions. Defaults to true if `stepUpAbove` is set.',
    }),
  ),
  stepUpAbove: Type.Optional({
    ...MoneyMinor,
    description: 'The maximum total refund per order without step-up authentication, in minor units.',
  }),
};

export const SecurityInput = Input(fields, { description: 'Only an `ADMIN` can change it.' });
export type SecurityInput = Static<typeof SecurityInput>;

export const Security = Input(
  {
    ...fields,
    enforcedFrom: Type.Optional({ ...Timestamp, description: 'When the requirement takes effect. Read-only.' }),
  },
  { description: 'Visible to members only.' },
);
export type Security = Static<typeof Security>;
