import { createCache } from '../../db/broadcast.ts';
import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { type Caller, type Permission, userSubject } from '../../shared/caller.ts';
import { hashApiKey, isJwt } from './api-keys.ts';
import { type CallerRow, findCallerByKey, findCallerBySession, updateKeyUse } from './queries.ts';
import type { Tokens } from './tokens.ts';

/** An API key is read again this often, which also keeps its `lastUsedAt`. */
const KEY_RECHECK_SECONDS = 60;
const MAX_REMEMBERED = 20_000;

type Remembered = { caller: Caller; until: number };

/**
 * Turns a token into its caller. A token that was seen before is answered from memory, with no database read and no
 * signature check, until it expires or news of its user arrives; revocation therefore only has to publish `user:<id>` in its
 * own transaction. While news may be getting lost, every request reads the database instead.
 */
export function createGate({ pool, broadcast, clock }: Deps, tokens: Tokens) {
  const cache = createCache<Remembered>(broadcast, {
    subjectOf: ({ caller }) => userSubject(caller.userId),
    maxEntries: MAX_REMEMBERED,
  });

  async function readToken(token: string): Promise<Remembered | null> {
    const claims = await tokens.read('access', token);
    if (!claims) return null;
    const row = await findCallerBySession(pool, claims.sid, clock.seconds());
    return row && { caller: callerOf(row), until: Math.min(claims.exp ?? 0, row.expiresAt ?? Infinity) };
  }

  async function readKey(value: string): Promise<Remembered | null> {
    const now = clock.seconds();
    const row = await findCallerByKey(pool, hashApiKey(value), now);
    if (!row) return null;
    if ((row.lastUsedAt ?? 0) <= now - KEY_RECHECK_SECONDS) {
      await inTransaction(pool, (tx) => updateKeyUse(tx, row.userId, row.keyId!, now));
    }
    return { caller: callerOf(row), until: Math.min(row.expiresAt ?? Infinity, now + KEY_RECHECK_SECONDS) };
  }

  async function look(token: string): Promise<Caller | null> {
    const found = await cache.get(token, () => (isJwt(token) ? readToken(token) : readKey(token)));
    return found?.caller ?? null;
  }

  return function authenticate(token: string): Caller | null | Promise<Caller | null> {
    const known = cache.peek(token);
    if (known === undefined) return look(token);
    if (clock.seconds() < known.until) return known.caller;
    cache.forget(token);
    return look(token);
  };
}

function callerOf(row: CallerRow): Caller {
  const permissions = new Map<string, Set<Permission>>();
  for (const grant of row.grants) {
    const granted = permissions.get(grant.businessId) ?? new Set();
    for (const permission of grant.permissions) granted.add(permission);
    permissions.set(grant.businessId, granted);
  }
  const { userId, provider, email, isGuest, isConfirmed, sessionId } = row;
  return { userId, provider, email, isGuest, isConfirmed, sessionId, permissions };
}
