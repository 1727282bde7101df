import type { Identity } from '../../../providers/oauth/port.ts';
import { invalidField } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { Command } from '../context.ts';
import { changePassword } from '../passwords/change-password.ts';
import { type CredentialRow, findCredentials } from '../passwords/queries.ts';
import { findIdentity, insertConfirmedUser, insertIdentity, lockByEmail } from './queries.ts';

/**
 * By the provider's subject first. By e-mail only when the provider vouches for it; an unconfirmed account with that e-mail
 * was made by somebody who never proved the address, so it loses its password before it is handed over.
 */
export async function findOrLink(ctx: Command, identity: Identity): Promise<CredentialRow> {
  const { db: tx, now } = ctx;
  const { issuer, subject, email, emailVerified, name } = identity;
  const known = await findIdentity(tx, issuer, subject);
  if (known) return known;
  if (!email || !emailVerified || !isPlainEmail(email)) {
    throw invalidField('email', 'NOT_CONFIRMED', 'The identity provider has not verified the e-mail.');
  }
  await insertConfirmedUser(tx, { id: newId('usr'), email, name, createdAt: now });
  const user = await lockByEmail(tx, email);
  if (!user.isConfirmed) await changePassword(ctx, { ...user, passwordHash: null });
  await insertIdentity(tx, { issuer, subject, userId: user.id, createdAt: now });
  return (await findCredentials(tx, { id: user.id }))!;
}

const isPlainEmail = (email: string) => email.length <= 254 && /^[^\s<>"(),:;\\[\]\p{Cc}]+@[^\s@]+$/u.test(email);
