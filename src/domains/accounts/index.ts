/**
 * Accounts: who somebody is. A **user** is a person, confirmed by e-mail or by an identity provider, or a **guest**. A
 * **session** is one login; its access and refresh tokens die with it. An **API key** acts as the user that owns it.
 *
 * Invariants: whatever ends a session, a key or a permission publishes `user:<id>` in the same transaction, so that every
 * process forgets the caller within a second.
 */
import type { Tx } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../shared/ids.ts';
import { createGate } from './gate.ts';
import { insertSession } from './queries.ts';
import { ACCESS_SECONDS, createTokens } from './tokens.ts';

export { existingUsers, findUser, insertUser, type UserSummary } from './queries.ts';

export async function createAccounts(deps: Deps) {
  const tokens = await createTokens(deps);
  return {
    authenticate: createGate(deps, tokens),
    /** Begins a session and returns its tokens. */
    async beginSession(
      tx: Tx,
      user: { id: string; email: string | null },
      provider: string,
      lifeSeconds: number | null,
    ) {
      const now = deps.clock.seconds();
      const session = {
        id: newId('ses'),
        userId: user.id,
        provider,
        createdAt: now,
        expiresAt: lifeSeconds === null ? null : now + lifeSeconds,
      };
      await insertSession(tx, session);
      const claims = { sub: user.id, sid: session.id, provider, ...(user.email ? { email: user.email } : {}) };
      return {
        sessionId: session.id,
        accessToken: tokens.issue('access', claims, now + ACCESS_SECONDS),
        refreshToken: tokens.issue('refresh', claims, session.expiresAt),
        expiresAt: now + ACCESS_SECONDS,
      };
    },
  };
}

export type Accounts = Awaited<ReturnType<typeof createAccounts>>;
