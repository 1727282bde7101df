import { badRequest } from '../../../shared/errors.ts';
import { methodsOf } from '../../../shared/security/step-ups.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { command, type Query, type Steps } from '../context.ts';
import { findCredentials } from '../passwords/queries.ts';
import { verifyPassword } from '../passwords/verify-password.ts';
import { lockCredential } from '../sessions/lock-credential.ts';
import { requireSession } from './change-factors.ts';
import { listPasskeyRows } from './passkey-queries.ts';
import { claimChallenge } from './queries.ts';
import { relyingParty } from './relying-party.ts';
import type { PasskeyOptions, StepUp, StepUpInput } from './schemas.ts';
import { invalidChallenge, type UseFactor, verifyFactor } from './verify-factor.ts';
import { authenticationOptions } from './webauthn.ts';

/** The options for a passkey request in the browser, limited to the caller's passkeys. */
export async function stepUpOptions(ctx: Query, origin: string | undefined): Promise<PasskeyOptions> {
  const { userId } = ctx.caller;
  const { sessionId } = requireSession(ctx.caller);
  const party = relyingParty(ctx, origin);
  const options = await authenticationOptions(party, await listPasskeyRows(ctx.db, userId));
  const passkey = { challenge: options.challenge, ...party };
  return { challenge: ctx.accounts.challenges.issue('STEP_UP', { userId, sessionId, passkey }, ctx.now), options };
}

/** Completes a step-up for this session. An account without second factors uses its password. */
export const stepUp = command({
  async prepare(ctx, { challenge: text, password, ...input }: StepUpInput) {
    const { sessionId } = requireSession(ctx.caller);
    const challenge = ctx.accounts.challenges.read('STEP_UP', text, ctx.now);
    if (!challenge || challenge.sessionId !== sessionId) throw invalidChallenge();
    if (!methodsOf(ctx.caller).includes(input.method))
      throw badRequest('method must be one of the methods in the challenge.');
    const useFactor =
      input.method === 'PASSWORD'
        ? await checkPassword(ctx, password ?? '')
        : await verifyFactor(ctx, ctx.caller.userId, input, challenge.passkey);
    return { challenge, sessionId, method: input.method, useFactor };
  },
  async execute(ctx, { challenge, sessionId, method, useFactor }): Promise<StepUp> {
    await lockCredential(ctx);
    if (!(await claimChallenge(ctx.db, challenge))) throw invalidChallenge();
    await useFactor(ctx);
    ctx.emitAccount({ type: 'user.stepped_up', userId: ctx.caller.userId, data: { method } });
    return ctx.businesses.stepUps.issue(sessionId, ctx.now);
  },
});

async function checkPassword(ctx: Steps, password: string): Promise<UseFactor> {
  const user = await findCredentials(ctx.db, { id: ctx.caller.userId });
  const account = user?.email ? emailKey(user.email) : ctx.caller.userId;
  await verifyPassword(ctx, { account, find: async () => user, password, use: 'CONFIRM' });
  return async () => {};
}
