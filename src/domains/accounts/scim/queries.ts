import type { Db, Tx } from '../../../db/sql.ts';

export type ScimUserRow = {
  businessId: string;
  userId: string;
  userName: string;
  externalId: string | null;
  givenName: string;
  familyName: string;
  isActive: boolean;
  createdAt: number;
  updatedAt: number;
};

export async function findScimUser(db: Db, businessId: string, userId: string): Promise<ScimUserRow | null> {
  const [row] = await db<ScimUserRow[]>`
    select * from scim_users where business_id = ${businessId} and user_id = ${userId}`;
  return row ?? null;
}

export async function upsertScimUser(tx: Tx, user: ScimUserRow): Promise<void> {
  await tx`insert into scim_users ${tx(user)}
    on conflict (business_id, user_id) do update set user_name = excluded.user_name,
      external_id = excluded.external_id, given_name = excluded.given_name, family_name = excluded.family_name,
      is_active = excluded.is_active, updated_at = excluded.updated_at`;
}

export async function deleteScimUserRow(tx: Tx, businessId: string, userId: string): Promise<void> {
  await tx`delete from scim_users where business_id = ${businessId} and user_id = ${userId}`;
}

export type ScimFilter = { field: 'userName' | 'externalId' | 'displayName'; value: string } | null;
export type ScimPage = { filter: ScimFilter; offset: number; limit: number };
type Counted<Row> = Row & { total: number };

const userCondition = (db: Db, filter: ScimFilter) => {
  if (filter === null) return db``;
  return filter.field === 'externalId'
    ? db`and external_id = ${filter.value}`
    : db`and lower(user_name) = ${filter.value.toLowerCase()}`;
};

/** `total` counts the matches on all pages. */
export const listScimUsers = (db: Db, businessId: string, { filter, offset, limit }: ScimPage) => db<
  Counted<ScimUserRow>[]
>`
  select *, count(*) over ()::int as total from scim_users where business_id = ${businessId} ${userCondition(db, filter)}
  order by user_id limit ${limit} offset ${offset}`;

export type ScimGroupRow = {
  businessId: string;
  id: string;
  name: string;
  externalId: string | null;
  createdAt: number;
  updatedAt: number;
};

export async function findScimGroup(db: Db, businessId: string, id: string): Promise<ScimGroupRow | null> {
  const [row] = await db<ScimGroupRow[]>`
    select * from scim_groups where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function upsertScimGroup(tx: Tx, group: ScimGroupRow): Promise<void> {
  await tx`insert into scim_groups ${tx(group)}
    on conflict (business_id, id) do update set name = excluded.name, external_id = excluded.external_id,
      updated_at = excluded.updated_at`;
}

export async function deleteScimGroupRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from scim_groups where business_id = ${businessId} and id = ${id}`;
}

const groupCondition = (db: Db, filter: ScimFilter) => {
  if (filter === null) return db``;
  return filter.field === 'externalId' ? db`and external_id = ${filter.value}` : db`and name = ${filter.value}`;
};

export const listScimGroups = (db: Db, businessId: string, { filter, offset, limit }: ScimPage) => db<
  Counted<ScimGroupRow>[]
>`
  select *, count(*) over ()::int as total from scim_groups where business_id = ${businessId} ${groupCondition(db, filter)}
  order by id limit ${limit} offset ${offset}`;

export async function listGroupMembers(db: Db, businessId: string, groupId: string): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select user_id from scim_members where business_id = ${businessId} and group_id = ${groupId} order by user_id`;
  return rows.map((row) => row.userId);
}

/** Returns false if any of the users is not a SCIM user of the business. */
export async function replaceGroupMembers(
  tx: Tx,
  businessId: string,
  groupId: string,
  userIds: readonly string[],
): Promise<boolean> {
  const ids = [...new Set(userIds)];
  await tx`delete from scim_members where business_id = ${businessId} and group_id = ${groupId}`;
  const rows = await tx`
    insert into scim_members (business_id, group_id, user_id)
    select ${businessId}, ${groupId}, user_id from scim_users
    where business_id = ${businessId} and user_id = any(${ids}) returning user_id`;
  return rows.length === ids.length;
}

export const listGroupsOf = (db: Db, businessId: string, userId: string) => db<{ id: string; name: string }[]>`
  select g.id, g.name from scim_members m join scim_groups g on g.business_id = m.business_id and g.id = m.group_id
  where m.business_id = ${businessId} and m.user_id = ${userId} order by g.id`;

export const listGroupNamesOf = async (db: Db, businessId: string, userId: string): Promise<string[]> =>
  (await listGroupsOf(db, businessId, userId)).map(({ name }) => name);
