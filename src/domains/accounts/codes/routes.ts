import { command } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { codeLogin } from './code-login.ts';
import { requestCode } from './request-code.ts';
import { CodeLoginInput, CodeLoginResult } from './schemas.ts';

export function codeRoutes(app: App): void {
  app.post(
    '/v1/users/login/code',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Users'],
        operationId: 'codeLogin',
        summary: 'Log in with an emailed code',
        description:
          'Without `code`, emails a code and returns a `challenge`. With `email`, `code` and `challenge`, logs in, and creates the account on first use. A code expires after 10 minutes, works once, and allows 5 attempts. The response to a code request is the same whether or not the email is registered. The email also has a link to `/login-code#email=…&code=…` on `reserveDomain`, for a page that fills in the code.',
        body: CodeLoginInput,
        response: { 200: CodeLoginResult },
      },
    },
    async (request): Promise<CodeLoginResult> =>
      request.body.code === undefined
        ? command(request, requestCode, request.body)
        : command(request, codeLogin, request.body),
  );
}
