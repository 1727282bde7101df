import type { Platform, Steps } from '../../../context/index.ts';
import { createCache } from '../../../db/broadcast.ts';
import { type Caller, userSubject } from '../../../shared/security/caller.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { hashApiKey, isJwt } from '../keys/api-keys.ts';
import { findCallerByKey, updateKeyUse } from '../keys/queries.ts';
import { accountLimits } from '../limits.ts';
import { findCallerBySession, type SessionCallerRow } from './queries.ts';
import { callerOfKey, callerOfSession, isSupportAllowed } from './to-caller.ts';
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
    if (!row || !(await isSupportAllowed(ctx.quick, row, ctx.now))) return null;
    return cachedUntil(callerOfSession(row, ctx.now), claims.exp ?? 0, row.expiresAt);
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
    return cachedUntil(callerOfKey(row, ctx.now), ctx.now + KEY_RECHECK_SECONDS, row.expiresAt);
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
        add(token, cachedUntil(callerOfSession(row, clock.seconds()), expiresAt, row.expiresAt));
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** `tokenExpiresAt`: of the access token, or when a key is read again. `expiresAt`: of the session or key. */
const cachedUntil = (
  { caller, changesAt }: { caller: Caller; changesAt: number },
  tokenExpiresAt: number,
  expiresAt: number | null,
): CachedCaller => ({ caller, until: Math.min(tokenExpiresAt, expiresAt ?? Number.POSITIVE_INFINITY, changesAt) });
