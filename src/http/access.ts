import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { forbidden, keyUnconfirmed, notFound, unauthenticated } from '../shared/errors.ts';
import { isRecord } from '../shared/is-record.ts';
import { type Caller, may, type Permission, permissionRefusal } from '../shared/security/caller.ts';
import { isStorable } from '../shared/text/text.ts';

/** The access rule of a route: anyone, any valid token, or a member of the business in the URL with a permission. */
export type Access = 'public' | 'token' | Permission;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** For a route with `token` access: with this permission, it returns more data. */
    widenedBy?: Permission;
    /** Whether the route changes who has access to what: keys, roles, members. Scoped API keys can't use it. */
    grantsAccess?: boolean;
    /** For a route without a business in its URL: whether callers with `limits` can use it. */
    openToLimited?: boolean;
    /** Whether the response has a secret of the caller, such as a URL that works without a login. Support sessions can't use the route. */
    returnsSecret?: boolean;
    /** Whether the route accepts an Idempotency-Key. Defaults to true for every authenticated POST. */
    idempotent?: boolean;
    /** Whether the response is a versioned record: it has an ETag, and If-Match is checked. */
    versioned?: boolean;
    /** Whether a missing body counts as an empty object. */
    bodyOptional?: boolean;
    /** Finds ignored fields in a body. Compiled on first use. */
    findIgnored?: () => ((body: unknown) => string[]) | null;
    /** Query parameters that the route reads, but its schema doesn't document. */
    alsoReads?: readonly string[];
    findUnknown?: () => ((query: unknown) => string[]) | null;
  }
  interface FastifyRequest {
    /** Set on every route except public ones. */
    caller: Caller;
  }
  interface FastifyInstance {
    findRefusal: FindRefusal;
  }
}

/** Access checks implemented by the accounts and businesses domains. Cached results are returned synchronously. */
export type AccessLookup = {
  authenticate(token: string, address: string): Caller | null | Promise<Caller | null>;
  businessExists(businessId: string): boolean | Promise<boolean>;
  /** Records that a member has used a permission in the business. */
  recordRoleUse(caller: Caller, businessId: string): Promise<unknown> | undefined;
};

/** Sets `request.caller`. Returns the error of a caller without access, synchronously if the lookups are cached. */
type FindRefusal = (request: FastifyRequest) => Error | undefined | Promise<Error | undefined>;

/** Checks in this order: 401, then 404 for an unknown business, then 403. */
export function createFindRefusal(lookup: AccessLookup): FindRefusal {
  return (request) => {
    const access = request.routeOptions.config.access;
    if (access === undefined || access === 'public') return undefined;
    const token = presentedToken(request);
    if (token === null) return unauthenticated();
    const businessId = businessIdOf(request);
    const exists = businessId === undefined || (isStorable(businessId) && lookup.businessExists(businessId));
    const caller = lookup.authenticate(token, request.ip);
    if (caller instanceof Promise || exists instanceof Promise) {
      return Promise.all([caller, exists]).then(([c, e]) => refusalOf(request, access, businessId, c, e));
    }
    return refusalOf(request, access, businessId, caller, exists);
  };
}

/** Runs before the body is read. */
export function checkAccess(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const refusal = request.server.findRefusal(request);
  if (refusal instanceof Promise) refusal.then(done, done);
  else done(refusal);
}

/** Runs after the body has arrived. It can take minutes, and the caller may have lost access in the meantime. */
export function recheckAccess(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (request.body === undefined) done();
  else checkAccess(request, reply, done);
}

/** For work that waits, for example for a slow upload: throws if the caller has lost access since the request arrived. */
export async function requireAccess(request: FastifyRequest): Promise<void> {
  const refusal = await request.server.findRefusal(request);
  if (refusal) throw refusal;
}

/** Runs after the access check. Records the use of the permission that the route requires or that makes it return more data. */
export function recordUse(lookup: AccessLookup) {
  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { access = 'public', widenedBy } = request.routeOptions.config;
    const businessId = businessIdOf(request);
    const used = access === 'token' ? widenedBy : access;
    if (!businessId || !used || used === 'public' || !may(request.caller, businessId, used)) return done();
    const recorded = lookup.recordRoleUse(request.caller, businessId);
    if (recorded === undefined) done();
    else recorded.then(() => done(), done);
  };
}

function refusalOf(
  request: FastifyRequest,
  access: Access,
  businessId: string | undefined,
  caller: Caller | null,
  businessExists: boolean,
): Error | undefined {
  if (caller === null) return unauthenticated('The token is invalid, expired or revoked.');
  request.caller = caller;
  const refusal = limitRefusal(request, caller, businessId);
  if (refusal) return refusal;
  if (!businessExists) return notFound('Business');
  if (caller.withheld?.get(businessId ?? '') === 'KEY_UNCONFIRMED') return keyUnconfirmed();
  if (access === 'token' || access === 'public' || may(caller, businessId ?? '', access)) return undefined;
  return permissionRefusal(caller, businessId ?? '', access);
}

/** The error if the route is not open to the caller's restricted API key, SSO session or support session. */
function limitRefusal(request: FastifyRequest, caller: Caller, businessId: string | undefined) {
  const { limits, allowsAddress, isUnconfirmed } = caller;
  if (allowsAddress && !allowsAddress(request.ip)) return forbidden("This API key can't be used from this IP address.");
  if (isUnconfirmed) return keyUnconfirmed();
  if (!limits) return undefined;
  const { grantsAccess = false, openToLimited = false, returnsSecret = false } = request.routeOptions.config;
  if (limits.kind === 'SUPPORT' && request.method !== 'GET') return forbidden('Support sessions are read-only.');
  if (limits.kind === 'SUPPORT' && returnsSecret)
    return forbidden("Support sessions don't show the customer's secrets.");
  if (limits.kind === 'KEY' && grantsAccess) return forbidden("A scoped API key can't do this. Log in instead.");
  const isOpen = businessId === undefined ? openToLimited : limits.businesses.has(businessId);
  if (isOpen) return undefined;
  return forbidden(limits.kind === 'KEY' ? KEY_LIMITED : SESSION_LIMITED);
}

const KEY_LIMITED = "This API key's scopes don't allow this.";
const SESSION_LIMITED = 'This session is limited to one business. Log in to your account to do this.';

/** The business in the URL. */
export const businessIdOf = ({ params }: FastifyRequest): string | undefined =>
  isRecord(params) && typeof params.businessId === 'string' ? params.businessId : undefined;

/** `Authorization: Bearer …`, or an API key in `X-API-Key`. */
export function presentedToken(request: FastifyRequest): string | null {
  const key = request.headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  const header = request.headers.authorization;
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return header.slice(7).trim();
}
