import type { Platform, Steps } from '../../../context/index.ts';
import { createCache } from '../../../db/broadcast.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { type Caller, type Permission, userSubject } from '../../../shared/caller.ts';
import { hashApiKey, isJwt } from '../keys/api-keys.ts';
import { findCallerByKey, updateKeyUse } from '../keys/queries.ts';
import { accountLimits } from '../limits.ts';
import { type CallerRow, findCallerBySession, type SessionCallerRow } from './queries.ts';
import type { Tokens } from './tokens.ts';

/** An API key is read again this often, which also records its `lastUsedAt`. */
const KEY_RECHECK_SECONDS = 60;
const MAX_REMEMBERED = 20_000;

/** `until`: in Unix seconds. */
type Remembered = { caller: Caller; until: number };

/**
 * Turns a token into its caller. A token that was issued or seen here before is answered from memory, with no database read
 * and no signature check, until it expires or news of its user arrives; revocation therefore only has to publish `user:<id>`
 * in its own transaction. While news may be getting lost, every request reads the database instead.
 */
export function createGate({ broadcast, callLimits, clock, config }: Platform, system: () => Steps, tokens: Tokens) {
  const { key: wrongKeys } = accountLimits(config);
  const cache = createCache<Remembered>(broadcast, {
    subjectOf: ({ caller }) => userSubject(caller.userId),
    maxEntries: MAX_REMEMBERED,
  });

  async function readToken(token: string): Promise<Remembered | null> {
    const claims = await tokens.read('access', token);
    if (!claims) return null;
    const ctx = system();
    const row = await findCallerBySession(ctx.quick, claims.sid, ctx.now);
    return row && rememberedOf(row, { sessionId: row.sessionId, keyId: null }, claims.exp ?? 0);
  }

  /** Wrong values count for the address they come from; past the limit only those are looked at that were right before. */
  async function readKey(value: string, address: string, wasRight: boolean): Promise<Remembered | null> {
    const ctx = system();
    if (!wasRight) callLimits.check(ctx, wrongKeys, addressKey(address));
    const row = await findCallerByKey(ctx.quick, hashApiKey(value), ctx.now);
    if (!row) {
      await callLimits.spend(ctx, wrongKeys, addressKey(address));
      return null;
    }
    if ((row.lastUsedAt ?? 0) <= ctx.now - KEY_RECHECK_SECONDS) {
      await ctx.write((tx) => updateKeyUse(tx, row.userId, row.keyId, ctx.now));
    }
    return rememberedOf(row, { sessionId: null, keyId: row.keyId }, ctx.now + KEY_RECHECK_SECONDS);
  }

  async function look(token: string, address: string, wasRight = false): Promise<Caller | null> {
    const found = await cache.get(token, () => (isJwt(token) ? readToken(token) : readKey(token, address, wasRight)));
    return found?.caller ?? null;
  }

  return {
    /** Without a promise when the answer is in memory. */
    authenticate(token: string, address = ''): Caller | null | Promise<Caller | null> {
      const known = cache.peek(token);
      if (known === undefined) return look(token, address);
      if (clock.seconds() < known.until) return known.caller;
      cache.forget(token);
      return look(token, address, true);
    },
    /**
     * For an access token that is about to be issued. Call it before its caller is read or written; what it returns
     * remembers the caller, unless news arrived in between.
     */
    beginReading() {
      const add = cache.beginReading();
      return (token: string, row: SessionCallerRow, expiresAt: number) =>
        add(token, rememberedOf(row, { sessionId: row.sessionId, keyId: null }, expiresAt));
    },
  };
}

export type Gate = ReturnType<typeof createGate>;

type Credential = Pick<Caller, 'sessionId' | 'keyId'>;

function rememberedOf(row: CallerRow, credential: Credential, expiresAt: number): Remembered {
  const permissions = new Map<string, Set<Permission>>();
  for (const grant of row.grants) {
    const granted = permissions.get(grant.businessId) ?? new Set();
    for (const permission of grant.permissions) granted.add(permission);
    permissions.set(grant.businessId, granted);
  }
  const { userId, provider, email, isGuest, isConfirmed } = row;
  const caller = { userId, provider, email, isGuest, isConfirmed, ...credential, permissions };
  return { caller, until: Math.min(expiresAt, row.expiresAt ?? Number.POSITIVE_INFINITY) };
}
