import type { Command as BaseCommand } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { userSubject } from '../../../shared/caller.ts';
import { conflict, notFound } from '../../../shared/errors.ts';
import { lockBusiness } from '../queries.ts';
import { deleteMember, findRole, hasAdmin, insertMember, listRoleIdsOf } from './queries.ts';
import { tellMember } from './tell-member.ts';

type Writer = Pick<BaseCommand, 'db' | 'publish'>;
type Teller = Writer & Pick<BaseCommand, 'emit'>;

/** Gives the user a role of the business; with `roleId: null` takes all of their roles in it away. False: nothing is new. */
export async function setRole(
  ctx: Teller,
  { businessId, userId, roleId }: { businessId: string; userId: string; roleId: string | null },
): Promise<boolean> {
  const { db: tx } = ctx;
  if (!(await lockBusiness(tx, businessId))) throw notFound('Business');
  const before = await listRoleIdsOf(tx, businessId, userId);
  if (roleId === null) {
    await deleteMember(tx, businessId, userId);
    await requireSomeAdmin(tx, businessId);
  } else {
    if (!(await findRole(tx, [businessId], roleId))) throw notFound('Role');
    await insertMember(tx, businessId, userId, roleId);
  }
  await publishMembers(ctx, [userId]);
  return tellMember(ctx, businessId, userId, before);
}

export async function requireSomeAdmin(db: Db, businessId: string): Promise<void> {
  if (!(await hasAdmin(db, businessId))) throw conflict('A business cannot lose its last ADMIN.');
}

export async function publishMembers(ctx: Writer, userIds: string[]): Promise<void> {
  await Promise.all(userIds.map((userId) => ctx.publish(userSubject(userId))));
}
