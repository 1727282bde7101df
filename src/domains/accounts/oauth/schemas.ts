import Type, { type Static } from 'typebox';
import { BusinessId } from '../../../shared/schemas.ts';
import { Link, Provider } from '../schemas.ts';

export const LoginUrlQuery = Type.Object({
  provider: Provider(['OAUTH_IDP', 'SSO']),
  businessId: Type.Optional({ ...BusinessId, description: 'For `SSO`: the ID of the business to log in to.' }),
  originUrl: Link,
  redirectUrl: Type.Optional(Link),
});
export type LoginUrlQuery = Static<typeof LoginUrlQuery>;

export const LoginUrl = Type.Object({ url: Type.String({ examples: ['https://idp.example/auth?client_id=…'] }) });
export type LoginUrl = Static<typeof LoginUrl>;
