import type { Db, Tx } from '../../db/connection.ts';
import type { Row, Statement } from '../../db/sql.ts';
import type { Address } from './schemas.ts';

const keyOf = (email: string) => email.toLowerCase();

type NewUser = {
  id: string;
  email: string | null;
  name: string;
  isConfirmed: boolean;
  isGuest: boolean;
  createdAt: number;
  phoneNumbers?: string[];
  lastLoginAt?: number;
  passwordHash?: string;
};

export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  await tx`insert into users ${tx({ ...user, emailKey: user.email && keyOf(user.email), updatedAt: user.createdAt })}`;
}

/** Nothing happens when the e-mail is taken. */
export async function insertConfirmedUser(tx: Tx, id: string, email: string, name: string, now: number): Promise<void> {
  await tx`insert into users (id, email, email_key, name, is_confirmed, created_at, updated_at)
    values (${id}, ${email}, ${keyOf(email)}, ${name}, true, ${now}, ${now}) on conflict (email_key) do nothing`;
}

type Registration = { id: string; email: string; name: string; passwordHash: string; createdAt: number };
export type Registered = { id: string; passwordVersion: number };

/** The new user, or the unconfirmed one with this e-mail with the new password. Null when it is confirmed. */
export async function upsertRegistration(tx: Tx, user: Registration): Promise<Registered | null> {
  const { id, email, name, passwordHash, createdAt } = user;
  const [row] = await tx<Registered[]>`
    insert into users as u (id, email, email_key, name, password_hash, created_at, updated_at)
    values (${id}, ${email}, ${keyOf(email)}, ${name}, ${passwordHash}, ${createdAt}, ${createdAt})
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
  isGuest: boolean;
};

const credentials = (db: Db) => db`id, email, password_hash, password_version, is_confirmed, is_guest`;

export async function findCredentials(db: Db, by: { email: string } | { id: string }): Promise<CredentialRow | null> {
  const condition = 'id' in by ? db`id = ${by.id}` : db`email_key = ${keyOf(by.email)}`;
  const [row] = await db<CredentialRow[]>`select ${credentials(db)} from users where ${condition}`;
  return row ?? null;
}

export async function lockByEmail(tx: Tx, email: string): Promise<CredentialRow | null> {
  const [row] = await tx<CredentialRow[]>`
    select ${credentials(tx)} from users where email_key = ${keyOf(email)} for update`;
  return row ?? null;
}

/** False when the token's password version is no longer the user's. */
export async function updateConfirmed(tx: Tx, id: string, passwordVersion: number, now: number): Promise<boolean> {
  const { count } = await tx`update users set is_confirmed = true, version = version + 1, updated_at = ${now}
    where id = ${id} and password_version = ${passwordVersion}`;
  return count > 0;
}

/** False when the password was changed since `passwordVersion`. Whoever sets one by mail has proved the address, too. */
export async function updatePassword(
  tx: Tx,
  user: { id: string; passwordVersion: number; passwordHash: string | null; now: number },
): Promise<boolean> {
  const { count } = await tx`
    update users set password_hash = ${user.passwordHash}, password_version = password_version + 1, is_confirmed = true,
      version = version + 1, updated_at = ${user.now}
    where id = ${user.id} and password_version = ${user.passwordVersion}`;
  return count > 0;
}

/** The same password, hashed anew. */
export async function updateHash(tx: Tx, id: string, passwordVersion: number, passwordHash: string): Promise<void> {
  await tx`update users set password_hash = ${passwordHash} where id = ${id} and password_version = ${passwordVersion}`;
}

/** Waits for a change of the password under way; false when the password is another since. */
export async function updateLastLogin(tx: Tx, id: string, passwordVersion: number, now: number): Promise<boolean> {
  const { count } = await tx`update users set last_login_at = ${now}
    where id = ${id} and password_version = ${passwordVersion}`;
  return count > 0;
}

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<CredentialRow | null> {
  const [row] = await db<CredentialRow[]>`
    select u.id, u.email, u.password_hash, u.password_version, u.is_confirmed, u.is_guest
    from identities i join users u on u.id = i.user_id where i.issuer = ${issuer} and i.subject = ${subject}`;
  return row ?? null;
}

export async function insertIdentity(tx: Tx, issuer: string, subject: string, userId: string, now: number) {
  await tx`insert into identities (issuer, subject, user_id, created_at)
    values (${issuer}, ${subject}, ${userId}, ${now}) on conflict do nothing`;
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

export const hasUsers = async (db: Db): Promise<boolean> => (await db`select from users limit 1`).length > 0;

/** Which of these users exist. */
export async function existingUsers(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db<{ id: string }[]>`select id from users where id = any(${ids as string[]})`;
  return new Set(rows.map((row) => row.id));
}

export type ApiKeyRow = {
  id: string;
  name: string;
  lastFour: string;
  expiresAt: number | null;
  lastUsedAt: number | null;
};

export type UserRow = {
  id: string;
  name: string;
  email: string | null;
  isConfirmed: boolean;
  isGuest: boolean;
  phoneNumbers: string[];
  addresses: Address[];
  businessUserConfigs: { businessId: string; settings: object }[];
  onboardingCompleted: boolean;
  lastLoginAt: number | null;
  version: number;
  roles: { id: string; businessId: string; name: string; permissions: string[] }[];
  apiKeys: ApiKeyRow[];
};

const COLUMNS = `
  u.id, u.name, u.email, u.is_confirmed, u.is_guest, u.phone_numbers, u.addresses, u.business_user_configs,
  u.onboarding_completed, u.last_login_at, u.version`;

/** A column: the roles of `u`, where `condition` holds of the membership `m`. */
const rolesWhere = (condition: string) => `
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', r.id, 'businessId', r.business_id, 'name', r.name, 'permissions', r.permissions) order by r.id)
    from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    where m.user_id = u.id and ${condition}
  ), '[]'::jsonb) as roles`;

/** All there is to one user, by primary keys. Read with every look at one's profile: its text is put together once. */
const FIND_USER = `
  select ${COLUMNS}, ${rolesWhere('true')},
    coalesce((
      select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'lastFour', k.last_four,
        'expiresAt', k.expires_at, 'lastUsedAt', k.last_used_at) order by k.created_at, k.id)
      from api_keys k where k.user_id = u.id
    ), '[]'::jsonb) as api_keys
  from users u where u.id = $1`;

export async function findUserRow(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db.unsafe<UserRow[]>(FIND_USER, [id], { prepare: true });
  return row ?? null;
}

/** A user as the ADMINs of these businesses see him: with his roles there, and without his keys. */
export async function findUserSeenBy(db: Db, id: string, businessIds: string[]): Promise<UserRow | null> {
  const [row] = await db<UserRow[]>`${userSeenBy(db, businessIds)} where u.id = ${id}`;
  return row ?? null;
}

const userSeenBy = (db: Db, businessIds: string[]) => db`
  select ${db.unsafe(COLUMNS)}, ${db.unsafe(rolesWhere('m.business_id = any(seen.ids)'))}, '[]'::jsonb as api_keys
  from users u cross join (select ${businessIds}::text[] as ids) seen`;

/** Selects one column: ids of users. */
export type UserIds = Statement<Row[]>;

export type UserSearch = {
  businessIds: string[];
  /** Further people of these businesses, besides members. */
  ties: UserIds[];
  roleIds: string[];
  text: string | null;
  after: string | null;
  limit: number;
};

export function searchUserRows(db: Db, search: UserSearch): Promise<UserRow[]> {
  const { businessIds, ties, roleIds, text, after, limit } = search;
  const members = db`select user_id from members where business_id = any(${businessIds})`;
  const people =
    roleIds.length > 0
      ? db`${members} and role_id = any(${roleIds})`
      : ties.reduce<UserIds>((all, tie) => db`${all} union ${tie}`, members);
  const pattern = text && `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const matches = pattern ? db`and (u.name ilike ${pattern} or u.email ilike ${pattern} or u.id = ${text})` : db``;
  return db<UserRow[]>`
    ${userSeenBy(db, businessIds)} where u.id in (${people}) and (${after}::text is null or u.id < ${after}) ${matches}
    order by u.id desc limit ${limit}`;
}

export async function updateVersion(tx: Tx, id: string, now: number): Promise<void> {
  await tx`update users set version = version + 1, updated_at = ${now} where id = ${id}`;
}

/** Its version. */
export async function lockUser(tx: Tx, id: string): Promise<number | null> {
  const [row] = await tx<{ version: number }[]>`select version from users where id = ${id} for update`;
  return row?.version ?? null;
}

export async function updateProfile(
  tx: Tx,
  id: string,
  change: { name?: string; phoneNumbers?: string[]; addresses?: Address[] },
  now: number,
): Promise<void> {
  const { name, phoneNumbers, addresses } = change;
  await tx`update users set
    name = coalesce(${name ?? null}, name),
    phone_numbers = coalesce(${phoneNumbers ?? null}::text[], phone_numbers),
    addresses = coalesce(${addresses ? tx.json(addresses as never) : null}::jsonb, addresses),
    version = version + 1, updated_at = ${now}
    where id = ${id}`;
}

export const listApiKeys = (db: Db, userId: string) => db<ApiKeyRow[]>`
  select id, name, last_four, expires_at, last_used_at from api_keys where user_id = ${userId} order by created_at, id`;

export type NewApiKey = {
  id: string;
  name: string;
  hash: Buffer;
  lastFour: string;
  expiresAt: number | null;
};

/** A key with an id that the user has already is replaced. */
export async function upsertApiKey(tx: Tx, userId: string, key: NewApiKey, now: number): Promise<void> {
  await tx`insert into api_keys (user_id, id, name, hash, last_four, created_at, expires_at)
    values (${userId}, ${key.id}, ${key.name}, ${key.hash}, ${key.lastFour}, ${now}, ${key.expiresAt})
    on conflict (user_id, id) do update set name = excluded.name, hash = excluded.hash, last_four = excluded.last_four,
      created_at = excluded.created_at, expires_at = excluded.expires_at, last_used_at = null`;
}

export async function updateApiKey(
  tx: Tx,
  userId: string,
  key: { id: string; name: string; expiresAt: number | null },
) {
  await tx`update api_keys set name = ${key.name}, expires_at = ${key.expiresAt}
    where user_id = ${userId} and id = ${key.id}`;
}

export async function deleteApiKeys(tx: Tx, userId: string, ids: string[]): Promise<void> {
  await tx`delete from api_keys where user_id = ${userId} and id = any(${ids})`;
}
