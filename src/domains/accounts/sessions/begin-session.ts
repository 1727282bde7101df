import { unauthenticated } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { describeDevice } from '../../../shared/text/device.ts';
import type { Command } from '../context.ts';
import { lockFactors } from '../factors/queries.ts';
import { mailNewDevice } from './new-device.ts';
import { insertSession } from './queries.ts';

export type SessionInput = {
  userId: string;
  provider: string;
  /** Null if the session does not expire. */
  lifeSeconds: number | null;
  /** Encrypted. Revoked at logout. */
  idpTokens?: string;
  /** The business whose single sign-on begins the session. The session is limited to it. */
  ssoBusiness?: string;
  /** Whether a second factor has been verified. */
  hasSecondFactor?: boolean;
};

/**
 * The last step of every login except a guest's. Returns the session ID or, if a second factor is required, a challenge. `openSession`
 * returns the tokens or the challenge after the commit, to keep signing out of the transaction.
 */
export async function beginSession(ctx: Command, input: SessionInput): Promise<string> {
  const { userId, provider, lifeSeconds, idpTokens = null, ssoBusiness = null, hasSecondFactor = false } = input;
  if (!hasSecondFactor && provider !== 'GUEST') {
    const user = await lockFactors(ctx.db, userId);
    if (!user) throw unauthenticated('This account has been deleted.');
    const { secondFactors: methods, passwordVersion } = user;
    if (methods.length > 0) {
      ctx.emitAccount({ type: 'user.second_factor_requested', userId, data: { provider }, byOwner: true });
      return ctx.accounts.challenges.issue('LOGIN', { userId, passwordVersion, methods, session: input }, ctx.now);
    }
  }
  const id = newId('ses');
  const device = describeDevice(ctx.userAgent);
  await insertSession(ctx.db, {
    id,
    userId,
    provider,
    idpTokens,
    device,
    address: ctx.address || null,
    ssoBusiness,
    createdAt: ctx.now,
    lastUsedAt: ctx.now,
    expiresAt: lifeSeconds === null ? null : ctx.now + lifeSeconds,
  });
  if (provider !== 'GUEST') {
    if (device) await mailNewDevice(ctx, userId, device);
    ctx.emitAccount({ type: 'user.login', userId, data: { sessionId: id, provider, device }, byOwner: true });
  }
  return id;
}
