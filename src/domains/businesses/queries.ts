import type { Db, Tx } from '../../db/connection.ts';
import type { Permission } from '../../shared/caller.ts';
import type { Role, StoredConfigs } from './schemas.ts';

export type BusinessRow = {
  id: string;
  name: string;
  slug: string;
  configs: StoredConfigs;
  version: number;
  createdAt: number;
  updatedAt: number;
};

const businessColumns = (db: Db) => db`id, name, slug, configs, version, created_at, updated_at`;

export async function findBusiness(db: Db, id: string): Promise<BusinessRow | null> {
  const [row] = await db<BusinessRow[]>`select ${businessColumns(db)} from businesses where id = ${id}`;
  return row ?? null;
}

/** Also what every change of its roles and members waits for. Rows that refer to the business can be written meanwhile. */
export async function lockBusiness(tx: Tx, id: string): Promise<BusinessRow | null> {
  const [row] = await tx<
    BusinessRow[]
  >`select ${businessColumns(tx)} from businesses where id = ${id} for no key update`;
  return row ?? null;
}

/** Newest first, those among `ids`. */
export const listBusinesses = (db: Db, ids: string[], after: string | null, limit: number) => db<BusinessRow[]>`
  select ${businessColumns(db)} from businesses
  where id = any(${ids}) and (${after}::text is null or id < ${after}) order by id desc limit ${limit}`;

export const isSlugTaken = async (db: Db, slug: string): Promise<boolean> =>
  (await db`select from businesses where slug = ${slug}`).length > 0;

export async function insertBusiness(tx: Tx, row: BusinessRow): Promise<void> {
  await tx`insert into businesses ${tx({ ...row, configs: tx.json(row.configs as never) } as never)}`;
}

export async function updateBusiness(tx: Tx, { id, name, slug, configs, version, updatedAt }: BusinessRow) {
  await tx`update businesses set name = ${name}, slug = ${slug}, configs = ${tx.json(configs as never)},
    version = ${version}, updated_at = ${updatedAt} where id = ${id}`;
}

/** Its roles and members go with it. */
export async function deleteBusinessRow(tx: Tx, id: string): Promise<void> {
  await tx`delete from businesses where id = ${id}`;
}

/** Every table of the service that holds rows of businesses. */
export const listTenantTables = (db: Db) => db<{ name: string }[]>`
  select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attname = 'business_id' and not a.attisdropped
  order by c.relname`;

/** How many were deleted. */
export async function deleteTenantRows(tx: Tx, table: string, businessId: string, limit: number): Promise<number> {
  const { count } = await tx`delete from ${tx(table)} where business_id = ${businessId} and ctid = any(array(
    select ctid from ${tx(table)} where business_id = ${businessId} limit ${limit}))`;
  return count;
}

export type RoleRow = Role & { permissions: Permission[]; version: number };

const roleColumns = (db: Db) => db`business_id, id, name, permissions, version, created_at, updated_at`;

type NewRole = { businessId: string; id: string; name: string; permissions: Permission[]; createdAt: number };

export async function insertRole(tx: Tx, role: NewRole): Promise<void> {
  await tx`insert into roles (business_id, id, name, permissions, created_at, updated_at)
    values (${role.businessId}, ${role.id}, ${role.name}, ${role.permissions}, ${role.createdAt}, ${role.createdAt})`;
}

/** A role of one of these businesses. */
export async function findRole(db: Db, businessIds: string[], id: string): Promise<RoleRow | null> {
  const [row] = await db<RoleRow[]>`
    select ${roleColumns(db)} from roles where business_id = any(${businessIds}) and id = ${id}`;
  return row ?? null;
}

export const listRoles = (db: Db, businessIds: string[], after: string | null, limit: number) => db<RoleRow[]>`
  select ${roleColumns(db)} from roles
  where business_id = any(${businessIds}) and (${after}::text is null or id < ${after})
  order by id desc limit ${limit}`;

export async function updateRole(tx: Tx, { businessId, id, name, permissions, version, updatedAt }: RoleRow) {
  await tx`update roles set name = ${name}, permissions = ${permissions}, version = ${version}, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}`;
}

/** Its members lose it. */
export async function deleteRoleRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from roles where business_id = ${businessId} and id = ${id}`;
}

export async function insertMember(tx: Tx, businessId: string, userId: string, roleId: string): Promise<void> {
  await tx`insert into members (business_id, user_id, role_id) values (${businessId}, ${userId}, ${roleId})
    on conflict do nothing`;
}

export async function deleteMember(tx: Tx, businessId: string, userId: string): Promise<void> {
  await tx`delete from members where business_id = ${businessId} and user_id = ${userId}`;
}

/** The users of the business, or those with one role. */
export async function listMemberIds(db: Db, businessId: string, roleId: string | null = null): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select distinct user_id from members
    where business_id = ${businessId} and (${roleId}::text is null or role_id = ${roleId}) order by user_id`;
  return rows.map((row) => row.userId);
}

export async function hasAdmin(db: Db, businessId: string): Promise<boolean> {
  const rows = await db`
    select from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    where m.business_id = ${businessId} and 'ADMIN' = any(r.permissions) limit 1`;
  return rows.length > 0;
}
