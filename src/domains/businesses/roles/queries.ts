import type { Db, Tx } from '../../../db/sql.ts';
import type { Permission } from '../../../shared/security/caller.ts';
import type { Role } from '../schemas.ts';

export type RoleRow = Role & { permissions: Permission[]; version: number };

const roleColumns = (db: Db) => db`business_id, id, name, permissions, version, created_at, updated_at`;

type NewRole = { businessId: string; id: string; name: string; permissions: Permission[]; createdAt: number };

export async function insertRole(tx: Tx, role: NewRole): Promise<void> {
  await tx`insert into roles (business_id, id, name, permissions, created_at, updated_at)
    values (${role.businessId}, ${role.id}, ${role.name}, ${role.permissions}, ${role.createdAt}, ${role.createdAt})`;
}

/** Finds a role of one of these businesses. */
export async function findRole(db: Db, businessIds: string[], id: string): Promise<RoleRow | null> {
  const [row] = await db<RoleRow[]>`
    select ${roleColumns(db)} from roles where business_id = any(${businessIds}) and id = ${id}`;
  return row ?? null;
}

/** Lists the roles of the business among `ids`. */
export const listRolesOf = (db: Db, businessId: string, ids: readonly string[]) => db<{ id: string; name: string }[]>`
  select id, name from roles where business_id = ${businessId} and id = any(${ids as string[]}) order by id`;

export const listRoleRows = (db: Db, businessIds: string[], after: string | null, limit: number) => db<RoleRow[]>`
  select ${roleColumns(db)} from roles
  where business_id = any(${businessIds}) and (${after}::text is null or id < ${after})
  order by id desc limit ${limit}`;

export async function updateRole(tx: Tx, { businessId, id, name, permissions, version, updatedAt }: RoleRow) {
  await tx`update roles set name = ${name}, permissions = ${permissions}, version = ${version}, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}`;
}

/** Also removes the role from its members. */
export async function deleteRoleRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from roles where business_id = ${businessId} and id = ${id}`;
}

/**
 * `usedAt`: when the user first acted here. A user who was only assigned a role has not acted yet. `acceptedAt`: null if the user was assigned
 * this role and has not acted since.
 */
export async function insertMember(
  tx: Tx,
  businessId: string,
  userId: string,
  roleId: string,
  usedAt: number | null = null,
  acceptedAt = usedAt,
): Promise<void> {
  await tx`insert into members as m (business_id, user_id, role_id, used_at, accepted_at)
    values (${businessId}, ${userId}, ${roleId}, ${usedAt}, ${acceptedAt})
    on conflict (business_id, user_id, role_id) do update set used_at = coalesce(m.used_at, excluded.used_at),
      accepted_at = coalesce(m.accepted_at, excluded.accepted_at)`;
}

/** Acting in a business accepts the roles there. False if all of them were accepted before. */
export async function updateRoleUse(tx: Tx, businessId: string, userId: string, now: number): Promise<boolean> {
  const rows = await tx`
    update members set used_at = coalesce(used_at, ${now}), accepted_at = coalesce(accepted_at, ${now})
    where business_id = ${businessId} and user_id = ${userId} and (used_at is null or accepted_at is null)
    returning role_id`;
  return rows.length > 0;
}

/** The role has become another one, so its members have not accepted it yet, except `exceptId`, who changed it. */
export async function withdrawAcceptances(tx: Tx, businessId: string, roleId: string, exceptId: string): Promise<void> {
  await tx`update members set accepted_at = null
    where business_id = ${businessId} and role_id = ${roleId} and user_id <> ${exceptId}`;
}

/** When the user first used one of their roles here. */
export async function findRoleUse(db: Db, businessId: string, userId: string): Promise<number | null> {
  const [row] = await db<{ usedAt: number | null }[]>`
    select min(used_at) as used_at from members where business_id = ${businessId} and user_id = ${userId}`;
  return row?.usedAt ?? null;
}

/** Removes the user's roles except these. */
export async function deleteMember(tx: Tx, businessId: string, userId: string, except: string[]): Promise<void> {
  await tx`delete from members
    where business_id = ${businessId} and user_id = ${userId} and not role_id = any(${except})`;
}

export async function listRoleIdsOf(db: Db, businessId: string, userId: string): Promise<string[]> {
  const rows = await db<{ roleId: string }[]>`
    select role_id from members where business_id = ${businessId} and user_id = ${userId} order by role_id`;
  return rows.map((row) => row.roleId);
}

/** The users who have the role. */
export async function listMemberIds(db: Db, businessId: string, roleId: string): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select user_id from members where business_id = ${businessId} and role_id = ${roleId} order by user_id`;
  return rows.map((row) => row.userId);
}

export async function listAllMemberIds(db: Db, businessId: string): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select distinct user_id from members where business_id = ${businessId} order by user_id`;
  return rows.map((row) => row.userId);
}

/** Deletes all members and roles of the business. Returns the IDs of the members. */
export async function deleteMembersAndRoles(tx: Tx, businessId: string): Promise<string[]> {
  const members = await tx<{ userId: string }[]>`
    delete from members where business_id = ${businessId} returning user_id`;
  await tx`delete from roles where business_id = ${businessId}`;
  return [...new Set(members.map((member) => member.userId))].sort();
}

/** Whether the business has an ADMIN who has acted there. One who was only assigned the role may never have agreed. */
export async function hasAdmin(db: Db, businessId: string): Promise<boolean> {
  const rows = await db`
    select from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    where m.business_id = ${businessId} and m.used_at is not null and 'ADMIN' = any(r.permissions) limit 1`;
  return rows.length > 0;
}

/** Lists the businesses where this user is the only ADMIN who has accepted the role. A role that was only assigned obliges no one. */
export const listSoleAdmins = (db: Db, userId: string) => db<{ id: string; name: string }[]>`
  select distinct b.id, b.name from members m
  join roles r on r.business_id = m.business_id and r.id = m.role_id
  join businesses b on b.id = m.business_id
  where m.user_id = ${userId} and m.accepted_at is not null and 'ADMIN' = any(r.permissions) and b.deleted_at is null
    and not exists (
      select from members o join roles q on q.business_id = o.business_id and q.id = o.role_id
      where o.business_id = m.business_id and o.user_id <> ${userId} and o.used_at is not null
        and 'ADMIN' = any(q.permissions))
  order by b.name, b.id`;
