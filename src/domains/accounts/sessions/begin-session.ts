import { newId } from '../../../shared/ids.ts';
import type { Command } from '../context.ts';
import { insertSession } from './queries.ts';

type SessionInput = {
  userId: string;
  provider: string;
  /** Null if the session does not expire. */
  lifeSeconds: number | null;
  /** Encrypted. Revoked at logout. */
  idpTokens?: string;
};

/** Returns the session ID. `openSession` issues the tokens after the commit, to keep signing out of the transaction. */
export async function beginSession(ctx: Command, input: SessionInput): Promise<string> {
  const { userId, provider, lifeSeconds, idpTokens = null } = input;
  const id = newId('ses');
  await insertSession(ctx.db, {
    id,
    userId,
    provider,
    idpTokens,
    createdAt: ctx.now,
    lastUsedAt: ctx.now,
    expiresAt: lifeSeconds === null ? null : ctx.now + lifeSeconds,
  });
  if (provider !== 'GUEST') {
    ctx.emitAccount({ type: 'user.login', userId, data: { sessionId: id, provider }, byOwner: true });
  }
  return id;
}
