import { newId } from '../../../shared/ids.ts';
import { describeDevice } from '../../../shared/text/device.ts';
import type { Command } from '../context.ts';
import { mailNewDevice } from './new-device.ts';
import { insertSession } from './queries.ts';

type SessionInput = {
  userId: string;
  provider: string;
  /** Null if the session does not expire. */
  lifeSeconds: number | null;
  /** Encrypted. Revoked at logout. */
  idpTokens?: string;
  /** The business whose single sign-on begins the session. The session is limited to it. */
  ssoBusiness?: string;
};

/** Returns the session ID. `openSession` issues the tokens after the commit, to keep signing out of the transaction. */
export async function beginSession(ctx: Command, input: SessionInput): Promise<string> {
  const { userId, provider, lifeSeconds, idpTokens = null, ssoBusiness = null } = input;
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
