import type { Db, Tx } from '../../db/connection.ts';
import type { Permission } from '../../shared/caller.ts';

type SigningKeyRow = { kid: string; publicKey: string; sealedPrivateKey: string; createdAt: number };

/** Oldest first: the last one signs. */
export const listSigningKeys = (db: Db) =>
  db<
    SigningKeyRow[]
  >`select kid, public_key, sealed_private_key, created_at from signing_keys order by created_at, kid`;

export async function insertSigningKey(tx: Tx, row: SigningKeyRow): Promise<void> {
  await tx`insert into signing_keys ${tx(row)}`;
}

export type CallerRow = {
  userId: string;
  email: string | null;
  isGuest: boolean;
  isConfirmed: boolean;
  provider: string;
  sessionId: string | null;
  /** When the session or key ends; null: it does not. */
  expiresAt: number | null;
  /** Of API keys. */
  keyId: string | null;
  lastUsedAt: number | null;
  grants: { businessId: string; permissions: Permission[] }[];
};

const grants = (db: Db) => db`
  coalesce((
    select jsonb_agg(jsonb_build_object('businessId', m.business_id, 'permissions', r.permissions))
    from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    where m.user_id = u.id
  ), '[]') as grants`;

export async function findCallerBySession(db: Db, sessionId: string, nowSeconds: number): Promise<CallerRow | null> {
  const [row] = await db<CallerRow[]>`
    select u.id as user_id, u.email, u.is_guest, u.is_confirmed, s.provider, s.id as session_id, s.expires_at,
      null as key_id, null as last_used_at, ${grants(db)}
    from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and (s.expires_at is null or s.expires_at > ${nowSeconds})`;
  return row ?? null;
}

export async function findCallerByKey(db: Db, hash: Buffer, nowSeconds: number): Promise<CallerRow | null> {
  const [row] = await db<CallerRow[]>`
    select u.id as user_id, u.email, u.is_guest, u.is_confirmed, 'API' as provider, null as session_id, k.expires_at,
      k.id as key_id, k.last_used_at, ${grants(db)}
    from api_keys k join users u on u.id = k.user_id
    where k.hash = ${hash} and (k.expires_at is null or k.expires_at > ${nowSeconds})`;
  return row ?? null;
}

export async function updateKeyUse(tx: Tx, userId: string, keyId: string, nowSeconds: number): Promise<void> {
  await tx`update api_keys set last_used_at = ${nowSeconds} where user_id = ${userId} and id = ${keyId}`;
}

type NewUser = {
  id: string;
  email: string | null;
  name: string;
  isConfirmed: boolean;
  isGuest: boolean;
  createdAt: number;
};

export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  await tx`insert into users ${tx({ ...user, emailKey: user.email?.toLowerCase() ?? null, updatedAt: user.createdAt })}`;
}

type NewSession = { id: string; userId: string; provider: string; createdAt: number; expiresAt: number | null };

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx`insert into sessions ${tx({ ...session, lastUsedAt: session.createdAt })}`;
}

export type UserSummary = {
  id: string;
  email: string | null;
  name: string;
  isConfirmed: boolean;
  isGuest: boolean;
  phoneNumbers: string[];
};

export async function findUser(db: Db, id: string): Promise<UserSummary | null> {
  const [row] = await db<UserSummary[]>`
    select id, email, name, is_confirmed, is_guest, phone_numbers from users where id = ${id}`;
  return row ?? null;
}

/** Which of these users exist. */
export async function existingUsers(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db<{ id: string }[]>`select id from users where id = any(${ids as string[]})`;
  return new Set(rows.map((row) => row.id));
}
