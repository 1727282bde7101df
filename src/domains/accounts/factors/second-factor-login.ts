import { consumeLimit } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command, type Query } from '../context.ts';
import { findCredentials, updateLastLogin } from '../passwords/queries.ts';
import { beginSession, type SessionInput } from '../sessions/begin-session.ts';
import { openSession } from '../sessions/open-session.ts';
import { listPasskeyRows } from './passkey-queries.ts';
import { claimChallenge } from './queries.ts';
import { relyingParty } from './relying-party.ts';
import type { PasskeyLoginInput, PasskeyOptions, SecondFactorInput } from './schemas.ts';
import { invalidChallenge, verifyFactor, verifyPasskey } from './verify-factor.ts';
import { authenticationOptions } from './webauthn.ts';

/** Completes a login that requires a second factor. A password change in the meantime invalidates the challenge. */
export const secondFactorLogin = command({
  async prepare(ctx, { challenge: text, ...input }: SecondFactorInput) {
    await consumeLimit(ctx, ctx.accounts.limits.address, addressKey(ctx.address));
    const challenge = ctx.accounts.challenges.read('LOGIN', text, ctx.now);
    if (!challenge) throw invalidChallenge();
    return { challenge, useFactor: await verifyFactor(ctx, challenge.userId, input, challenge.passkey) };
  },
  async execute(ctx, { challenge, useFactor }) {
    const { userId, passwordVersion } = challenge;
    if (!(await updateLastLogin(ctx.db, userId, passwordVersion, ctx.now))) throw invalidChallenge();
    if (!(await claimChallenge(ctx.db, challenge))) throw invalidChallenge();
    await useFactor(ctx);
    return beginSession(ctx, { ...(challenge.session as SessionInput), hasSecondFactor: true });
  },
  afterCommit: openSession,
});

type OptionsInput = { challenge?: string; origin: string | undefined };

/**
 * The options for the browser's passkey request: to log in with a passkey alone or, with the challenge of a login, to use one as its second
 * factor.
 */
export async function passkeyLoginOptions(
  ctx: Query,
  { challenge: text, origin }: OptionsInput,
): Promise<PasskeyOptions> {
  const { challenges } = ctx.accounts;
  const party = relyingParty(ctx, origin);
  const login = text === undefined ? null : challenges.read('LOGIN', text, ctx.now);
  if (text !== undefined && !login) throw invalidChallenge();
  const options = await authenticationOptions(party, login && (await listPasskeyRows(ctx.db, login.userId)));
  const passkey = { challenge: options.challenge, ...party };
  const challenge = login
    ? challenges.issue('LOGIN', { ...login, passkey }, ctx.now)
    : challenges.issue('PASSKEY_LOGIN', { passkey }, ctx.now);
  return { challenge, options };
}

/** A passkey on a device that verified its user counts as both factors. */
export const passkeyLogin = command({
  async prepare(ctx, { challenge: text, credential }: PasskeyLoginInput) {
    await consumeLimit(ctx, ctx.accounts.limits.address, addressKey(ctx.address));
    const challenge = ctx.accounts.challenges.read('PASSKEY_LOGIN', text, ctx.now);
    if (!challenge) throw invalidChallenge();
    const { passkey, use } = await verifyPasskey(ctx, credential, { userId: null, request: challenge.passkey });
    return { challenge, userId: passkey.userId, useFactor: use };
  },
  async execute(ctx, { challenge, userId, useFactor }) {
    const user = await findCredentials(ctx.db, { id: userId });
    if (!user || !(await updateLastLogin(ctx.db, userId, user.passwordVersion, ctx.now))) throw invalidChallenge();
    if (!(await claimChallenge(ctx.db, challenge))) throw invalidChallenge();
    await useFactor(ctx);
    return beginSession(ctx, { userId, provider: 'PASSKEY', lifeSeconds: null, hasSecondFactor: true });
  },
  afterCommit: openSession,
});
