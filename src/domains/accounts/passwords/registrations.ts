import type { Db, Tx } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/email.ts';

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
 * Whose registration this is: a new user, or the unconfirmed one with this e-mail, locked. Null when it is confirmed. The
 * password and name of the newest registration stand in the row until one is confirmed: they open nothing.
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

/** The address, the name and the password become those of this registration. The row of the user must be locked. */
export async function updateRegistered(tx: Tx, registration: RegistrationRow, now: number): Promise<void> {
  const { id, userId, email, name, passwordHash } = registration;
  await tx`update users set email = ${email}, name = ${name}, password_hash = ${passwordHash}, is_confirmed = true,
      password_version = password_version + 1, version = version + 1, updated_at = ${now}
    where id = ${userId}`;
  await tx`update registrations set confirmed_at = ${now} where id = ${id}`;
  await tx`delete from registrations where user_id = ${userId} and id <> ${id}`;
}

/** Their links are void. */
export async function deleteRegistrationsOf(tx: Tx, userId: string): Promise<void> {
  await tx`delete from registrations where user_id = ${userId}`;
}

export async function deleteExpiredRegistrations(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from registrations where expires_at <= ${nowSeconds}`;
}
