import type { StepsOf } from '../../../context/index.ts';
import { spend } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { emailKey } from '../../../shared/email.ts';
import { conflict, invalid } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { claimInvitation, findOpenInvitation, invitationInvalid, joinBusiness } from '../../businesses/index.ts';
import type { AccountServices, Command, Query } from '../context.ts';
import { checkPassword } from './password-rules.ts';
import { findCredentials } from './queries.ts';
import { insertRegistration, updateRegistered, upsertUnconfirmed } from './registrations.ts';
import { verifyPassword } from './verify-password.ts';

type Input = { token: string; name?: string; password: string };
type Prepared = { userId: string } | { email: string; passwordHash: string };

/** Whether somebody can log in with this e-mail. Only for whoever has proved that it is theirs. */
export const hasAccount = async ({ db }: Pick<Query, 'db'>, email: string): Promise<boolean> =>
  (await findCredentials(db, { email }))?.isConfirmed ?? false;

/**
 * Accepts an invitation with its token: as the account with that e-mail, by its password, or as a new one. The token came by
 * mail to the address, so that a new account needs no other proof.
 */
export const joinByInvitation: StepsOf<AccountServices, Input, Prepared, typeof SUCCESS, typeof SUCCESS> = {
  async prepare(ctx, { token, password }) {
    await spend(ctx, ctx.accounts.limits.address, addressKey(ctx.address));
    const invitation = await findOpenInvitation(ctx, token);
    if (!invitation) throw invitationInvalid();
    const { email } = invitation;
    const find = () => findCredentials(ctx.db, { email });
    if ((await find())?.isConfirmed) {
      const user = await verifyPassword(ctx, { account: emailKey(email), find, password, field: 'password' });
      return { userId: user.id };
    }
    const errors = checkPassword(password, email, 'password');
    if (errors.length > 0) throw invalid(errors);
    return { email, passwordHash: await ctx.accounts.passwords.hash(password) };
  },
  async execute(ctx, { token, name }, prepared) {
    const invitation = await claimInvitation(ctx, token);
    const userId = 'userId' in prepared ? prepared.userId : await addProven(ctx, { ...prepared, name: name ?? '' });
    await joinBusiness(ctx, invitation, userId);
    return SUCCESS;
  },
};

/** Registrations of the address that are open elsewhere are void then. */
async function addProven(
  ctx: Command,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<string> {
  const { db: tx, now } = ctx;
  const registration = { email, name: name.trim(), passwordHash, createdAt: now };
  const userId = await upsertUnconfirmed(tx, { userId: newId('usr'), ...registration });
  if (userId === null) throw conflict('This e-mail was registered meanwhile. Log in to accept.');
  const row = { id: newId('reg'), userId, ...registration, expiresAt: now };
  await insertRegistration(tx, row);
  await updateRegistered(tx, row, now);
  await ctx.emitAccount({ type: 'user.registered', userId, data: { email }, byOwner: true });
  return userId;
}
