import { consumeLimit } from '../../../db/limits.ts';
import { conflict, invalid } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { claimInvitation, findOpenInvitation, invalidInvitation, joinBusiness } from '../../businesses/index.ts';
import { type Command, command, type Query, type Steps } from '../context.ts';
import { checkPassword } from './password-rules.ts';
import { findCredentials } from './queries.ts';
import { insertRegistration, updateRegistration, upsertUnconfirmed } from './registrations.ts';
import { verifyPassword } from './verify-password.ts';

type Input = { token: string; name?: string; password: string };
/** The existing account that joins, or the data for a new one. */
type Joining = { userId: string } | { email: string; name: string; passwordHash: string };

/** Whether a confirmed account has this email. Reveal the result only to the proven owner of the email. */
export const hasAccount = async ({ db }: Pick<Query, 'db'>, email: string): Promise<boolean> =>
  (await findCredentials(db, { email }))?.isConfirmed ?? false;

/**
 * Accepts an invitation with its token, either as the account with that email, verified by its password, or as a new account.
 * The token was sent to the email, so a new account needs no further confirmation.
 */
export const joinByInvitation = command({
  prepare: async (ctx, input: Input) => ({ token: input.token, joining: await prepareJoining(ctx, input) }),
  async execute(ctx, { token, joining }) {
    const invitation = await claimInvitation(ctx, token);
    const userId = 'userId' in joining ? joining.userId : await addVerifiedUser(ctx, joining);
    await joinBusiness(ctx, invitation, userId);
    return SUCCESS;
  },
});

async function prepareJoining(ctx: Steps, { token, name = '', password }: Input): Promise<Joining> {
  await consumeLimit(ctx, ctx.accounts.limits.address, addressKey(ctx.address));
  const invitation = await findOpenInvitation(ctx, token);
  if (!invitation) throw invalidInvitation();
  const { email } = invitation;
  const find = () => findCredentials(ctx.db, { email });
  if ((await find())?.isConfirmed) {
    const user = await verifyPassword(ctx, { account: emailKey(email), find, password, use: 'CONFIRM' });
    return { userId: user.id };
  }
  const errors = checkPassword(password, email, 'password');
  if (errors.length > 0) throw invalid(errors);
  return { email, name, passwordHash: await ctx.accounts.passwords.hash(password) };
}

/** Invalidates other open registrations of the email. */
async function addVerifiedUser(
  ctx: Command,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<string> {
  const { db: tx, now } = ctx;
  const registration = { email, name: name.trim(), passwordHash, createdAt: now };
  const userId = await upsertUnconfirmed(tx, { userId: newId('usr'), ...registration });
  if (userId === null) throw conflict('This email has just been registered. Log in to accept the invitation.');
  const row = { id: newId('reg'), userId, ...registration, expiresAt: now };
  await insertRegistration(tx, row);
  await updateRegistration(tx, row, now);
  ctx.emitAccount({ type: 'user.registered', userId, data: { email }, byOwner: true });
  return userId;
}
