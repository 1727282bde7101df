import type { Db, Tx } from '../../../db/sql.ts';
import type { Permission, SecondFactor } from '../../../shared/security/caller.ts';

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
  /** Null if the session or key does not expire. */
  expiresAt: number | null;
  lastUsedAt: number | null;
  grants: { businessId: string; permissions: Permission[]; secondFactorFrom: number | null }[];
  secondFactors: SecondFactor[];
  /** When the session began. */
  createdAt: number;
};

export type SessionCallerRow = CallerRow & { sessionId: string };

/** A column: the permissions of the user `u` by business. */
export const grants = (db: Db) => db`
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'businessId', m.business_id, 'permissions', r.permissions, 'secondFactorFrom', b.second_factor_from))
    from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    join businesses b on b.id = m.business_id
    where m.user_id = u.id
  ), '[]') as grants`;

export async function findCallerBySession(db: Db, id: string, nowSeconds: number): Promise<SessionCallerRow | null> {
  const [row] = await db<SessionCallerRow[]>`
    select u.id as user_id, u.email, u.is_guest, u.is_confirmed, u.second_factors, s.provider, s.id as session_id, s.expires_at,
      s.last_used_at, s.created_at, ${grants(db)}
    from sessions s join users u on u.id = s.user_id
    where s.id = ${id} and (s.expires_at is null or s.expires_at > ${nowSeconds})`;
  return row ?? null;
}

/** False if the session has ended. */
export async function lockSession(tx: Tx, id: string, nowSeconds: number): Promise<boolean> {
  const rows = await tx`
    select from sessions where id = ${id} and (expires_at is null or expires_at > ${nowSeconds}) for key share`;
  return rows.length > 0;
}

type SessionRow = {
  id: string;
  userId: string;
  provider: string;
  /** Encrypted. */
  idpTokens: string | null;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number | null;
};

export async function insertSession(tx: Tx, session: SessionRow): Promise<void> {
  await tx`insert into sessions ${tx(session)}`;
}

type NewGuest = {
  userId: string;
  phoneNumbers: string[];
  sessionId: string;
  now: number;
  sessionExpiresAt: number;
};

/** Inserts the guest and their session in one statement. */
export const insertGuest = (tx: Tx, { userId, phoneNumbers, sessionId, now, sessionExpiresAt }: NewGuest) => tx`
  with guest as (
    insert into users (id, is_guest, phone_numbers, last_login_at, created_at, updated_at)
    values (${userId}, true, ${phoneNumbers}, ${now}, ${now}, ${now})
    returning id
  )
  insert into sessions (id, user_id, provider, created_at, last_used_at, expires_at)
  select ${sessionId}, id, 'GUEST', ${now}::bigint, ${now}::bigint, ${sessionExpiresAt}::bigint from guest`;

export async function updateSessionUse(tx: Tx, id: string, nowSeconds: number): Promise<void> {
  await tx`update sessions set last_used_at = ${nowSeconds} where id = ${id}`;
}

/** Newest first. */
export const listSessionRows = (db: Db, userId: string, nowSeconds: number, after: string | null, limit: number) => db<
  Omit<SessionRow, 'userId' | 'idpTokens'>[]
>`select id, provider, created_at, last_used_at, expires_at from sessions
  where user_id = ${userId} and (expires_at is null or expires_at > ${nowSeconds})
    and (${after}::text is null or id < ${after})
  order by id desc limit ${limit}`;

/** Null if the session doesn't exist or belongs to another user. */
export async function deleteSessionRow(
  tx: Tx,
  userId: string,
  id: string,
): Promise<Pick<SessionRow, 'idpTokens'> | null> {
  const [row] = await tx<Pick<SessionRow, 'idpTokens'>[]>`
    delete from sessions where id = ${id} and user_id = ${userId} returning idp_tokens`;
  return row ?? null;
}

/** Deletes all sessions of the user except `exceptId`. */
export async function deleteSessionsOf(tx: Tx, userId: string, exceptId: string | null): Promise<void> {
  await tx`delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}`;
}

export async function deleteExpiredSessions(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from sessions where expires_at <= ${nowSeconds}`;
}
