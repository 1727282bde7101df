import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  type AccountServices,
  AuthResult,
  emailLogin,
  LoginInput,
  logout,
  oauthLogin,
  providerKind,
  refresh,
} from '../domains/accounts/index.ts';
import { command, stepsOf } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { badRequest, forbidden, ServiceError, unauthenticated } from '../shared/errors.ts';
import { SUCCESS, Success } from '../shared/schemas.ts';

export type AdminSessionOptions = { production: boolean; publicUrl: () => string };

const PATH = '/admin/session';
/** Browsers forget a cookie after 400 days at the latest; each refresh begins them anew. */
const MAX_AGE_SECONDS = 400 * 86_400;

/** The refresh token is in the cookie, where no script can read it. */
const Opened = Type.Omit(AuthResult, ['refreshToken']);

/**
 * The session of the admin: its refresh token is in a cookie that is sent to these routes and to nothing else. They answer our own
 * pages only: `SameSite` alone would let in whatever else runs on this host, because ports do not make a site.
 */
export function adminSessionRoutes(app: App, options: AdminSessionOptions): void {
  const config = { access: 'public' as const };
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
    done(isOurs(request, options) ? undefined : forbidden('This is for the pages of the admin itself.'));

  app.post(
    PATH,
    { config, onRequest, schema: { body: LoginInput, response: { 200: Opened } } },
    async (request, reply) => {
      const kind = providerKind(stepsOf<AccountServices>(request), request.body.provider);
      if (kind !== 'EMAIL' && kind !== 'OAUTH') throw badRequest('Invalid provider.');
      const result = await (kind === 'EMAIL'
        ? command(request, emailLogin, request.body)
        : command(request, oauthLogin, request.body));
      setCookie(reply, options, result.refreshToken);
      return result;
    },
  );

  app.post(`${PATH}/refresh`, { config, onRequest, schema: { response: { 200: Opened } } }, async (request, reply) => {
    const token = readCookie(request, options);
    if (!token) throw unauthenticated('Nobody is logged in here.');
    const result = await refresh(stepsOf<AccountServices>(request), { refreshToken: token });
    setCookie(reply, options, token);
    return result;
  });

  app.delete(PATH, { config, onRequest, schema: { response: { 200: Success } } }, async (request, reply) => {
    const token = readCookie(request, options);
    clearCookie(reply, options);
    if (!token) return SUCCESS;
    return command(request, logout, { token, presented: null }).catch(endedAlready);
  });
}

function endedAlready(error: unknown): typeof SUCCESS {
  if (error instanceof ServiceError && error.kind === 'UNAUTHENTICATED') return SUCCESS;
  throw error;
}

/** While developing, people come by several names of this machine; the cookie is of the name they came by. */
function isOurs(
  { headers: { origin, host } }: FastifyRequest,
  { production, publicUrl }: AdminSessionOptions,
): boolean {
  if (!origin) return false;
  return origin === new URL(publicUrl()).origin || (!production && origin === `http://${host}`);
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
