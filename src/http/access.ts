import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { type Caller, may, type Permission } from '../shared/caller.ts';
import { forbidden, notFound, unauthenticated } from '../shared/errors.ts';
import { isStorable } from '../shared/text.ts';

/** Every route says who may call it: anyone, any valid token, or a member of {businessId} with a permission. */
export type Access = 'public' | 'token' | Permission;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Of a route for any token: the permission that shows more. */
    widenedBy?: Permission;
    /** False: the route takes no Idempotency-Key. Every other authenticated POST does. */
    idempotent?: boolean;
    /** The answer is the record's own: it carries an ETag, or If-Match is checked. */
    versioned?: boolean;
    /** No body is taken as an empty object. */
    bodyOptional?: boolean;
    /** Finds the fields of a body that are ignored; made when first asked for. */
    findIgnored?: () => ((body: unknown) => string[]) | null;
  }
  interface FastifyRequest {
    /** Set on every route but public ones. */
    caller: Caller;
  }
}

/** What the domains of accounts and businesses do for this check. Answers from memory come without a promise. */
export type Gate = {
  authenticate(token: string, address: string): Caller | null | Promise<Caller | null>;
  businessExists(businessId: string): boolean | Promise<boolean>;
  /** A member has used a permission in the business. */
  noteRoleUse(caller: Caller, businessId: string): Promise<unknown> | undefined;
};

/** Runs before the body is read. Order of refusal: 401, then 404 for an unknown business, then 403. */
export function checkAccess(gate: Gate) {
  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const access = request.routeOptions.config.access;
    if (access === undefined || access === 'public') return done();
    const token = presentedToken(request);
    if (token === null) return done(unauthenticated());
    const { businessId } = request.params as { businessId?: string };
    const exists = businessId === undefined || (isStorable(businessId) && gate.businessExists(businessId));
    const caller = gate.authenticate(token, request.ip);
    if (caller instanceof Promise || exists instanceof Promise) {
      Promise.all([caller, exists]).then(([c, e]) => done(refusalOf(request, access, businessId, c, e)), done);
    } else {
      done(refusalOf(request, access, businessId, caller, exists));
    }
  };
}

/** After the access check. Whoever gets through to a route that needs a permission, or shows more with one, has used it. */
export function noteUse(gate: Gate) {
  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const { access = 'public', widenedBy } = request.routeOptions.config;
    const { businessId } = request.params as { businessId?: string };
    const used = access === 'token' ? widenedBy : access;
    if (!businessId || !used || used === 'public' || !may(request.caller, businessId, used)) return done();
    const noted = gate.noteRoleUse(request.caller, businessId);
    if (noted === undefined) done();
    else noted.then(() => done(), done);
  };
}

function refusalOf(
  request: FastifyRequest,
  access: Access,
  businessId: string | undefined,
  caller: Caller | null,
  businessExists: boolean,
): Error | undefined {
  if (caller === null) return unauthenticated('The token is not valid, has expired or was revoked.');
  request.caller = caller;
  if (!businessExists) return notFound('Business');
  if (access !== 'token' && access !== 'public' && !may(caller, businessId ?? '', access)) {
    return forbidden(`This needs the permission ${access} in this business.`);
  }
  return undefined;
}

/** `Authorization: Bearer …`, or an API key in `X-API-Key`. */
export function presentedToken(request: FastifyRequest): string | null {
  const key = request.headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  const header = request.headers.authorization;
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return header.slice(7).trim();
}
