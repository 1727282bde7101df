import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import { Address, BusinessId, Id, Input, Known, Nullable, PartialAddress, Timestamp } from '../../../shared/schemas.ts';
import { PERMISSIONS, SECOND_FACTORS } from '../../../shared/security/caller.ts';
import { ApiToken, ApiTokenInput } from '../keys/schemas.ts';
import { PersonName, Phone } from '../schemas.ts';

/** The limits of the current API key or session. */
const CallerLimits = Type.Object(
  { kind: Known(['KEY', 'SSO', 'SUPPORT'], Type.String({ examples: ['SSO'] })), businessIds: Type.Array(BusinessId) },
  {
    description:
      'Set if this request is limited to certain businesses, because it uses a scoped API key, single sign-on or a support session.',
  },
);

export const User = Type.Object({
  id: Id,
  name: Type.String({ examples: ['Ada Lovelace'] }),
  email: Type.Optional(Type.String({ examples: ['ada@example.com'] })),
  isConfirmed: Type.Boolean(),
  phoneNumbers: Type.Array(Type.String({ examples: ['+4915112345678'] })),
  addresses: Type.Array(Address),
  roleIds: Type.Array(Id),
  roles: Type.Array(
    Type.Object({
      id: Id,
      businessId: BusinessId,
      name: Type.String({ examples: ['ADMIN'] }),
      permissions: Type.Array(Known(PERMISSIONS, Type.String({ examples: ['ADMIN'] }))),
    }),
  ),
  pendingRoleIds: Type.Optional(
    Type.Array(Id, {
      description:
        'The roles that you have not accepted: an `ADMIN` assigned them, and you have not acted in the business since. Accept them or leave the business.',
    }),
  ),
  apiTokens: Type.Array(ApiToken),
  businessUserConfigs: Type.Array(
    Type.Object({ businessId: BusinessId, settings: Type.Object({}, { additionalProperties: true }) }),
  ),
  lifecycle: Type.Object({ lastLoginAt: Type.Optional(Timestamp), onboardingCompleted: Type.Boolean() }),
  secondFactor: Type.Optional(
    Type.Object({
      methods: Type.Array(Known(SECOND_FACTORS, Type.String({ examples: ['PASSKEY'] }))),
      requiredBy: Type.Array(Type.Object({ businessId: BusinessId, from: Timestamp }), {
        description:
          "Businesses that require a second factor that you don't have, and when the requirement takes effect.",
      }),
    }),
  ),
  limits: Type.Optional(CallerLimits),
});
export type User = Static<typeof User>;

/** Client preferences that a user stores per business. */
const BusinessUserConfig = Input({
  businessId: BusinessId,
  settings: Type.Object({}, { additionalProperties: true, description: 'Any JSON object of at most 16 KiB.' }),
});
/** A business sees only the ID and roles of a user who has not interacted with it yet. */
export const SeenUser = Type.Object({
  ...Type.Partial(User).properties,
  id: User.properties.id,
  roleIds: User.properties.roleIds,
  roles: User.properties.roles,
});
export type SeenUser = Static<typeof SeenUser>;

export const UserChange = Input({
  name: Type.Optional(PersonName),
  phoneNumbers: Type.Optional(Type.Array(Phone, { maxItems: 20 })),
  addresses: Type.Optional(Type.Array(PartialAddress, { maxItems: 50 })),
  apiTokens: Type.Optional(Type.Array(ApiTokenInput, { maxItems: 50 })),
  businessUserConfigs: Type.Optional(Type.Array(BusinessUserConfig, { maxItems: 20 })),
  lifecycle: Type.Optional(Input({ onboardingCompleted: Type.Optional(Type.Boolean()) })),
});
export type UserChange = Static<typeof UserChange>;

export const SearchQuery = Type.Object({
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name or email.' })),
  businessId: Type.Optional(BusinessId),
  roleIds: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  ...PageQuery.properties,
});
export type SearchQuery = Static<typeof SearchQuery>;

export const SetRoleInput = Input({
  userId: Id,
  roleId: Type.Optional(Nullable(Id)),
  roleIds: Type.Optional(
    Type.Array(Id, { maxItems: 100, description: "Replaces the user's roles with these. Ignored if `roleId` is set." }),
  ),
  businessId: Type.Optional(BusinessId),
});
export type SetRoleInput = Static<typeof SetRoleInput>;
