import type { Db, Tx } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/text/email.ts';

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

/** False if the password has changed since `passwordVersion`. Also confirms the email, because a reset by email proves ownership. */
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

/** Stores a new hash of the same password. */
export async function updateHash(tx: Tx, id: string, passwordVersion: number, passwordHash: string): Promise<void> {
  await tx`update users set password_hash = ${passwordHash} where id = ${id} and password_version = ${passwordVersion}`;
}

/** Waits for a concurrent password change. False if the password has changed since `passwordVersion`. */
export async function updateLastLogin(tx: Tx, id: string, passwordVersion: number, now: number): Promise<boolean> {
  const rows = await tx`update users set last_login_at = ${now}
    where id = ${id} and password_version = ${passwordVersion} returning id`;
  return rows.length > 0;
}
