import type { Command as BaseCommand } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { userSubject } from '../../../shared/caller.ts';
import { conflict, notFound } from '../../../shared/errors.ts';
import { lockBusiness } from '../queries.ts';
import { deleteMember, findRoleUse, hasAdmin, insertMember, listRoleIdsOf, listRolesOf } from './queries.ts';
import { tellMember } from './tell-member.ts';

type Writer = Pick<BaseCommand, 'db' | 'publish'>;
type Teller = Writer & Pick<BaseCommand, 'emit'>;

/** `roleIds`: exactly these from now on. `roleId`: this one too, or with null none at all. */
export type RoleChange = { roleId: string | null } | { roleIds: readonly string[] };

/** Changes which roles of the business the user has. False: nothing is new. */
export async function setRole(
  ctx: Teller,
  { businessId, userId, ...change }: { businessId: string; userId: string } & RoleChange,
): Promise<boolean> {
  const { db: tx } = ctx;
  if (!(await lockBusiness(tx, businessId))) throw notFound('Business');
  const before = await listRoleIdsOf(tx, businessId, userId);
  const wanted = 'roleIds' in change ? change.roleIds : change.roleId === null ? [] : [...before, change.roleId];
  const known = new Set((await listRolesOf(tx, businessId, wanted)).map(({ id }) => id));
  if (wanted.some((id) => !known.has(id))) throw notFound('Role');
  // Whoever has acted here with one role has done so when they get another instead of it.
  const usedAt = await findRoleUse(tx, businessId, userId);
  await deleteMember(tx, businessId, userId, [...known]);
  for (const roleId of known) await insertMember(tx, businessId, userId, roleId, usedAt);
  await requireSomeAdmin(tx, businessId);
  await publishMembers(ctx, [userId]);
  return tellMember(ctx, businessId, userId, before);
}

export async function requireSomeAdmin(db: Db, businessId: string): Promise<void> {
  if (!(await hasAdmin(db, businessId)))
    throw conflict('A business cannot lose its last ADMIN. Make somebody else ADMIN first.');
}

/** What processes have cached of these callers is outdated: their permissions have changed. */
export async function publishMembers(ctx: Writer, userIds: string[]): Promise<void> {
  await Promise.all(userIds.map((userId) => ctx.publish(userSubject(userId))));
}
