import type { Db, Tx } from '../../../db/sql.ts';
import type { PartialAddress } from '../../../shared/schemas.ts';
import type { Permission } from '../../../shared/security/caller.ts';
import type { Membership } from '../../../shared/security/rights.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { escapeLike } from '../../../shared/text/text.ts';
import { usersWithActivityAt } from '../../businesses/index.ts';
import type { ApiKeyRow } from '../keys/queries.ts';
import { GRANTS } from '../sessions/queries.ts';

type NewUser = {
  id: string;
  email: string | null;
  name: string;
  isConfirmed: boolean;
  isGuest: boolean;
  createdAt: number;
  passwordHash?: string;
};

export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  const row = { ...user, emailKey: user.email && emailKey(user.email), updatedAt: user.createdAt };
  await tx`insert into users ${tx(row)}`;
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

/** Whether this is the confirmed email of a member of the business. */
export async function isMemberEmail(db: Db, businessId: string, email: string): Promise<boolean> {
  const rows = await db`
    select from users u join members m on m.business_id = ${businessId} and m.user_id = u.id
    where u.email_key = ${emailKey(email)} and u.is_confirmed limit 1`;
  return rows.length > 0;
}

export const hasUsers = async (db: Db): Promise<boolean> => (await db`select id from users limit 1`).length > 0;

/** Whether anyone can log in with an account. Guests and unconfirmed registrations don't count. */
export const hasAccounts = async (db: Db): Promise<boolean> =>
  (await db`select id from users where is_confirmed limit 1`).length > 0;

export async function deleteUnconfirmed(tx: Tx, email: string): Promise<void> {
  await tx`delete from users where email_key = ${emailKey(email)} and not is_confirmed`;
}

export type UserRow = {
  id: string;
  name: string;
  email: string | null;
  isConfirmed: boolean;
  isGuest: boolean;
  phoneNumbers: string[];
  addresses: PartialAddress[];
  businessUserConfigs: { businessId: string; settings: object }[];
  onboardingCompleted: boolean;
  lastLoginAt: number | null;
  version: number;
  /** `pending`: the user has not accepted the role. */
  roles: { id: string; businessId: string; name: string; permissions: string[]; pending: boolean }[];
};

/** A user with what only they see. */
type OwnRow = UserRow & { apiKeys: ApiKeyRow[]; grants: Membership[]; keyGeneration: number };

/** A user as some businesses see them. `hasActed`: whether the user has interacted with at least one of these businesses. */
export type SeenRow = UserRow & { hasActed: boolean };

const COLUMNS = `
  u.id, u.name, u.email, u.is_confirmed, u.is_guest, u.phone_numbers, u.addresses, u.onboarding_completed, u.last_login_at,
  u.version`;

/** A column: the roles of `u` from memberships `m` that match `condition`. */
const rolesWhere = (condition: string) => `
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', r.id, 'businessId', r.business_id, 'name', r.name, 'permissions', r.permissions,
      'pending', m.accepted_at is null) order by r.id)
    from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    where m.user_id = u.id and ${condition}
  ), '[]'::jsonb) as roles`;

/** Reads a whole user by primary key. Every profile request runs it, so the SQL is built only once. */
const FIND_USER = `
  select ${COLUMNS}, u.business_user_configs, ${rolesWhere('true')},
    coalesce((
      select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'lastFour', k.last_four,
        'expiresAt', k.expires_at, 'lastUsedAt', k.last_used_at, 'scopes', k.scopes, 'networks', k.networks,
        'ssoBusiness', k.sso_business, 'generation', k.generation, 'confirmations', k.confirmations) order by k.created_at, k.id)
      from api_keys k where k.user_id = u.id
    ), '[]'::jsonb) as api_keys, u.key_generation, ${GRANTS}
  from users u where u.id = $1`;

export async function findUserRow(db: Db, id: string): Promise<OwnRow | null> {
  const [row] = await db.text<OwnRow[]>(FIND_USER, [id]);
  return row ?? null;
}

/** A user as the ADMINs of these businesses see them: with their roles and settings in these businesses, without API keys. */
export async function findUserSeenBy(db: Db, id: string, businessIds: string[]): Promise<SeenRow | null> {
  const rows = await db<UserRow[]>`${userSeenBy(db, businessIds)} where u.id = ${id}`;
  const [row] = await withActivity(db, rows, businessIds);
  return row ?? null;
}

/** A column: the settings of `u` for the businesses in `seen`. Settings can be large, so those for other businesses are left out. */
const SEEN_CONFIGS = `
  coalesce((
    select jsonb_agg(c) from jsonb_array_elements(u.business_user_configs) as c where c ->> 'businessId' = any(seen.ids)
  ), '[]'::jsonb) as business_user_configs`;

const userSeenBy = (db: Db, businessIds: string[]) => db`
  select ${db.text(COLUMNS)}, ${db.text(SEEN_CONFIGS)}, ${db.text(rolesWhere('m.business_id = any(seen.ids)'))}
  from users u cross join (select ${businessIds}::text[] as ids) seen`;

/** A separate statement, because a cluster can't join global tables with tables of a business. */
async function withActivity(db: Db, rows: UserRow[], businessIds: string[]): Promise<SeenRow[]> {
  const ids = rows.map(({ id }) => id);
  const acted = new Set((await usersWithActivityAt(db, businessIds, ids)).map(({ userId }) => userId));
  return rows.map((row) => ({ ...row, hasActed: acted.has(row.id) }));
}

const membersOf = (db: Db, businessIds: string[]) =>
  db`select user_id from members where business_id = any(${businessIds})`;

/** A subquery with one column, `user_id`. */
export type UserIds = ReturnType<typeof membersOf>;

type UserSearch = {
  businessIds: string[];
  /** People other than members, such as customers. */
  relatedUsers: UserIds[];
  roleIds: string[];
  text: string | null;
  after: string | null;
  limit: number;
};

/** Collects user IDs first, because a cluster can't join global tables with tables of a business. */
export async function searchUserRows(db: Db, search: UserSearch): Promise<SeenRow[]> {
  const { businessIds, relatedUsers, roleIds, text, after, limit } = search;
  const members = membersOf(db, businessIds);
  const people =
    roleIds.length > 0
      ? db`${members} and role_id = any(${roleIds})`
      : relatedUsers.reduce<UserIds>((all, related) => db`${all} union ${related}`, members);
  const pattern = text && `%${escapeLike(text)}%`;
  // Searching by name or email only matches users who have acted here, so guessing reveals no one else.
  const matches = pattern
    ? db`and (u.id = ${text} or (u.name ilike ${pattern} or u.email ilike ${pattern}) and u.id in (select user_id from acted))`
    : db``;
  const rows = await db<UserRow[]>`
    with people as materialized (${people})
      ${pattern ? db`, acted as materialized (${usersWithActivityAt(db, businessIds, null)})` : db``}
    ${userSeenBy(db, businessIds)}
    where u.id in (select user_id from people) and (${after}::text is null or u.id < ${after}) ${matches}
    order by u.id desc limit ${limit}`;
  return withActivity(db, rows, businessIds);
}

export async function updateVersion(tx: Tx, id: string, now: number): Promise<void> {
  await tx`update users set version = version + 1, updated_at = ${now} where id = ${id}`;
}

/** Returns the version of the user. */
export async function lockUser(tx: Tx, id: string): Promise<number | null> {
  const [row] = await tx<{ version: number }[]>`select version from users where id = ${id} for update`;
  return row?.version ?? null;
}

export async function updateProfile(
  tx: Tx,
  id: string,
  change: {
    name?: string;
    phoneNumbers?: string[];
    addresses?: PartialAddress[];
    businessUserConfigs?: object[];
    onboardingCompleted?: boolean;
  },
  now: number,
): Promise<void> {
  const { name, phoneNumbers, addresses, businessUserConfigs, onboardingCompleted } = change;
  await tx`update users set
    name = coalesce(${name ?? null}, name),
    phone_numbers = coalesce(${phoneNumbers ?? null}::text[], phone_numbers),
    addresses = coalesce(${addresses ? tx.json(addresses as never) : null}::jsonb, addresses),
    business_user_configs = coalesce(
      ${businessUserConfigs ? tx.json(businessUserConfigs as never) : null}::jsonb, business_user_configs),
    onboarding_completed = coalesce(${onboardingCompleted ?? null}::boolean, onboarding_completed),
    version = version + 1, updated_at = ${now}
    where id = ${id}`;
}

/** The confirmed emails of the business's ADMINs who have acted there. */
export async function listAdminEmails(db: Db, businessId: string): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select distinct u.email from members m
    join roles r on r.business_id = m.business_id and r.id = m.role_id
    join users u on u.id = m.user_id
    where m.business_id = ${businessId} and m.used_at is not null and 'ADMIN' = any(r.permissions)
      and u.email is not null and u.is_confirmed
    order by u.email`;
  return rows.map(({ email }) => email);
}

export type PermittedMember = { id: string; name: string; email: string | null };

/** Active members with this permission, sorted by name; optionally only among `userIds`. `email` is null unless it is confirmed. */
export const listPermittedMembers = (
  db: Db,
  businessId: string,
  permission: Permission,
  { userIds = null, limit }: { userIds?: readonly string[] | null; limit: number },
) => db<PermittedMember[]>`
  select u.id, coalesce(nullif(u.name, ''), u.email, '') as name, case when u.is_confirmed then u.email end as email
  from users u
  where u.id in (
    select m.user_id from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    where m.business_id = ${businessId} and m.used_at is not null and r.permissions && ${[permission, 'ADMIN']}::text[]
      ${userIds === null ? db`` : db`and m.user_id = any(${userIds as string[]})`})
  order by 2, 1 limit ${limit}`;

/** Members whose email the business may see, with their role names. */
export const listMembersForExport = (db: Db, businessId: string, after: string, limit: number) => db<
  { id: string; email: string; roles: string[] }[]
>`
  select u.id, u.email, array_agg(r.name order by r.name) as roles from members m
  join roles r on r.business_id = m.business_id and r.id = m.role_id
  join users u on u.id = m.user_id
  where m.business_id = ${businessId} and m.used_at is not null and u.email is not null and u.is_confirmed
    and u.id > ${after}
  group by u.id, u.email order by u.id limit ${limit}`;

/** Display names by user ID: the name, or the email if there is none. */
export async function namesOf(db: Db, userIds: string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select id, coalesce(nullif(name, ''), email, '') as name from users where id = any(${userIds})`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
