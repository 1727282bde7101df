import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { presentedToken } from '../../http/access.ts';
import type { App } from '../../http/server.ts';
import { badRequest, type FieldError, invalid, ServiceError } from '../../shared/errors.ts';
import { SUCCESS, Success } from '../../shared/schemas.ts';
import { confirm } from './confirm.ts';
import { forgotPassword } from './forgot-password.ts';
import type { Accounts } from './index.ts';
import { login } from './login.ts';
import { loginUrl } from './login-url.ts';
import { logout } from './logout.ts';
import { checkPassword } from './password-rules.ts';
import { refresh } from './refresh.ts';
import { register } from './register.ts';
import { resetForgottenPassword } from './reset-password.ts';
import {
  AuthResult,
  ConfirmInput,
  ForgotInput,
  LoginInput,
  LoginUrlQuery,
  LogoutInput,
  RefreshInput,
  RegisterInput,
  ResetForgottenInput,
} from './schemas.ts';

const tags = ['Users'];

/** What nobody needs a token for: getting in, and the way back in. */
export function authRoutes(app: App, { context }: Accounts): void {
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
      const { password, email } = (request.body ?? {}) as { password?: unknown; email?: unknown };
      const wrong = validationDetails(request);
      if (wrong.length > 0) {
        const isNamed = wrong.some(({ field }) => field === 'password');
        const text = typeof password === 'string' ? password : undefined;
        const weak = isNamed ? [] : checkPassword(text, typeof email === 'string' ? email : null, 'password');
        throw invalid([...wrong, ...weak]);
      }
      await register(context, request.body, request.ip);
      return SUCCESS;
    },
  );

  app.put(
    '/v1/users/confirm',
    {
      config: { access: 'public' },
      schema: { tags, summary: 'Confirm the e-mail', body: ConfirmInput, response: { 200: Success } },
    },
    async ({ body }) => {
      await confirm(context, body.token);
      return SUCCESS;
    },
  );

  app.post(
    '/v1/users/login',
    {
      config: { access: 'public' },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Log in',
        description:
          'EMAIL: email, password. OAUTH_IDP: code and originUrl, and the state of the redirect. GUEST: phoneNumber, if any. A malformed body is 400; a wrong e-mail or password is 422.',
        body: LoginInput,
        response: { 200: AuthResult },
      },
    },
    async (request) => {
      const wrong = validationDetails(request);
      if (wrong.length > 0) throw badRequest(wrong[0]!.message, wrong);
      return login(context, request.body, request.ip);
    },
  );

  app.get(
    '/v1/users/login/url',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Begin a login at the identity provider',
        description: 'Send the person to `url`. The provider sends them back to `redirectUrl` with `code` and `state`.',
        querystring: LoginUrlQuery,
        response: { 200: Type.Object({ url: Type.String({ examples: ['https://idp.example/auth?client_id=…'] }) }) },
      },
    },
    async ({ query, ip }) => ({ url: await loginUrl(context, query, ip) }),
  );

  for (const path of ['/v1/users/refresh', '/v1/users/refresh-access-token']) {
    app.post(
      path,
      {
        config: { access: 'public' },
        schema: {
          tags,
          summary: 'Get a new access token',
          description: 'The refresh token stays the same.',
          body: RefreshInput,
          response: { 200: AuthResult },
        },
      },
      async ({ body }) => refresh(context, body),
    );
  }

  app.post(
    '/v1/users/logout',
    {
      config: { access: 'public' },
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        tags,
        summary: 'End a session',
        description:
          'Of the token in the body, or else of the one in the header. All its tokens stop working everywhere.',
        body: LogoutInput,
        response: { 200: Success },
      },
    },
    async (request) => {
      await logout(context, request.body, presentedToken(request));
      return SUCCESS;
    },
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
    async ({ body, ip }) => {
      await forgotPassword(context, body, ip);
      return SUCCESS;
    },
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
    async ({ body }) => {
      await resetForgottenPassword(context, body);
      return SUCCESS;
    },
  );

  app.get(
    '/.well-known/jwks.json',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'The public keys of access tokens',
        response: { 200: Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) }) },
      },
    },
    () => context.tokens.jwks(),
  );
}

/** The wrong fields of a body whose route answers them in its own way. */
function validationDetails(request: FastifyRequest): FieldError[] {
  const error: unknown = request.validationError;
  return error instanceof ServiceError ? error.details : [];
}
