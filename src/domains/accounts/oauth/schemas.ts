import Type, { type Static } from 'typebox';
import { Link, Provider } from '../schemas.ts';

export const LoginUrlQuery = Type.Object({
  provider: Provider(['OAUTH_IDP']),
  originUrl: Link,
  redirectUrl: Type.Optional(Link),
});
export type LoginUrlQuery = Static<typeof LoginUrlQuery>;

export const LoginUrl = Type.Object({ url: Type.String({ examples: ['https://idp.example/auth?client_id=…'] }) });
export type LoginUrl = Static<typeof LoginUrl>;
