import type { Platform, Steps } from '../../../context/index.ts';
import { createCache } from '../../../db/broadcast.ts';
import { type Caller, type Permission, userSubject } from '../../../shared/security/caller.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { hashApiKey, isJwt } from '../keys/api-keys.ts';
import { findCallerByKey, updateKeyUse } from '../keys/queries.ts';
import { accountLimits } from '../limits.ts';
import { limitCaller } from './limit-caller.ts';
import { type CallerRow, findCallerBySession, type SessionCallerRow } from './queries.ts';
import type { Tokens } from './tokens.ts';

/** How often a cached API key is read again, which also updates its `lastUsedAt`. */
const KEY_RECHECK_SECONDS = 60;
const MAX_CACHED = 20_000;

/** `until`: in Unix seconds. */
type CachedCaller = { caller: Caller; until: number };

/**
 * Resolves a token to its caller. A token that this process has issued or seen is resolved from the cache, without a database
 * read or signature check, until it expires or a broadcast about its user arrives. So publishing `user:<id>` in the same
 * transaction is enough to revoke a token. While broadcasts may be lost, every request reads the database.
 */
export function createAuthenticator(
  { broadcast, callLimits, clock, config }: Platform,
  system: () => Steps,
  tokens: Tokens,
) {
  const { key: wrongKeys } = accountLimits(config);
  const cache = createCache<CachedCaller>(broadcast, {
    subjectOf: ({ caller }) => userSubject(caller.userId),
    maxEntries: MAX_CACHED,
  });

  async function readToken(token: string): Promise<CachedCaller | null> {
    const claims = await tokens.read('access', token);
    if (!claims) return null;
    const ctx = system();
    const row = await findCallerBySession(ctx.quick, claims.sid, ctx.now);
    return row && toCachedCaller(row, { sessionId: row.sessionId, keyId: null }, claims.exp ?? 0, ctx.now);
  }

  /** Unknown keys count against the client's IP address. Past the limit, only keys that were valid before are looked up. */
  async function readKey(value: string, address: string, wasValid: boolean): Promise<CachedCaller | null> {
    const ctx = system();
    if (!wasValid) callLimits.check(ctx, wrongKeys, addressKey(address));
    const row = await findCallerByKey(ctx.quick, hashApiKey(value), ctx.now);
    if (!row) {
      await callLimits.consume(ctx, wrongKeys, addressKey(address));
      return null;
    }
    if ((row.lastUsedAt ?? 0) <= ctx.now - KEY_RECHECK_SECONDS) {
      await ctx.write((tx) => updateKeyUse(tx, row.userId, row.keyId, ctx.now));
    }
    return toCachedCaller(row, { sessionId: null, keyId: row.keyId }, ctx.now + KEY_RECHECK_SECONDS, ctx.now);
  }

  async function lookUp(token: string, address: string, wasValid = false): Promise<Caller | null> {
    const found = await cache.get(token, () => (isJwt(token) ? readToken(token) : readKey(token, address, wasValid)));
    return found?.caller ?? null;
  }

  return {
    /** Returns synchronously if the caller is cached. */
    authenticate(token: string, address = ''): Caller | null | Promise<Caller | null> {
      const known = cache.peek(token);
      if (known === undefined) return lookUp(token, address);
      if (clock.seconds() < known.until) return known.caller;
      cache.forget(token);
      return lookUp(token, address, true);
    },
    /**
     * For an access token about to be issued. Call it before reading or writing the caller. The returned function caches the
     * caller, unless a broadcast about the user has arrived in between.
     */
    beginReading() {
      const add = cache.beginReading();
      return (token: string, row: SessionCallerRow, expiresAt: number) =>
        add(token, toCachedCaller(row, { sessionId: row.sessionId, keyId: null }, expiresAt, clock.seconds()));
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

type Credential = Pick<Caller, 'sessionId' | 'keyId'>;

/** Permissions in a business that requires a second factor are withheld from an account without one, once the grace period is over. */
function toCachedCaller(row: CallerRow, credential: Credential, expiresAt: number, nowSeconds: number): CachedCaller {
  const permissions = new Map<string, Set<Permission>>();
  const requiredBy = new Map<string, number>();
  for (const { businessId, permissions: granted, secondFactorFrom } of row.grants) {
    if (secondFactorFrom !== null && row.secondFactors.length === 0) requiredBy.set(businessId, secondFactorFrom);
    if ((requiredBy.get(businessId) ?? Number.POSITIVE_INFINITY) <= nowSeconds) continue;
    permissions.set(businessId, new Set([...(permissions.get(businessId) ?? []), ...granted]));
  }
  const { userId, provider, email, name, isGuest, isConfirmed } = row;
  const factors = { methods: row.secondFactors, hasPassword: row.hasPassword, loggedInAt: row.createdAt, requiredBy };
  const account = { userId, provider, email, name, isGuest, isConfirmed, ...credential, permissions, factors };
  const graceEnds = [...requiredBy.values()].filter((from) => from > nowSeconds);
  return {
    caller: limitCaller(account, row),
    until: Math.min(expiresAt, row.expiresAt ?? Number.POSITIVE_INFINITY, ...graceEnds),
  };
}
