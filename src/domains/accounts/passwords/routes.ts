import { command } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { refuseInvalid } from '../../../http/validation.ts';
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
      config: { access: 'public' },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Register with e-mail and password',
        description:
          'Mails a link that confirms the address; it is valid for an hour. A registered e-mail is 400 EMAIL_EXISTS.',
        body: RegisterInput,
        response: { 200: Success },
      },
    },
    async (request) => {
      await refuseInvalid(request, (_sent, { password, email }: Partial<RegisterInput>) =>
        checkPassword(password, email ?? null, 'password'),
      );
      return command(request, register, request.body);
    },
  );

  app.put(
    '/v1/users/confirm',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'confirmEmail',
        summary: 'Confirm the e-mail',
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
        summary: 'Ask for a mail to reset the password',
        description: 'The answer is the same whether the e-mail is known or not.',
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
        summary: 'Set a new password with the mailed token',
        description: 'The token is good once, for an hour. Every session ends.',
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
        description: 'Every other session ends.',
        body: ResetInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, resetPassword, request.body),
  );
}
