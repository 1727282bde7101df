import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { presentedToken } from '../../../http/access.ts';
import { command, query, stepsOf } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { badRequest, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { PageOf, Success } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { oauthLogin } from '../oauth/oauth-login.ts';
import { providerKind } from '../oauth/providers.ts';
import { emailLogin } from '../passwords/email-login.ts';
import { deleteSession } from './delete-session.ts';
import { guestLogin } from './guest-login.ts';
import { listSessions } from './list-sessions.ts';
import { logout } from './logout.ts';
import { refresh } from './refresh.ts';
import { AuthResult, LoginInput, LogoutInput, RefreshInput, Session, SessionParams } from './schemas.ts';

const tags = ['Users'];

export function sessionRoutes(app: App): void {
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
      const wrong = wrongFields(request);
      if (wrong.length > 0) throw badRequest(wrong[0]!.message, wrong);
      const ctx = stepsOf<AccountServices>(request);
      switch (providerKind(ctx, request.body.provider)) {
        case 'EMAIL':
          return command(request, emailLogin, request.body);
        case 'OAUTH':
          return command(request, oauthLogin, request.body);
        case 'GUEST':
          return guestLogin(ctx, request.body);
        case null:
          throw badRequest('Invalid provider.');
      }
    },
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
      (request) => refresh(stepsOf<AccountServices>(request), request.body),
    );
  }

  app.post(
    '/v1/users/logout',
    {
      config: { access: 'public', bodyOptional: true },
      schema: {
        tags,
        summary: 'End a session',
        description:
          'Of the token in the body, or else of the one in the header. All its tokens stop working everywhere.',
        body: LogoutInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, logout, { ...request.body, presented: presentedToken(request) }),
  );

  app.get(
    '/v1/users/sessions',
    {
      config: { access: 'token' },
      schema: { tags, summary: 'List my sessions', querystring: PageQuery, response: { 200: PageOf(Session) } },
    },
    (request) => query(request, listSessions, request.query),
  );

  app.delete(
    '/v1/users/sessions/:id',
    {
      config: { access: 'token' },
      schema: { tags, summary: 'End one of my sessions', params: SessionParams, response: { 200: Success } },
    },
    (request) => command(request, deleteSession, request.params.id),
  );

  app.get(
    '/.well-known/jwks.json',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getJwks',
        summary: 'The public keys of access tokens',
        response: { 200: Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) }) },
      },
    },
    (request) => stepsOf<AccountServices>(request).accounts.tokens.jwks(),
  );
}

/** What the schema found wrong. A login answers it with 400. */
function wrongFields(request: FastifyRequest): FieldError[] {
  const error: unknown = request.validationError;
  return error instanceof ServiceError ? error.details : [];
}
