import type { Db, Fragment, Tx } from '../../../db/sql.ts';
import type { SecondFactor } from '../../../shared/security/caller.ts';
import type { Membership } from '../../../shared/security/rights.ts';

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
  name: string;
  isGuest: boolean;
  isConfirmed: boolean;
  provider: string;
  /** Null if the session or key does not expire. */
  expiresAt: number | null;
  lastUsedAt: number | null;
  grants: Membership[];
  secondFactors: SecondFactor[];
  /** Raised when the account adds its first second factor. */
  keyGeneration: number;
  hasPassword: boolean;
  /** When the session began. */
  createdAt: number;
};

export type SessionCallerRow = CallerRow & {
  sessionId: string;
  /** The business whose single sign-on began the session. */
  ssoBusiness?: string | null;
  /** The business of a support session. */
  supportBusiness?: string | null;
  /** The ADMIN who views the shop as the user, in a support session. */
  supportBy?: string | null;
};

/** A column: the memberships of the user `u`, one for each role. */
export const GRANTS = `
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'businessId', m.business_id, 'permissions', r.permissions, 'secondFactorFrom', b.second_factor_from,
      'keyPolicy', b.key_policy, 'requiresSso', exists (
        select from sso_connections c join sso_domains d on d.business_id = c.business_id and d.verified_at is not null
        where c.business_id = m.business_id and c.is_enforced and d.domain = split_part(u.email_key, '@', 2))))
    from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    join businesses b on b.id = m.business_id
    where m.user_id = u.id
  ), '[]') as grants`;

const CALLER = `
  u.id as user_id, u.email, u.name, u.is_guest, u.is_confirmed, u.second_factors, u.key_generation,
  u.password_hash is not null as has_password, ${GRANTS}`;

export const callerColumns = (db: Db): Fragment => db.text(CALLER);

/** The account without a login. */
export async function findAccount(db: Db, userId: string): Promise<CallerRow | null> {
  const [row] = await db<CallerRow[]>`
    select ${callerColumns(db)}, 'EMAIL' as provider, null as expires_at, null as last_used_at, u.created_at
    from users u where u.id = ${userId}`;
  return row ?? null;
}

export async function findCallerBySession(db: Db, id: string, nowSeconds: number): Promise<SessionCallerRow | null> {
  const [row] = await db<SessionCallerRow[]>`
    select ${callerColumns(db)}, s.provider, s.id as session_id, s.expires_at, s.last_used_at, s.created_at, s.sso_business,
      s.support_business, s.support_by
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
  device: string | null;
  address: string | null;
  ssoBusiness?: string | null;
  supportBusiness?: string | null;
  supportBy?: string | null;
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
  Pick<SessionRow, 'id' | 'provider' | 'device' | 'address' | 'createdAt' | 'lastUsedAt' | 'expiresAt'>[]
>`select id, provider, device, address, created_at, last_used_at, expires_at from sessions
  where user_id = ${userId} and (expires_at is null or expires_at > ${nowSeconds})
    and (${after}::text is null or id < ${after})
  order by id desc limit ${limit}`;

type EndedSession = Pick<SessionRow, 'idpTokens'> & { supportBusiness: string | null; supportBy: string | null };

/** Null if the session doesn't exist or belongs to another user. */
export async function deleteSessionRow(tx: Tx, userId: string, id: string): Promise<EndedSession | null> {
  const [row] = await tx<EndedSession[]>`
    delete from sessions where id = ${id} and user_id = ${userId} returning idp_tokens, support_business, support_by`;
  return row ?? null;
}

/** Deletes all sessions of the user except `exceptId`. */
export async function deleteSessionsOf(tx: Tx, userId: string, exceptId: string | null): Promise<void> {
  await tx`delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}`;
}

export async function deleteExpiredSessions(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from sessions where expires_at <= ${nowSeconds}`;
}

/** Whether the user has logged in with this device before, and with any device. Logins without a known device don't count. */
export async function findDeviceUse(
  db: Db,
  userId: string,
  device: string,
): Promise<{ isKnown: boolean; hasOthers: boolean }> {
  const [row] = await db<{ isKnown: boolean; hasOthers: boolean }[]>`
    select coalesce(bool_or(data ->> 'device' = ${device}), false) as is_known, count(*) > 0 as has_others
    from account_events where user_id = ${userId} and type = 'user.login' and data ->> 'device' is not null`;
  return row!;
}
