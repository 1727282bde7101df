import type { Db, Tx } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/text/email.ts';

type RegistrationRow = {
  id: string;
  userId: string;
  email: string;
  name: string;
  passwordHash: string;
  createdAt: number;
  expiresAt: number;
};

/**
 * Returns the ID of a new user, or of the unconfirmed user with this email, and locks the row. Null if the user is confirmed.
 * Until a registration is confirmed, the row contains the name and password of the newest registration, which grant no access.
 */
export async function upsertUnconfirmed(
  tx: Tx,
  user: Omit<RegistrationRow, 'id' | 'expiresAt'>,
): Promise<string | null> {
  const { userId, email, name, passwordHash, createdAt } = user;
  const [row] = await tx<{ id: string }[]>`
    insert into users as u (id, email, email_key, name, password_hash, created_at, updated_at)
    values (${userId}, ${email}, ${emailKey(email)}, ${name}, ${passwordHash}, ${createdAt}, ${createdAt})
    on conflict (email_key) do update set name = excluded.name, password_hash = excluded.password_hash,
      version = u.version + 1, updated_at = excluded.updated_at
    where not u.is_confirmed
    returning id`;
  return row?.id ?? null;
}

export async function insertRegistration(tx: Tx, registration: RegistrationRow): Promise<void> {
  await tx`insert into registrations ${tx(registration)}`;
}

export async function hasOpenRegistration(db: Db, userId: string, nowSeconds: number): Promise<boolean> {
  const rows = await db`select id from registrations where user_id = ${userId} and expires_at > ${nowSeconds} limit 1`;
  return rows.length > 0;
}

type FoundRegistration = RegistrationRow & { confirmedAt: number | null };

export async function findRegistration(db: Db, userId: string, id: string): Promise<FoundRegistration | null> {
  const [row] = await db<FoundRegistration[]>`select * from registrations where user_id = ${userId} and id = ${id}`;
  return row ?? null;
}

/** Copies the email, name and password of the registration to the user. The caller must have locked the user's row. */
export async function updateRegistration(tx: Tx, registration: RegistrationRow, now: number): Promise<void> {
  const { id, userId, email, name, passwordHash } = registration;
  await tx`update users set email = ${email}, name = ${name}, password_hash = ${passwordHash}, is_confirmed = true,
      password_version = password_version + 1, version = version + 1, updated_at = ${now}
    where id = ${userId}`;
  await tx`update registrations set confirmed_at = ${now} where id = ${id}`;
  await tx`delete from registrations where user_id = ${userId} and id <> ${id}`;
}

/** Invalidates the confirmation links of the user. */
export async function deleteRegistrationsOf(tx: Tx, userId: string): Promise<void> {
  await tx`delete from registrations where user_id = ${userId}`;
}

export async function deleteExpiredRegistrations(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from registrations where expires_at <= ${nowSeconds}`;
}
