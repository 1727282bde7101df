import { forbidden, unauthenticated } from '../../../shared/errors.ts';
import { type Caller, type SecondFactor, userSubject } from '../../../shared/security/caller.ts';
import type { Command, Query } from '../context.ts';
import { unconfirmOwnKeys } from '../keys/unconfirm-keys.ts';
import { lockCredential } from '../sessions/lock-credential.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { type FactorState, lockFactors, replaceRecoveryCodes, updateSecondFactors } from './queries.ts';
import { newRecoveryCodes } from './seals.ts';

/** Throws 403 unless the caller is a session that has just confirmed a factor or, if the account has none, the password. */
export function requireFreshSession(ctx: Pick<Query, 'businesses' | 'caller' | 'now' | 'stepUp'>): {
  sessionId: string;
} {
  const { sessionId } = requireSession(ctx.caller);
  ctx.businesses.stepUps.require(ctx);
  return { sessionId };
}

export function requireSession({ sessionId, isGuest }: Caller): { sessionId: string } {
  if (sessionId === null) throw forbidden("API keys can't do this. Log in instead.");
  if (isGuest) throw forbidden("A guest can't have passkeys or second factors.");
  return { sessionId };
}

/** Locks the factors of the caller. Throws 401 if the session has ended while waiting. */
export async function lockOwnFactors(ctx: Command): Promise<FactorState> {
  const state = await lockFactors(ctx.db, ctx.caller.userId);
  if (!state) throw unauthenticated('This account has been deleted.');
  await lockCredential(ctx);
  return state;
}

/**
 * Stores the factors after a change. Sessions that began without a second factor end when the first one is added, except the
 * caller's, who has just confirmed it, and API keys wait for a confirmation. The first factor comes with recovery codes, which are returned once.
 */
export async function settleFactors(ctx: Command, before: readonly SecondFactor[]): Promise<string[]> {
  const { userId, sessionId } = ctx.caller;
  const after = await updateSecondFactors(ctx.db, userId, ctx.now);
  const isFirst = before.length === 0 && after.length > 0;
  if (isFirst) {
    await deleteSessionsOf(ctx.db, userId, sessionId);
    await unconfirmOwnKeys(ctx, userId);
  }
  if (after.length === 0) await replaceRecoveryCodes(ctx.db, userId, []);
  await ctx.publish(userSubject(userId));
  return isFirst ? createRecoveryCodes(ctx) : [];
}

/** Replaces the recovery codes. They can't be read again. */
export async function createRecoveryCodes(ctx: Command): Promise<string[]> {
  const { userId } = ctx.caller;
  const codes = newRecoveryCodes();
  const { hashRecoveryCode } = ctx.accounts.factorSeals;
  await replaceRecoveryCodes(
    ctx.db,
    userId,
    codes.map((code) => hashRecoveryCode(userId, code)),
  );
  ctx.emitAccount({ type: 'user.recovery_codes_created', userId });
  return codes;
}
