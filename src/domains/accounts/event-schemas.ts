import Type from 'typebox';
import { BusinessId, Id, Nullable } from '../../shared/schemas.ts';
import { Passkey } from './factors/schemas.ts';
import { PublishableKey } from './keys/publishable-schemas.ts';
import { ApiToken } from './keys/schemas.ts';
import { ScimUser } from './scim/schemas.ts';
import { Session } from './sessions/schemas.ts';
import { Sso } from './sso/schemas.ts';
import { SupportSession } from './support/schemas.ts';

const { active } = ScimUser.properties;
export const SavedScimUser = Type.Object({ userId: Id, active, externalId: Nullable(Type.String()) });
export const DeletedScimUser = Type.Object({ userId: Id, active });
const groupId = Type.String({ ...Id, description: 'The ID of the group.' });
export const DeletedScimGroup = Type.Object({ id: groupId });
export const SavedScimGroup = Type.Object({
  id: groupId,
  name: Type.String({ examples: ['shop-staff'] }),
  members: Type.Array(Id, { description: 'The user IDs of the members.' }),
});

const { userId, supportBy, expiresAt } = SupportSession.properties;
const support = { sessionId: Id, userId, supportBy };
export const StartedSupport = Type.Object({ ...support, expiresAt });
export const EndedSupport = Type.Object(support);

/** The data of each event type. */
export const accountBusinessEvents = {
  'publishable_key.created': PublishableKey,
  'publishable_key.updated': PublishableKey,
  'publishable_key.deleted': PublishableKey,
  'sso.updated': Sso,
  'sso.deleted': Sso,
  'scim.user_saved': SavedScimUser,
  'scim.user_deleted': DeletedScimUser,
  'scim.group_saved': SavedScimGroup,
  'scim.group_deleted': DeletedScimGroup,
  'support.started': StartedSupport,
  'support.ended': EndedSupport,
};

const None = Type.Object({});
const Method = Type.String({ description: 'The factor: `PASSWORD` or a second factor.', examples: ['TOTP'] });
const { provider, device } = Session.properties;

/** The data of each type of account event. */
export const accountEvents = {
  'user.registered': Type.Object({ email: Type.String({ examples: ['ada@example.com'] }) }),
  'user.login': Type.Object({ sessionId: Id, provider, device }),
  'user.login_failed': Type.Object({ method: Type.Optional(Method) }),
  'user.second_factor_requested': Type.Object({ provider }),
  'user.stepped_up': Type.Object({ method: Method }),
  'user.factor_added': Type.Object({
    method: Method,
    passkeyId: Type.Optional(Id),
    name: Type.Optional(Passkey.properties.name),
  }),
  'user.factor_removed': Type.Object({ method: Method, passkeyId: Type.Optional(Id) }),
  'user.factors_reset': None,
  'user.recovery_codes_created': None,
  'user.recovery_code_used': Type.Object({ left: Type.Integer({ examples: [9] }) }),
  'user.updated': Type.Object({ changed: Type.Array(Type.String({ examples: ['name'] })) }),
  'user.password_changed': None,
  'user.key_created': Type.Object({ keyId: Id, name: ApiToken.properties.name }),
  'user.key_confirmed': Type.Object({ keyId: Id }),
  'user.key_revoked': Type.Object({ keyId: Id }),
  'user.session_ended': Type.Object({ sessionId: Id }),
  'user.role_changed': Type.Object({
    businessId: BusinessId,
    roleId: Type.Optional(Nullable(Id)),
    roleIds: Type.Optional(Type.Array(Id)),
  }),
  'user.support_started': Type.Object({ sessionId: Id, businessId: BusinessId }),
  'user.deleted': None,
};
