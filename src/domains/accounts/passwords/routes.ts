import { command } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { addErrors } from '../../../http/validation/on-invalid.ts';
import { Success } from '../../../shared/schemas.ts';
import { confirm } from './confirm.ts';
import { forgotPassword } from './forgot-password.ts';
import { checkPassword } from './password-rules.ts';
import { register } from './register.ts';
import { resetForgottenPassword } from './reset-forgotten-password.ts';
import { resetPassword } from './reset-password.ts';
import { ConfirmInput, ForgotInput, RegisterInput, ResetForgottenInput, ResetInput } from './schemas.ts';

const tags = ['Users'];

export function passwordRoutes(app: App): void {
  app.post(
    '/v1/users/register',
    {
      config: {
        access: 'public',
        onInvalid: addErrors((_request, _sent, { password, email }: Partial<RegisterInput>) =>
          checkPassword(password, email ?? null, 'password'),
        ),
      },
      schema: {
        tags,
        summary: 'Register with an email and password',
        description:
          'Sends an email with a confirmation link, which expires after an hour. Fails with 400 `EMAIL_EXISTS` if the email is already registered.',
        body: RegisterInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, register, request.body),
  );

  app.put(
    '/v1/users/confirm',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'confirmEmail',
        summary: 'Confirm an email address',
        body: ConfirmInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, confirm, request.body.token),
  );

  app.post(
    '/v1/users/forgot-password',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Request a password reset email',
        description: 'The response is the same whether or not the email is registered.',
        body: ForgotInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, forgotPassword, request.body),
  );

  app.post(
    '/v1/users/reset-forgot-password',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Reset a password with the emailed token',
        description: 'Ends all sessions of the user. The token can be used once and expires after an hour.',
        body: ResetForgottenInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, resetForgottenPassword, request.body),
  );

  app.post(
    '/v1/users/reset-password',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Change my password',
        description: 'Ends all other sessions.',
        body: ResetInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, resetPassword, request.body),
  );
}
