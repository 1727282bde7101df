import { lockName } from '../../../db/lock-name.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { type CredentialRow, credentials } from '../passwords/queries.ts';

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<CredentialRow | null> {
  const [row] = await db<CredentialRow[]>`
    select ${credentials(db)} from identities i join users u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject}`;
  return row ?? null;
}

type IdentityRow = { issuer: string; subject: string; userId: string; createdAt: number };

/** Does nothing if the identity exists. */
export async function insertIdentity(tx: Tx, identity: IdentityRow): Promise<void> {
  await tx`insert into identities ${tx(identity)} on conflict do nothing`;
}

/** Does nothing if the email is taken. */
export async function insertConfirmedUser(
  tx: Tx,
  user: { id: string; email: string | null; name: string; createdAt: number },
): Promise<void> {
  const { id, email, name, createdAt } = user;
  await tx`insert into users (id, email, email_key, name, is_confirmed, created_at, updated_at)
    values (${id}, ${email}, ${email && emailKey(email)}, ${name}, true, ${createdAt}, ${createdAt})
    on conflict (email_key) do nothing`;
}

/** Serializes logins by one subject until the transaction ends, so that two concurrent first logins create one user. */
export async function lockIdentity(tx: Tx, issuer: string, subject: string): Promise<void> {
  await lockName(tx, `${issuer} ${subject}`);
}

export async function lockByEmail(tx: Tx, email: string): Promise<CredentialRow | null> {
  const [row] = await tx<CredentialRow[]>`
    select ${credentials(tx)} from users u where u.email_key = ${emailKey(email)} for update`;
  return row ?? null;
}
