import { userSubject } from '../../../shared/security/caller.ts';
import type { Command } from '../context.ts';
import { REVOKE_JOB, type RevokeJob } from '../oauth/revoke-idp-tokens.ts';
import { deleteSessionRow } from './queries.ts';

/** Ends the session and invalidates its tokens in every process. False if the user has no such session. */
export async function endSession(ctx: Command, userId: string, id: string): Promise<boolean> {
  const session = await deleteSessionRow(ctx.db, userId, id);
  if (!session) return false;
  if (session.idpTokens) await ctx.enqueue(REVOKE_JOB, { sealed: session.idpTokens } satisfies RevokeJob);
  const { supportBusiness: businessId, supportBy } = session;
  if (businessId) {
    const data = { sessionId: id, userId, supportBy };
    ctx.emit({ type: 'support.ended', entity: `user:${userId}`, data, businessId });
  }
  ctx.emitAccount({ type: 'user.session_ended', userId, data: { sessionId: id }, byOwner: true });
  await ctx.publish(userSubject(userId));
  return true;
}
