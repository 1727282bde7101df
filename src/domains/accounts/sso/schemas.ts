import Type, { type Static } from 'typebox';
import { BusinessId, Id, Input, Nullable, Text, Timestamp } from '../../../shared/schemas.ts';

const Issuer = Text(500, {
  description: 'The issuer URL of the OpenID Connect provider.',
  examples: ['https://login.acme.example'],
});
const ClientId = Text(500, { examples: ['souk'] });
const Domain = Type.String({
  maxLength: 253,
  pattern: '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$',
  examples: ['acme.example'],
});
const RoleClaim = Text(200, {
  description:
    'The claim in the ID token or userinfo response that is mapped to roles: a string or an array of strings.',
  examples: ['groups'],
});
const RoleMapping = Input({
  value: Text(200, { description: 'A value of the claim, or the name of a SCIM group.', examples: ['shop-staff'] }),
  roleId: Id,
});

export const SsoInput = Input({
  issuer: Type.Optional(Issuer),
  clientId: Type.Optional(ClientId),
  clientSecret: Type.Optional(
    Nullable(Text(1000, { description: 'Stored encrypted. Omit it, or send the masked value, to keep it.' })),
  ),
  domains: Type.Optional(
    Type.Array(Type.Union([Domain, Input({ domain: Domain })]), {
      maxItems: 20,
      description: 'Each domain is a string, or an object with `domain` as in responses.',
    }),
  ),
  roleClaim: Type.Optional(RoleClaim),
  roleMappings: Type.Optional(Type.Array(RoleMapping, { maxItems: 100 })),
  defaultRoleId: Type.Optional(
    Nullable({ ...Id, description: "The role assigned to people without a mapped value. If null, they can't log in." }),
  ),
  enforced: Type.Optional(
    Type.Boolean({
      description:
        'Whether members with an email address at a verified domain must use single sign-on to access this business. Only an ADMIN who is logged in with single sign-on can turn this on.',
    }),
  ),
});
export type SsoInput = Static<typeof SsoInput>;

export const SsoDomain = Type.Object({
  domain: Domain,
  recordName: Type.String({ description: 'The name of the TXT record.', examples: ['_souk.acme.example'] }),
  recordValue: Type.String({ description: 'The value of the TXT record.', examples: ['souk-verification=3f2a9c1b'] }),
  verifiedAt: Nullable(Timestamp),
});

export const Scim = Type.Object({
  url: Type.String({ examples: ['https://souk.example/scim/v2/biz_demo'] }),
  lastFour: Nullable(
    Type.String({ description: 'The last four characters of the token. Null if there is none.', examples: ['k3y9'] }),
  ),
  createdAt: Nullable(Timestamp),
});

export const Sso = Type.Object({
  businessId: BusinessId,
  issuer: Issuer,
  clientId: ClientId,
  clientSecret: Nullable(Type.String({ description: 'The masked secret.', examples: ['****k3y9'] })),
  redirectUrl: Type.String({
    description: 'The redirect URL to register with the provider.',
    examples: ['https://souk.example/admin/login/sso/biz_demo'],
  }),
  domains: Type.Array(SsoDomain),
  roleClaim: RoleClaim,
  roleMappings: Type.Array(RoleMapping),
  defaultRoleId: Nullable(Id),
  enforced: Type.Boolean(),
  scim: Scim,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Sso = Static<typeof Sso>;

export const ScimToken = Type.Object({
  token: Type.String({ description: 'Returned only in this response.', examples: ['scim_Zm9v…'] }),
});
export type ScimToken = Static<typeof ScimToken>;

export const SsoBusinesses = Type.Object({
  items: Type.Array(Type.Object({ businessId: BusinessId, name: Type.String({ examples: ['Acme'] }) })),
});
export type SsoBusinesses = Static<typeof SsoBusinesses>;
