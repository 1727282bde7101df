import { newId } from '../../../shared/ids.ts';
import type { Command } from '../context.ts';
import { insertSession } from './queries.ts';

type SessionInput = {
  userId: string;
  provider: string;
  /** Null: it lasts until it is ended. */
  lifeSeconds: number | null;
  /** Sealed, to be revoked at logout. */
  idpTokens?: string;
};

/** Its id. The tokens come from `openSession` after the commit, because signing is no work for a transaction. */
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
    await ctx.emitAccount({ type: 'user.login', userId, data: { sessionId: id, provider }, byOwner: true });
  }
  return id;
}
