import type { Identity } from '../../../providers/oauth/port.ts';
import { newId } from '../../../shared/ids.ts';
import { emailKey, isEmail } from '../../../shared/text/email.ts';
import type { Command } from '../context.ts';
import { changePassword } from '../passwords/change-password.ts';
import { type CredentialRow, findCredentials } from '../passwords/queries.ts';
import { registrationClosed } from '../registration.ts';
import { findIdentity, insertConfirmedUser, insertIdentity, lockByEmail, lockIdentity } from './queries.ts';

/**
 * Finds the user by the provider's subject first, then by email if the provider has verified it. An unconfirmed account with
 * that email was created by someone who never proved they own it, so its password is removed before the identity is linked.
 * An identity without a verified email gets an account without an email. `invited`: an email that may register even while
 * registration is closed.
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
  const email = verifiedEmail(ctx, identity);
  let user = email === null ? null : await lockByEmail(tx, email);
  if (!user?.isConfirmed && ctx.config.registration === 'invited') {
    if (email === null || invited === null || emailKey(email) !== emailKey(invited)) throw registrationClosed();
  }
  if (!user?.isConfirmed) user = await ensureConfirmedUser(ctx, { email, name }, user);
  await insertIdentity(tx, { issuer, subject, userId: user!.id, createdAt: now });
  return (await findCredentials(tx, { id: user!.id }))!;
}

/**
 * Returns the confirmed user of an email that is proven to belong to the caller, or creates one. The password of an unconfirmed account
 * was chosen by someone who never proved that they own the email, so it is removed.
 */
export async function ensureConfirmedUser(
  ctx: Command,
  { email, name }: { email: string | null; name: string },
  found: CredentialRow | null,
): Promise<CredentialRow> {
  const { db: tx, now } = ctx;
  if (found) {
    if (!found.isConfirmed) await changePassword(ctx, { ...found, passwordHash: null });
    return (await findCredentials(tx, { id: found.id }))!;
  }
  const id = newId('usr');
  await insertConfirmedUser(tx, { id, email, name, createdAt: now });
  ctx.emitAccount({ type: 'user.registered', userId: id, data: { email }, byOwner: true });
  // A concurrent first login may have created a confirmed user with this email. If so, that user is returned.
  return (email === null ? await findCredentials(tx, { id }) : await lockByEmail(tx, email))!;
}

/** Applies the same format rules as registration. */
function verifiedEmail({ config }: Command, { email, emailVerified }: Identity): string | null {
  const isVerified = emailVerified ?? config.oauth?.trustEmail ?? false;
  return isVerified && email !== null && isEmail(email) ? email : null;
}
