import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { presentedToken } from '../../../http/access.ts';
import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import type { OnInvalid } from '../../../http/validation/on-invalid.ts';
import { badRequest } from '../../../shared/errors.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { PageOf, Success } from '../../../shared/schemas.ts';
import { isPublishable } from '../keys/api-keys.ts';
import { oauthLogin } from '../oauth/oauth-login.ts';
import { badProvider, findProviderKind } from '../oauth/providers.ts';
import { emailLogin } from '../passwords/email-login.ts';
import { ssoLogin } from '../sso/sso-login.ts';
import { deleteSession } from './delete-session.ts';
import { guestLogin } from './guest-login.ts';
import { listSessions } from './list-sessions.ts';
import { logout } from './logout.ts';
import { readJwks } from './read-jwks.ts';
import { refresh } from './refresh.ts';
import { AuthResult, LoginInput, LogoutInput, RefreshInput, Session, SessionParams } from './schemas.ts';

const tags = ['Users'];

/** Other tokens are ignored here, as on every public route. */
function publishableKeyOf(request: FastifyRequest) {
  const token = presentedToken(request);
  return token && isPublishable(token) ? { publishableKey: token, origin: request.headers.origin } : {};
}

const asBadRequest: OnInvalid = (_request, { message, details }) => badRequest(details[0]?.message ?? message, details);

export function sessionRoutes(app: App): void {
  app.post(
    '/v1/users/login',
    {
      config: { access: 'public', onInvalid: asBadRequest },
      schema: {
        tags,
        summary: 'Log in',
        description:
          'Each provider uses different fields. `EMAIL`: `email` and `password`. `OAUTH_IDP` and `SSO`: `code`, `originUrl` and the `state` from the redirect. `GUEST`: optionally `phoneNumber`. A page can identify its business with a publishable key in `X-API-Key`. A malformed body fails with 400, a wrong email or password with 422. If the account has a second factor, the login fails with 401 `SECOND_FACTOR_REQUIRED`: send its `challenge` to `/v1/users/login/second-factor`.',
        body: LoginInput,
        response: { 200: AuthResult },
      },
    },
    async (request) => {
      switch (await query(request, findProviderKind, request.body.provider)) {
        case 'EMAIL':
          return command(request, emailLogin, request.body);
        case 'OAUTH':
          return command(request, oauthLogin, request.body);
        case 'GUEST':
          return command(request, guestLogin, { ...request.body, ...publishableKeyOf(request) });
        case 'SSO':
          return command(request, ssoLogin, request.body);
        default:
          throw badProvider('EMAIL', 'GUEST', 'SSO');
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
          summary: 'Refresh an access token',
          description: 'Returns a new access token. The refresh token stays the same.',
          body: RefreshInput,
          response: { 200: AuthResult },
        },
      },
      (request) => command(request, refresh, request.body),
    );
  }

  app.post(
    '/v1/users/logout',
    {
      config: { access: 'public', bodyOptional: true },
      schema: {
        tags,
        summary: 'Log out',
        description:
          'Ends the session that the token in the body belongs to. If the body has no token, the token in the header is used. All tokens of the session stop working immediately.',
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
        summary: 'Get the public keys that verify access tokens',
        response: {
          200: Type.Object(
            { keys: Type.Array(Type.Object({}, { additionalProperties: true })) },
            { description: 'The JSON Web Key Set' },
          ),
        },
      },
    },
    (request) => query(request, readJwks, undefined),
  );
}
