import type { Db, Tx } from '../../db/connection.ts';
import type { Permission } from '../../shared/caller.ts';

export type SigningKeyRow = { kid: string; publicKey: string; sealedPrivateKey: string; createdAt: number };

/** Oldest first. */
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

export type SessionRow = {
  id: string;
  userId: string;
  provider: string;
  idpTokens: string | null;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number | null;
};

type NewSession = Omit<SessionRow, 'lastUsedAt'>;

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx`insert into sessions ${tx({ ...session, lastUsedAt: session.createdAt })}`;
}

/** The session, and marks it used (not oftener than each minute, so that refreshing at once does not queue for the row). */
export async function updateSessionUse(tx: Tx, id: string, nowSeconds: number): Promise<void> {
  await tx`update sessions set last_used_at = ${nowSeconds} where id = ${id} and last_used_at <= ${nowSeconds - 60}`;
}

/** Newest first. */
export const listSessions = (db: Db, userId: string, nowSeconds: number, after: string | null, limit: number) => db<
  SessionRow[]
>`select id, user_id, provider, null as idp_tokens, created_at, last_used_at, expires_at from sessions
  where user_id = ${userId} and (expires_at is null or expires_at > ${nowSeconds})
    and (${after}::text is null or id < ${after})
  order by id desc limit ${limit}`;

/** Null when it was not there, or is another user's. */
export async function deleteSession(tx: Tx, userId: string, id: string): Promise<SessionRow | null> {
  const [row] = await tx<SessionRow[]>`delete from sessions where id = ${id} and user_id = ${userId}
    returning id, user_id, provider, idp_tokens, created_at, last_used_at, expires_at`;
  return row ?? null;
}

export async function deleteSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx`delete from sessions where user_id = ${userId}`;
}

/** Sessions, codes and logins that nobody can use any more. */
export async function deleteExpired(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from sessions where expires_at <= ${nowSeconds}`;
  await tx`delete from phone_codes where expires_at <= ${nowSeconds}`;
  await tx`delete from oauth_flows where expires_at <= ${nowSeconds}`;
}
