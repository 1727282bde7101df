import { consumeLimit, resetLimit } from '../../../db/limits.ts';
import { invalidField } from '../../../shared/errors.ts';
import type { PasskeyRequest } from '../../../shared/security/challenges.ts';
import type { Command, Steps } from '../context.ts';
import { mailFactorChange } from './factor-mail.ts';
import { findPasskey, type PasskeyRow, updatePasskeyUse } from './passkey-queries.ts';
import { countRecoveryCodes, deleteRecoveryCode, findTotp, hasRecoveryCode, useTotpStep } from './queries.ts';
import { findStep } from './totp.ts';
import { type Credential, invalidCredential, userHandle, verifyAssertion } from './webauthn.ts';

type FactorInput = { method: string; code?: string; credential?: Credential };

/** Marks a verified factor as used, in the transaction of the action that it permits. Throws if it was used in the meantime. */
export type UseFactor = (ctx: Command) => Promise<void>;

/** Verifies a second factor of the user. `request`: what the browser was asked to sign, if anything. */
export function verifyFactor(
  ctx: Steps,
  userId: string,
  { method, code = '', credential = {} }: FactorInput,
  request: PasskeyRequest | undefined,
): Promise<UseFactor> {
  switch (method) {
    case 'TOTP':
      return verifyTotp(ctx, userId, code.replace(/\s/g, ''));
    case 'RECOVERY_CODE':
      return verifyRecoveryCode(ctx, userId, code);
    case 'PASSKEY':
      return verifyPasskey(ctx, credential, { userId, request }).then(({ use }) => use);
    default:
      throw invalidField('method', 'INVALID_VALUE', 'method must be one of the methods in the challenge.');
  }
}

/** Only someone who has the password can use up an account's attempts. Recovery codes have a separate limit. */
export async function countAttempt(
  ctx: Steps,
  method: string,
  userId: string,
): Promise<(tx: Command) => Promise<void>> {
  const { factor, factorDay } = ctx.accounts.limits;
  const key = `${method} ${userId}`;
  await consumeLimit(ctx, factor, key);
  await consumeLimit(ctx, factorDay, key);
  return async (tx) => {
    await resetLimit(tx, factor, key);
    await resetLimit(tx, factorDay, key);
  };
}

async function verifyTotp(ctx: Steps, userId: string, code: string): Promise<UseFactor> {
  const succeed = await countAttempt(ctx, 'TOTP', userId);
  const totp = await findTotp(ctx.db, userId);
  const secret = totp?.confirmedAt ? ctx.accounts.factorSeals.openSecret(userId, totp.secret) : null;
  const step = secret && findStep(secret, code, ctx.now);
  if (!totp || !step) return refuse(ctx, userId, 'TOTP');
  return async (tx) => {
    if (!(await useTotpStep(tx.db, userId, totp.secret, step))) throw codeUsed();
    await succeed(tx);
  };
}

async function verifyRecoveryCode(ctx: Steps, userId: string, code: string): Promise<UseFactor> {
  const succeed = await countAttempt(ctx, 'RECOVERY_CODE', userId);
  const hash = ctx.accounts.factorSeals.hashRecoveryCode(userId, code);
  if (!(await hasRecoveryCode(ctx.db, userId, hash))) return refuse(ctx, userId, 'RECOVERY_CODE');
  return async (tx) => {
    if (!(await deleteRecoveryCode(tx.db, userId, hash))) throw invalidCode();
    await succeed(tx);
    const left = await countRecoveryCodes(tx.db, userId);
    tx.emitAccount({ type: 'user.recovery_code_used', userId, data: { left }, byOwner: true });
    await mailFactorChange(tx, userId, 'RECOVERY_CODE_USED');
  };
}

type Expected = {
  /** Null accepts the passkey of any user, in place of the password. */
  userId: string | null;
  request: PasskeyRequest | undefined;
};

export async function verifyPasskey(
  ctx: Steps,
  credential: Credential,
  { userId, request }: Expected,
): Promise<{ passkey: PasskeyRow; use: UseFactor }> {
  const { id } = credential;
  const isId = typeof id === 'string' && /^[\w-]{1,2000}$/.test(id);
  const passkey = request && isId ? await findPasskey(ctx.db, id) : null;
  if (!passkey || !request || passkey.rpId !== request.rpId) throw invalidCredential();
  if ((userId ?? passkey.userId) !== passkey.userId) throw invalidCredential();
  if ((userHandle(credential) ?? passkey.userId) !== passkey.userId) throw invalidCredential();
  const alone = userId === null;
  const counter = await verifyAssertion(credential, { passkey, request, alone }).catch(async (error) => {
    await recordFailure(ctx, passkey.userId, 'PASSKEY');
    throw error;
  });
  const use: UseFactor = async (tx) => {
    const used = await updatePasskeyUse(tx.db, { userId: passkey.userId, id: passkey.id, counter, now: tx.now });
    if (!used) throw invalidCredential();
  };
  return { passkey, use };
}

async function refuse(ctx: Steps, userId: string, method: string): Promise<never> {
  await recordFailure(ctx, userId, method);
  throw invalidCode();
}

const recordFailure = (ctx: Steps, userId: string, method: string) =>
  ctx.transaction(async (tx) => tx.emitAccount({ type: 'user.login_failed', userId, data: { method } }));

export const invalidCode = () =>
  invalidField('code', 'CODE_INVALID', 'The code is incorrect or has expired. Check it and try again.');
const codeUsed = () => invalidField('code', 'CODE_INVALID', 'This code was already used. Wait for the next one.');
export const invalidChallenge = () =>
  invalidField('challenge', 'CHALLENGE_INVALID', 'This request has expired or was already completed. Start again.');
