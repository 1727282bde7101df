import { keptId } from '../../../shared/ids.ts';
import { PERMISSIONS, type Permission } from '../../../shared/security/caller.ts';
import type { Command } from '../context.ts';
import { lockBusiness } from '../queries.ts';
import { insertRole, listMemberIds, listRoleRows, type RoleRow, updateRole } from './queries.ts';
import { publishMembers } from './set-role.ts';

/** Imports a role from an export. An existing role with the same name gets the imported permissions. Members are not imported. */
export async function importRole(
  ctx: Command,
  { id, name, permissions }: { id?: string; name: string; permissions: string[] },
): Promise<'CREATED' | 'UPDATED' | 'UNCHANGED'> {
  const { db: tx, businessId, now } = ctx;
  await lockBusiness(tx, businessId);
  const known: Permission[] = PERMISSIONS.filter((permission) => permissions.includes(permission));
  const [role] = (await listRoleRows(tx, [businessId], null, 1000)).filter((each) => each.name === name);
  if (role) {
    const isSame =
      known.length === role.permissions.length && role.permissions.every((each) => known.includes(each as Permission));
    if (isSame || role.permissions.includes('ADMIN')) return 'UNCHANGED';
    const changed = { ...role, permissions: known, version: role.version + 1, updatedAt: now };
    await updateRole(tx, changed);
    await publishMembers(ctx, await listMemberIds(tx, businessId, role.id));
    ctx.emit({ type: 'role.updated', entity: `role:${role.id}`, data: shown(changed), before: shown(role) });
    return 'UPDATED';
  }
  const created = {
    businessId,
    id: keptId('role', id),
    name,
    permissions: known,
    createdAt: now,
  };
  await insertRole(tx, created);
  ctx.emit({ type: 'role.created', entity: `role:${created.id}`, data: { ...created, updatedAt: now } });
  return 'CREATED';
}

const shown = ({ version: _, ...role }: RoleRow) => role;
