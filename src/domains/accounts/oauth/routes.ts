import { stepsOf } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import type { AccountServices } from '../context.ts';
import { loginUrl } from './login-url.ts';
import { LoginUrl, LoginUrlQuery } from './schemas.ts';

export function oauthRoutes(app: App): void {
  app.get(
    '/v1/users/login/url',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Users'],
        operationId: 'getLoginUrl',
        summary: 'Begin a login at the identity provider',
        description: 'Send the person to `url`. The provider sends them back to `redirectUrl` with `code` and `state`.',
        querystring: LoginUrlQuery,
        response: { 200: LoginUrl },
      },
    },
    (request) => loginUrl(stepsOf<AccountServices>(request), request.query),
  );
}
