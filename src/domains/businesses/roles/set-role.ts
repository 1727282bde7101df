import type { Command as BaseCommand } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { conflict, notFound } from '../../../shared/errors.ts';
import { userSubject } from '../../../shared/security/caller.ts';
import { lockBusiness } from '../queries.ts';
import { emitMember } from './emit-member.ts';
import {
  deleteMember,
  findRoleUse,
  hasAdmin,
  insertMember,
  listRoleIdsOf,
  listRolesOf,
  listSoleAdmins,
} from './queries.ts';

type Writer = Pick<BaseCommand, 'db' | 'publish'>;
type Emitter = Writer & Pick<BaseCommand, 'emit'>;

/** `roleIds` replaces the roles. `roleId` adds a role, or removes all roles if it is null. */
export type RoleChange = { roleId: string | null } | { roleIds: readonly string[] };

/** `acceptedAt`: if the user has agreed to the new roles. Otherwise they are pending until the user acts in the business. */
type Assignment = {
  businessId: string;
  userId: string;
  acceptedAt?: number;
  /** The user gives up the roles. An ADMIN role that they have not accepted doesn't keep them. */
  isLeaving?: boolean;
} & RoleChange;

/** Changes the user's roles in the business. False if nothing has changed. */
export async function setRole(
  ctx: Emitter,
  { businessId, userId, acceptedAt, isLeaving = false, ...change }: Assignment,
): Promise<boolean> {
  const { db: tx } = ctx;
  if (!(await lockBusiness(tx, businessId))) throw notFound('Business');
  const before = await listRoleIdsOf(tx, businessId, userId);
  const requested = 'roleIds' in change ? change.roleIds : change.roleId === null ? [] : [...before, change.roleId];
  const known = new Set((await listRolesOf(tx, businessId, requested)).map(({ id }) => id));
  if (requested.some((id) => !known.has(id))) throw notFound('Role');
  // A user who has acted here stays visible to the business, whatever the role.
  const usedAt = (await findRoleUse(tx, businessId, userId)) ?? acceptedAt ?? null;
  const isObliged = isLeaving
    ? (await listSoleAdmins(tx, userId)).some(({ id }) => id === businessId)
    : await hasAdmin(tx, businessId);
  await deleteMember(tx, businessId, userId, [...known]);
  for (const roleId of known) await insertMember(tx, businessId, userId, roleId, usedAt, acceptedAt ?? null);
  if (isObliged) await requireSomeAdmin(tx, businessId);
  await publishMembers(ctx, [userId]);
  return emitMember(ctx, businessId, userId, before);
}

export async function requireSomeAdmin(db: Db, businessId: string): Promise<void> {
  if (!(await hasAdmin(db, businessId)))
    throw conflict(
      'A business must have at least one admin who has accepted a role there. Make someone else an admin first.',
    );
}

/** Invalidates the cached permissions of these users in every process. */
export async function publishMembers(ctx: Writer, userIds: string[]): Promise<void> {
  await Promise.all(userIds.map((userId) => ctx.publish(userSubject(userId))));
}
