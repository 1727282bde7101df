import Type, { type Static } from 'typebox';
import { BusinessId, ChosenId, Email, Id, Input, Nullable, Text, Timestamp } from '../../shared/schemas.ts';

/** One line: what people call themselves never breaks into a mail header or a log. */
const PersonName = Type.String({ maxLength: 200, pattern: '^[^\\x00-\\x1f\\x7f]*$', examples: ['Ada Lovelace'] });
const Password = Type.String({ maxLength: 1000, examples: ['correct-horse-7'] });
const MailToken = Text(2000, { description: 'From the mail.' });
const Link = Type.String({ maxLength: 2000, examples: ['https://shop.example'] });
const Phone = Type.String({ maxLength: 40, description: 'E.164.', examples: ['+4915112345678'] });
const Provider = (example: string) => Type.String({ maxLength: 64, examples: [example] });

const AddressLine = (example: string) => Type.Optional(Type.String({ maxLength: 200, examples: [example] }));
const addressFields = {
  street: AddressLine('Main Street 1'),
  city: AddressLine('Springfield'),
  state: AddressLine('IL'),
  zip: AddressLine('62701'),
  country: AddressLine('US'),
};
export const Address = Type.Object(addressFields);
export type Address = Static<typeof Address>;

export const ApiToken = Type.Object({
  id: Id,
  name: Type.String({ examples: ['CI'] }),
  value: Type.String({ description: 'Masked.', examples: ['****k3y9'] }),
  provider: Type.String({ examples: ['API'] }),
  expiresAt: Type.Optional(Timestamp),
  lastUsedAt: Type.Optional(Timestamp),
});

export const ApiTokenInput = Input({
  id: Type.Optional(ChosenId),
  name: Type.Optional(Type.String({ maxLength: 200, examples: ['CI'] })),
  value: Type.Optional(
    Type.String({
      maxLength: 256,
      description: '12 to 256 visible characters. The masked value keeps the key.',
      examples: ['a-long-random-k3y9'],
    }),
  ),
  provider: Type.Optional(Type.Literal('API')),
  expiresAt: Type.Optional(Nullable(Timestamp)),
});
export type ApiTokenInput = Static<typeof ApiTokenInput>;

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
      permissions: Type.Array(Type.String({ examples: ['ADMIN'] })),
    }),
  ),
  apiTokens: Type.Array(ApiToken),
  businessUserConfigs: Type.Array(
    Type.Object({ businessId: BusinessId, settings: Type.Object({}, { additionalProperties: true }) }),
  ),
  lifecycle: Type.Object({ lastLoginAt: Type.Optional(Timestamp), onboardingCompleted: Type.Boolean() }),
});
export type User = Static<typeof User>;

export const AuthResult = Type.Object({
  userId: Id,
  provider: Provider('EMAIL'),
  accessToken: Type.String(),
  refreshToken: Type.String(),
  tokenType: Type.String({ examples: ['Bearer'] }),
  expiresAt: Timestamp,
  scope: Type.String({ examples: ['user'] }),
  isGuest: Type.Boolean(),
});
export type AuthResult = Static<typeof AuthResult>;

export const RegisterInput = Input({
  provider: Type.Optional(Provider('EMAIL_REGISTER')),
  email: Email,
  password: Type.Optional(Password),
  reserveDomain: Type.Optional(Link),
  name: Type.Optional(PersonName),
  firstName: Type.Optional(PersonName),
  lastName: Type.Optional(PersonName),
});
export type RegisterInput = Static<typeof RegisterInput>;

export const ConfirmInput = Input({ token: MailToken });

const loginFields = {
  provider: Provider('EMAIL'),
  email: Type.Optional(Email),
  password: Type.Optional(Password),
  code: Type.Optional(Text(4000, { description: "From the identity provider's redirect." })),
  state: Type.Optional(Text(200, { description: "From the identity provider's redirect, beside `code`." })),
  originUrl: Type.Optional(Link),
  phoneNumber: Type.Optional(Nullable(Phone)),
};
export const LoginInput = Input(loginFields, { examples: [{ provider: 'GUEST' }] });
export type LoginInput = Static<typeof LoginInput>;

export const LoginUrlQuery = Type.Object({
  provider: Provider('OAUTH_IDP'),
  originUrl: Link,
  redirectUrl: Type.Optional(Link),
});
export type LoginUrlQuery = Static<typeof LoginUrlQuery>;

export const RefreshInput = Input({ provider: Type.Optional(Provider('EMAIL')), refreshToken: Text(5000) });
export type RefreshInput = Static<typeof RefreshInput>;

export const LogoutInput = Input({
  provider: Type.Optional(Provider('EMAIL')),
  token: Type.Optional(Text(5000, { description: 'An access or refresh token; without it, the presented one.' })),
  originUrl: Type.Optional(Link),
});
export type LogoutInput = Static<typeof LogoutInput>;

export const UserChange = Input({
  name: Type.Optional(PersonName),
  phoneNumbers: Type.Optional(Type.Array(Phone, { maxItems: 20 })),
  addresses: Type.Optional(Type.Array(Input(addressFields), { maxItems: 50 })),
  apiTokens: Type.Optional(Type.Array(ApiTokenInput, { maxItems: 50 })),
});
export type UserChange = Static<typeof UserChange>;

export const PhoneInput = Input({ phoneNumber: Phone });
export const PhoneConfirmInput = Input({
  phoneNumber: Phone,
  code: Type.String({ maxLength: 20, examples: ['123456'] }),
});

export const ForgotInput = Input({ email: Email, reserveDomain: Type.Optional(Link) });
export const ResetForgottenInput = Input({ token: MailToken, password: Type.Optional(Password) });
export const ResetInput = Input({ oldPassword: Type.Optional(Password), newPassword: Type.Optional(Password) });

export const SearchQuery = Type.Object({
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name or e-mail.' })),
  businessId: Type.Optional(BusinessId),
  roleIds: Type.Optional(Type.Array(Id, { maxItems: 100 })),
});

export const SetRoleInput = Input({ userId: Id, roleId: Nullable(Id), businessId: BusinessId });
export type SetRoleInput = Static<typeof SetRoleInput>;

export const Session = Type.Object({
  id: Id,
  provider: Provider('EMAIL'),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  current: Type.Boolean({ description: 'The session of this call.' }),
});
