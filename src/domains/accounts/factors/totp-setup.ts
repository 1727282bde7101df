import { conflict, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { type Command, command } from '../context.ts';
import { lockOwnFactors, requireFreshSession, requireSession, settleFactors } from './change-factors.ts';
import { mailFactorChange } from './factor-mail.ts';
import { issuerName } from './issuer.ts';
import { confirmTotp, deleteTotp, findTotp, insertTotp } from './queries.ts';
import type { FactorAdded, SiteInput, TotpSetup } from './schemas.ts';
import { findStep, newTotpSecret, totpUri } from './totp.ts';
import { countAttempt, invalidCode } from './verify-factor.ts';

/** Creates a secret. The authenticator app counts as a factor once its first code is confirmed. */
export async function beginTotp(ctx: Command, { businessId }: SiteInput): Promise<TotpSetup> {
  requireFreshSession(ctx);
  const { userId, email } = ctx.caller;
  const issuer = await issuerName(ctx, businessId);
  await lockOwnFactors(ctx);
  const secret = newTotpSecret();
  const sealed = ctx.accounts.factorSeals.sealSecret(userId, secret);
  if (!(await insertTotp(ctx.db, userId, sealed, ctx.now))) {
    throw conflict('You already have an authenticator app. Remove it first.');
  }
  return { secret, uri: totpUri(secret, email ?? userId, issuer) };
}

export const confirmTotpSetup = command({
  async prepare(ctx, { code }: { code: string }) {
    const { userId } = ctx.caller;
    requireSession(ctx.caller);
    const succeed = await countAttempt(ctx, 'TOTP', userId);
    const totp = await findTotp(ctx.db, userId);
    if (!totp || totp.confirmedAt !== null) throw notFound('Unconfirmed authenticator app');
    const step = findStep(ctx.accounts.factorSeals.openSecret(userId, totp.secret), code.replace(/\s/g, ''), ctx.now);
    if (step === null) throw invalidCode();
    return { secret: totp.secret, step, succeed };
  },
  async execute(ctx, { secret, step, succeed }): Promise<FactorAdded> {
    const { userId } = ctx.caller;
    const { secondFactors } = await lockOwnFactors(ctx);
    if (!(await confirmTotp(ctx.db, { userId, secret, step, now: ctx.now }))) throw invalidCode();
    await succeed(ctx);
    ctx.emitAccount({ type: 'user.factor_added', userId, data: { method: 'TOTP' } });
    const recoveryCodes = await settleFactors(ctx, secondFactors);
    await mailFactorChange(ctx, userId, 'TOTP_ADDED');
    return { success: true, recoveryCodes };
  },
});

export async function removeTotp(ctx: Command): Promise<typeof SUCCESS> {
  requireFreshSession(ctx);
  const { userId } = ctx.caller;
  const { secondFactors } = await lockOwnFactors(ctx);
  if (!(await deleteTotp(ctx.db, userId))) throw notFound('Authenticator app');
  ctx.emitAccount({ type: 'user.factor_removed', userId, data: { method: 'TOTP' } });
  await settleFactors(ctx, secondFactors);
  await mailFactorChange(ctx, userId, 'TOTP_REMOVED');
  return SUCCESS;
}
