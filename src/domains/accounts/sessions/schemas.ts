import Type, { type Static } from 'typebox';
import { BusinessId, Email, Id, Input, Nullable, Text, Timestamp } from '../../../shared/schemas.ts';
import { InvitationToken, Link, Password, Phone, Provider, UsedProvider } from '../schemas.ts';

export const AuthResult = Type.Object(
  {
    userId: Id,
    provider: UsedProvider,
    accessToken: Type.String(),
    refreshToken: Type.String(),
    tokenType: Type.String({ examples: ['Bearer'] }),
    expiresAt: Timestamp,
    scope: Type.String({ examples: ['user'] }),
    isGuest: Type.Boolean(),
    businessId: Type.Optional({ ...BusinessId, description: 'The business that the publishable key belongs to.' }),
  },
  { description: 'The tokens of the session' },
);
export type AuthResult = Static<typeof AuthResult>;

const loginFields = {
  provider: Provider(),
  email: Type.Optional(Email),
  password: Type.Optional(Password),
  code: Type.Optional(Text(4000, { description: "The `code` parameter of the identity provider's redirect." })),
  state: Type.Optional(Text(200, { description: "The `state` parameter of the identity provider's redirect." })),
  originUrl: Type.Optional(Link),
  phoneNumber: Type.Optional(Nullable(Phone)),
  invitationToken: Type.Optional(InvitationToken),
};
export const LoginInput = Input(loginFields, { examples: [{ provider: 'GUEST' }] });
export type LoginInput = Static<typeof LoginInput>;

export const RefreshInput = Input({ provider: Type.Optional(Provider()), refreshToken: Text(5000) });
export type RefreshInput = Static<typeof RefreshInput>;

export const LogoutInput = Input({
  provider: Type.Optional(Provider()),
  token: Type.Optional(Text(5000, { description: 'An access or refresh token. Defaults to the token in the header.' })),
  originUrl: Type.Optional(Link),
});
export type LogoutInput = Static<typeof LogoutInput>;

export const Session = Type.Object({
  id: Id,
  provider: UsedProvider,
  device: Nullable(
    Type.String({
      description: 'The browser and operating system, or the name of another client, such as `curl`.',
      examples: ['Safari, iPhone'],
    }),
  ),
  address: Nullable(Type.String({ description: 'The IP address of the login.', examples: ['203.0.113.7'] })),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  current: Type.Boolean({ description: 'Whether this is the session of the current request.' }),
});
export type Session = Static<typeof Session>;

export const SessionParams = Type.Object({ id: Id });
