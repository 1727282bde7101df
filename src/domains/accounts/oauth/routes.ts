import { command } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
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
        summary: 'Start a login with the identity provider',
        description:
          'Redirect the user to `url`. The provider redirects them back to `redirectUrl` with `code` and `state`. For `SSO`, the path of `redirectUrl` must end with `/sso/{businessId}`, so that no provider receives a code from another provider.',
        querystring: LoginUrlQuery,
        response: { 200: LoginUrl },
      },
    },
    (request) => command(request, loginUrl, request.query),
  );
}
