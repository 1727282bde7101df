import type { Versioned } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { forbidden, invalidField, notFound } from '../../../shared/errors.ts';
import type { EventType } from '../../../shared/events.ts';
import { newId } from '../../../shared/ids.ts';
import { type Page, type PageQuery, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { type Caller, may, type Permission, permissionRefusal } from '../../../shared/security/caller.ts';
import type { Command, Query } from '../context.ts';
import { businessExists } from '../get-business.ts';
import type { ListedRole, RoleChange, RoleInput } from '../schemas.ts';
import { requireStepUp } from '../security.ts';
import { emitMember } from './emit-member.ts';
import { lockAsAdmin } from './lock.ts';
import {
  deleteRoleRow,
  findRole,
  hasAdmin,
  insertRole,
  listMemberIds,
  listRoleIdsOf,
  listRoleRows,
  type RoleRow,
  updateRole,
  withdrawAcceptances,
} from './queries.ts';
import { publishMembers, requireSomeAdmin } from './set-role.ts';

// Every change to roles and members locks the business first. Otherwise two ADMINs could remove each other at the same time,
// and a business could get a new member during its deletion.

export async function createRole(ctx: Command, input: RoleInput): Promise<RoleRow> {
  const { db: tx, now } = ctx;
  const businessId = input.businessId ?? onlyBusiness(ctx.caller);
  if (!(await businessExists(ctx, businessId))) throw notFound('Business');
  requireAdmin(ctx.caller, businessId);
  await requireStepUp(ctx, businessId);
  await lockAsAdmin(ctx, businessId);
  const role = { ...input, businessId, id: newId('role'), permissions: unique(input.permissions), createdAt: now };
  await insertRole(tx, role);
  const row = { ...role, version: 1, updatedAt: now };
  emitRole(ctx, 'role.created', row);
  return row;
}

/** The only business where the caller is ADMIN. */
function onlyBusiness(caller: Caller): string {
  const [only, another] = adminOf(caller);
  if (only !== undefined && another === undefined) return only;
  throw invalidField(
    'businessId',
    'REQUIRED',
    'businessId is required unless you are an ADMIN of exactly one business.',
  );
}

/** The businesses where the caller is ADMIN. */
export const adminOf = (caller: Caller) => [...caller.permissions.keys()].filter((id) => may(caller, id, 'ADMIN'));

/** Lists the roles of one business, or of every business where the caller is ADMIN. */
export async function listRoles(ctx: Query, query: PageQuery & { businessId?: string }): Promise<Page<ListedRole>> {
  const { caller, cursors, db } = ctx;
  if (query.businessId !== undefined) {
    if (!(await businessExists(ctx, query.businessId))) throw notFound('Business');
    requireAdmin(caller, query.businessId);
  }
  const mine = adminOf(caller);
  if (mine.length === 0) throw forbidden('This requires the ADMIN permission in at least one business.');
  const scope = `roles:newest:${query.businessId ?? caller.userId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const ids = query.businessId === undefined ? mine : [query.businessId];
  const rows = await listRoleRows(db, ids, after as string | null, limit + 1);
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => ({ ...row, etag: etagOf(row.version) }),
  );
}

/** Throws 404 unless the role belongs to one of these businesses. */
export async function getRole(db: Db, businessIds: string[], id: string): Promise<RoleRow> {
  const role = await findRole(db, businessIds, id);
  if (!role) throw notFound('Role');
  return role;
}

/** Requires ADMIN of the role's business. Throws 403 for other members and 404 for everyone else. */
export async function readRole({ db, caller }: Pick<Query, 'db' | 'caller'>, id: string): Promise<Versioned<RoleRow>> {
  const role = await getRole(db, [...caller.permissions.keys()], id);
  requireAdmin(caller, role.businessId);
  return { record: role, version: role.version };
}

export async function changeRole(
  ctx: Command,
  { id, change }: { id: string; change: RoleChange },
): Promise<Versioned<RoleRow>> {
  const role = await lockRole(ctx, id);
  const changed: RoleRow = {
    ...role,
    name: change.name ?? role.name,
    permissions: unique(change.permissions ?? role.permissions),
    version: role.version + 1,
    updatedAt: ctx.now,
  };
  const hadAdmin = await hasAdmin(ctx.db, role.businessId);
  await updateRole(ctx.db, changed);
  const becomesAdmin = changed.permissions.includes('ADMIN') && !role.permissions.includes('ADMIN');
  if (becomesAdmin) await withdrawAcceptances(ctx.db, role.businessId, id, ctx.caller.userId);
  if (hadAdmin) await requireSomeAdmin(ctx.db, role.businessId);
  await publishMembers(ctx, await listMemberIds(ctx.db, role.businessId, id));
  emitRole(ctx, 'role.updated', changed, role);
  return { record: changed, version: changed.version };
}

export async function deleteRole(ctx: Command, id: string) {
  const role = await lockRole(ctx, id);
  const members = await listMemberIds(ctx.db, role.businessId, id);
  const roleIdsBefore = await Promise.all(members.map((userId) => listRoleIdsOf(ctx.db, role.businessId, userId)));
  const hadAdmin = await hasAdmin(ctx.db, role.businessId);
  await deleteRoleRow(ctx.db, role.businessId, id);
  if (hadAdmin) await requireSomeAdmin(ctx.db, role.businessId);
  await publishMembers(ctx, members);
  emitRole(ctx, 'role.deleted', role);
  for (const [i, userId] of members.entries()) await emitMember(ctx, role.businessId, userId, roleIdsBefore[i]!);
  return SUCCESS;
}

function emitRole(ctx: Command, type: EventType, role: RoleRow, previous?: RoleRow): void {
  const shown = ({ version: _, ...data }: RoleRow) => data;
  const { id, businessId } = role;
  ctx.emit({ type, entity: `role:${id}`, data: shown(role), before: previous && shown(previous), businessId });
}

export function requireAdmin(caller: Caller, businessId: string): void {
  if (!may(caller, businessId, 'ADMIN')) throw permissionRefusal(caller, businessId, 'ADMIN');
}

async function lockRole(ctx: Command, id: string): Promise<RoleRow> {
  const { businessId } = (await readRole(ctx, id)).record;
  await requireStepUp(ctx, businessId);
  await lockAsAdmin(ctx, businessId);
  const role = await getRole(ctx.db, [businessId], id);
  ctx.checkVersion(role.version);
  return role;
}

const unique = (permissions: Permission[]) => [...new Set(permissions)];
