import { conflict, notFound } from '../../../shared/errors.ts';
import { userSubject } from '../../../shared/security/caller.ts';
import type { Command } from '../context.ts';
import { findCredentials } from '../passwords/queries.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { createRecoveryCodes, lockOwnFactors, requireFreshSession } from './change-factors.ts';
import { mailFactorChange } from './factor-mail.ts';
import { deleteFactors, lockFactors, updateSecondFactors } from './queries.ts';
import type { RecoveryCodes } from './schemas.ts';

/** Replaces the recovery codes: the previous ones stop working. */
export async function renewRecoveryCodes(ctx: Command): Promise<RecoveryCodes> {
  requireFreshSession(ctx);
  const { secondFactors } = await lockOwnFactors(ctx);
  if (secondFactors.length === 0) throw conflict('Add a passkey or an authenticator app first.');
  const recoveryCodes = await createRecoveryCodes(ctx);
  await mailFactorChange(ctx, ctx.caller.userId, 'RECOVERY_CODES_CREATED');
  return { recoveryCodes };
}

/** For the operator, when someone has lost every factor. Also ends all sessions. */
export async function resetFactors(ctx: Command, email: string): Promise<{ userId: string }> {
  const user = await findCredentials(ctx.db, { email });
  if (!user || !(await lockFactors(ctx.db, user.id))) throw notFound('Account');
  await deleteFactors(ctx.db, user.id);
  await updateSecondFactors(ctx.db, user.id, ctx.now);
  await deleteSessionsOf(ctx.db, user.id, null);
  ctx.emitAccount({ type: 'user.factors_reset', userId: user.id });
  await ctx.publish(userSubject(user.id));
  await mailFactorChange(ctx, user.id, 'FACTORS_RESET');
  return { userId: user.id };
}
