import { timingSafeEqual } from 'node:crypto';
import { consumeLimit, resetLimit } from '../../../db/limits.ts';
import { invalidField } from '../../../shared/errors.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { emailKey, mailboxKey } from '../../../shared/text/email.ts';
import { command } from '../context.ts';
import { ensureConfirmedUser } from '../oauth/find-or-link.ts';
import { lockByEmail } from '../oauth/queries.ts';
import { hashSecret } from '../oauth/seals.ts';
import { updateLastLogin } from '../passwords/queries.ts';
import { isRegistrationAllowed, registrationClosed } from '../registration.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { openSession } from '../sessions/open-session.ts';
import { hashLoginCode, invalidCode, MAX_TRIES } from './codes.ts';
import { claimCodeAttempt, deleteLoginCode } from './queries.ts';
import type { CodeLoginInput } from './schemas.ts';

/** Logs in with an emailed code. Every attempt is counted before it is checked, so guessing in parallel gains nothing. */
export const codeLogin = command({
  async prepare(ctx, { email, code = '', challenge, invitationToken }: CodeLoginInput) {
    await consumeLimit(ctx, ctx.accounts.limits.address, addressKey(ctx.address));
    if (challenge === undefined) throw invalidField('challenge', 'REQUIRED', 'challenge is required with a code.');
    const secretHash = hashSecret(challenge);
    const expected = await ctx.write((tx) => claimCodeAttempt(tx, secretHash, MAX_TRIES, ctx.now));
    const actual = hashLoginCode(ctx, challenge, code.trim());
    if (!expected || emailKey(expected.email) !== emailKey(email) || !timingSafeEqual(expected.codeHash, actual)) {
      throw invalidCode();
    }
    const mayRegister = await isRegistrationAllowed(ctx, expected.email, invitationToken);
    return { secretHash, email: expected.email, mayRegister };
  },
  async execute(ctx, { secretHash, email, mayRegister }) {
    if (!(await deleteLoginCode(ctx.db, secretHash))) throw invalidCode();
    const found = await lockByEmail(ctx.db, email);
    if (!found?.isConfirmed && !mayRegister) throw registrationClosed();
    const user = await ensureConfirmedUser(ctx, { email, name: '' }, found);
    await updateLastLogin(ctx.db, user.id, user.passwordVersion, ctx.now);
    await resetLimit(ctx, ctx.accounts.limits.codeMailbox, mailboxKey(email));
    return beginSession(ctx, { userId: user.id, provider: 'EMAIL', lifeSeconds: null });
  },
  afterCommit: openSession,
});
