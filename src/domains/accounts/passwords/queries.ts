import type { Db, Tx } from '../../../db/sql.ts';

/** E-mails are compared without case. */
export const emailKey = (email: string) => email.toLowerCase();

type Registration = { id: string; email: string; name: string; passwordHash: string; createdAt: number };
export type Registered = { id: string; passwordVersion: number };

/** The new user, or the unconfirmed one with this e-mail with the new password. Null when it is confirmed. */
export async function upsertRegistration(tx: Tx, user: Registration): Promise<Registered | null> {
  const { id, email, name, passwordHash, createdAt } = user;
  const [row] = await tx<Registered[]>`
    insert into users as u (id, email, email_key, name, password_hash, created_at, updated_at)
    values (${id}, ${email}, ${emailKey(email)}, ${name}, ${passwordHash}, ${createdAt}, ${createdAt})
    on conflict (email_key) do update set email = excluded.email, name = excluded.name,
      password_hash = excluded.password_hash, password_version = u.password_version + 1,
      version = u.version + 1, updated_at = excluded.updated_at
    where not u.is_confirmed
    returning id, password_version`;
  return row ?? null;
}

export type CredentialRow = {
  id: string;
  email: string | null;
  passwordHash: string | null;
  passwordVersion: number;
  isConfirmed: boolean;
};

/** Columns of the user `u`. */
export const credentials = (db: Db) => db`u.id, u.email, u.password_hash, u.password_version, u.is_confirmed`;

export async function findCredentials(db: Db, by: { email: string } | { id: string }): Promise<CredentialRow | null> {
  const condition = 'id' in by ? db`u.id = ${by.id}` : db`u.email_key = ${emailKey(by.email)}`;
  const [row] = await db<CredentialRow[]>`select ${credentials(db)} from users u where ${condition}`;
  return row ?? null;
}

/** False when the token's password version is no longer the user's. */
export async function updateConfirmed(tx: Tx, id: string, passwordVersion: number, now: number): Promise<boolean> {
  const rows = await tx`update users set is_confirmed = true, version = version + 1, updated_at = ${now}
    where id = ${id} and password_version = ${passwordVersion} returning id`;
  return rows.length > 0;
}

/** False when the password was changed since `passwordVersion`. Whoever sets one by mail has proved the address, too. */
export async function updatePassword(
  tx: Tx,
  user: { id: string; passwordVersion: number; passwordHash: string | null; now: number },
): Promise<boolean> {
  const rows = await tx`
    update users set password_hash = ${user.passwordHash}, password_version = password_version + 1, is_confirmed = true,
      version = version + 1, updated_at = ${user.now}
    where id = ${user.id} and password_version = ${user.passwordVersion} returning id`;
  return rows.length > 0;
}

/** The same password, hashed anew. */
export async function updateHash(tx: Tx, id: string, passwordVersion: number, passwordHash: string): Promise<void> {
  await tx`update users set password_hash = ${passwordHash} where id = ${id} and password_version = ${passwordVersion}`;
}

/** Waits for a change of the password under way; false when the password is another since. */
export async function updateLastLogin(tx: Tx, id: string, passwordVersion: number, now: number): Promise<boolean> {
  const rows = await tx`update users set last_login_at = ${now}
    where id = ${id} and password_version = ${passwordVersion} returning id`;
  return rows.length > 0;
}
