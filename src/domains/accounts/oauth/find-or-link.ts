import type { Identity } from '../../../providers/oauth/port.ts';
import { emailKey, isEmail } from '../../../shared/email.ts';
import { newId } from '../../../shared/ids.ts';
import type { Command } from '../context.ts';
import { changePassword } from '../passwords/change-password.ts';
import { type CredentialRow, findCredentials } from '../passwords/queries.ts';
import { registrationClosed } from '../registration.ts';
import { findIdentity, insertConfirmedUser, insertIdentity, lockByEmail, lockIdentity } from './queries.ts';

/**
 * By the provider's subject first. By e-mail only when the provider vouches for it; an unconfirmed account with that e-mail
 * was made by somebody who never proved the address, so it loses its password before it is handed over. Who has no proven
 * address gets an account without one. `invited`: the e-mail that may sign up although sign-up is closed.
 */
export async function findOrLink(
  ctx: Command,
  identity: Identity,
  invited: string | null = null,
): Promise<CredentialRow> {
  const { db: tx, now } = ctx;
  const { issuer, subject, name } = identity;
  await lockIdentity(tx, issuer, subject);
  const known = await findIdentity(tx, issuer, subject);
  if (known) return known;
  const email = provenEmail(ctx, identity);
  let user = email === null ? null : await lockByEmail(tx, email);
  if (!user?.isConfirmed && ctx.config.registration === 'invited') {
    if (email === null || invited === null || emailKey(email) !== emailKey(invited)) throw registrationClosed();
  }
  if (user && !user.isConfirmed) await changePassword(ctx, { ...user, passwordHash: null });
  if (!user) {
    const id = newId('usr');
    await insertConfirmedUser(tx, { id, email, name, createdAt: now });
    await ctx.emitAccount({ type: 'user.registered', userId: id, data: { email }, byOwner: true });
    // Another person's first login may have made a user with this e-mail meanwhile: then it is theirs, and confirmed.
    user = email === null ? await findCredentials(tx, { id }) : await lockByEmail(tx, email);
  }
  await insertIdentity(tx, { issuer, subject, userId: user!.id, createdAt: now });
  return (await findCredentials(tx, { id: user!.id }))!;
}

/** By the same rules as at registration. */
function provenEmail({ config }: Command, { email, emailVerified }: Identity): string | null {
  const isProven = emailVerified ?? config.oauth?.trustEmail ?? false;
  return isProven && email !== null && isEmail(email) ? email : null;
}
