import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  AuthResult,
  badProvider,
  CodeLoginInput,
  codeLogin,
  emailLogin,
  findProviderKind,
  LoginInput,
  logout,
  oauthLogin,
  PasskeyLoginInput,
  passkeyLogin,
  refresh,
  SecondFactorInput,
  secondFactorLogin,
  ssoLogin,
} from '../domains/accounts/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { forbidden, ServiceError, unauthenticated } from '../shared/errors.ts';
import { SUCCESS, Success } from '../shared/schemas.ts';
import { isLocalHost } from './local-host.ts';

type AdminSessionOptions = { production: boolean; publicUrl: () => string };

const PATH = '/admin/session';
/** Browsers delete cookies after at most 400 days. Each refresh starts the period again. */
const MAX_AGE_SECONDS = 400 * 86_400;

/** The refresh token is in the cookie, where no script can read it. */
const Opened = Type.Omit(AuthResult, ['refreshToken']);

/**
 * The admin's session. Its refresh token is in a cookie that the browser sends only to these routes. They also check the origin:
 * `SameSite` alone would accept other ports of this host, which belong to the same site.
 */
export function adminSessionRoutes(app: App, options: AdminSessionOptions): void {
  const config = { access: 'public' as const };
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
    done(isSameOrigin(request, options) ? undefined : forbidden('Only the admin app can use this endpoint.'));

  app.post(
    PATH,
    { config, onRequest, schema: { body: LoginInput, response: { 200: Opened } } },
    async (request, reply) => {
      const kind = await query(request, findProviderKind, request.body.provider);
      if (kind === null || kind === 'GUEST' || kind === 'PASSKEY') throw badProvider('EMAIL', 'SSO');
      const login = { EMAIL: emailLogin, OAUTH: oauthLogin, SSO: ssoLogin }[kind];
      const result = await command(request, login as typeof emailLogin, request.body);
      setCookie(reply, options, result.refreshToken);
      return result;
    },
  );

  app.post(
    `${PATH}/code`,
    { config, onRequest, schema: { body: CodeLoginInput, response: { 200: Opened } } },
    async (request, reply) => {
      const result = await command(request, codeLogin, request.body);
      setCookie(reply, options, result.refreshToken);
      return result;
    },
  );

  app.post(
    `${PATH}/second-factor`,
    { config, onRequest, schema: { body: SecondFactorInput, response: { 200: Opened } } },
    async (request, reply) => {
      const result = await command(request, secondFactorLogin, request.body);
      setCookie(reply, options, result.refreshToken);
      return result;
    },
  );

  app.post(
    `${PATH}/passkey`,
    { config, onRequest, schema: { body: PasskeyLoginInput, response: { 200: Opened } } },
    async (request, reply) => {
      const result = await command(request, passkeyLogin, request.body);
      setCookie(reply, options, result.refreshToken);
      return result;
    },
  );

  app.post(`${PATH}/refresh`, { config, onRequest, schema: { response: { 200: Opened } } }, async (request, reply) => {
    const token = readCookie(request, options);
    if (!token) throw unauthenticated('You are not logged in.');
    const result = await command(request, refresh, { refreshToken: token });
    setCookie(reply, options, token);
    return result;
  });

  app.delete(PATH, { config, onRequest, schema: { response: { 200: Success } } }, async (request, reply) => {
    const token = readCookie(request, options);
    clearCookie(reply, options);
    if (!token) return SUCCESS;
    return command(request, logout, { token, presented: null }).catch(ignoreEndedSession);
  });
}

function ignoreEndedSession(error: unknown): typeof SUCCESS {
  if (error instanceof ServiceError && error.kind === 'UNAUTHENTICATED') return SUCCESS;
  throw error;
}

/** In development, a local host name may differ from `publicUrl`. The cookie belongs to the host name that was used. */
function isSameOrigin(
  { headers: { origin, host = '' } }: FastifyRequest,
  { production, publicUrl }: AdminSessionOptions,
): boolean {
  if (!origin) return false;
  if (origin === new URL(publicUrl()).origin) return true;
  return !production && origin === `http://${host}` && isLocalHost(host, publicUrl());
}

const isHttps = ({ publicUrl }: AdminSessionOptions) => publicUrl().startsWith('https:');
const nameOf = (options: AdminSessionOptions) => (isHttps(options) ? '__Secure-souk-admin' : 'souk-admin');

function writeCookie(reply: FastifyReply, options: AdminSessionOptions, value: string, maxAgeSeconds: number): void {
  const secure = isHttps(options) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${nameOf(options)}=${value}; Path=${PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}

const setCookie = (reply: FastifyReply, options: AdminSessionOptions, token: string) =>
  writeCookie(reply, options, token, MAX_AGE_SECONDS);
const clearCookie = (reply: FastifyReply, options: AdminSessionOptions) => writeCookie(reply, options, '', 0);

function readCookie({ headers: { cookie = '' } }: FastifyRequest, options: AdminSessionOptions): string | null {
  const start = `${nameOf(options)}=`;
  const part = cookie.split('; ').find((each) => each.startsWith(start));
  return part?.slice(start.length) || null;
}
