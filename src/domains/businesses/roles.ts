import type { Db, Tx } from '../../db/connection.ts';
import { type Caller, may, type Permission, userSubject } from '../../shared/caller.ts';
import { conflict, forbidden, notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { newId } from '../../shared/ids.ts';
import type { BusinessContext } from './context.ts';
import {
  deleteMember,
  deleteRoleRow,
  findRole,
  hasAdmin,
  insertMember,
  insertRole,
  listMemberIds,
  lockBusiness,
  type RoleRow,
  updateRole,
} from './queries.ts';
import type { RoleChange, RoleInput } from './schemas.ts';

// Every change of roles and members locks the business first: otherwise two ADMINs could each take the other's role away.

export async function createRole({ clock }: BusinessContext, tx: Tx, input: RoleInput): Promise<RoleRow> {
  const role = { ...input, id: newId('role'), permissions: unique(input.permissions), createdAt: clock.seconds() };
  await insertRole(tx, role);
  return { ...role, version: 1, updatedAt: role.createdAt };
}

/** The role, when the caller is ADMIN of its business: 404 for a stranger to it, 403 for a member. */
export async function getRole(db: Db, caller: Caller, id: string): Promise<RoleRow> {
  const role = await findRole(db, [...caller.permissions.keys()], id);
  if (!role) throw notFound('Role');
  requireAdmin(caller, role.businessId);
  return role;
}

export async function changeRole(
  context: BusinessContext,
  tx: Tx,
  caller: Caller,
  id: string,
  change: RoleChange,
  ifMatch: string | undefined,
): Promise<RoleRow> {
  const role = await lockRole(tx, caller, id, ifMatch);
  const changed: RoleRow = {
    ...role,
    name: change.name ?? role.name,
    permissions: unique(change.permissions ?? role.permissions),
    version: role.version + 1,
    updatedAt: context.clock.seconds(),
  };
  await updateRole(tx, changed);
  await keepAnAdmin(tx, role.businessId);
  await tellMembers(context, tx, await listMemberIds(tx, role.businessId, id));
  return changed;
}

export async function deleteRole(
  context: BusinessContext,
  tx: Tx,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
): Promise<void> {
  const role = await lockRole(tx, caller, id, ifMatch);
  const members = await listMemberIds(tx, role.businessId, id);
  await deleteRoleRow(tx, role.businessId, id);
  await keepAnAdmin(tx, role.businessId);
  await tellMembers(context, tx, members);
}

/** Gives the user a role of the business; with `roleId: null` takes all of his roles in it away. */
export async function setRole(
  context: BusinessContext,
  tx: Tx,
  { businessId, userId, roleId }: { businessId: string; userId: string; roleId: string | null },
): Promise<void> {
  if (!(await lockBusiness(tx, businessId))) throw notFound('Business');
  if (roleId === null) {
    await deleteMember(tx, businessId, userId);
    await keepAnAdmin(tx, businessId);
  } else {
    if (!(await findRole(tx, [businessId], roleId))) throw notFound('Role');
    await insertMember(tx, businessId, userId, roleId);
  }
  await tellMembers(context, tx, [userId]);
}

export function requireAdmin(caller: Caller, businessId: string): void {
  if (!may(caller, businessId, 'ADMIN')) throw forbidden('This needs the permission ADMIN in this business.');
}

async function lockRole(tx: Tx, caller: Caller, id: string, ifMatch: string | undefined): Promise<RoleRow> {
  const { businessId } = await getRole(tx, caller, id);
  await lockBusiness(tx, businessId);
  const role = await findRole(tx, [businessId], id);
  if (!role) throw notFound('Role');
  checkIfMatch(ifMatch, role.version);
  return role;
}

async function keepAnAdmin(tx: Tx, businessId: string): Promise<void> {
  if (!(await hasAdmin(tx, businessId))) throw conflict('A business cannot lose its last ADMIN.');
}

async function tellMembers({ broadcast }: BusinessContext, tx: Tx, userIds: string[]): Promise<void> {
  await Promise.all(userIds.map((userId) => broadcast.publish(tx, userSubject(userId))));
}

const unique = (permissions: Permission[]) => [...new Set(permissions)];
