import { isDeepStrictEqual } from 'node:util';
import type { Command } from '../../../context/index.ts';
import { listRoleIdsOf } from './queries.ts';

/** Who has joined, has got a role or has lost one, after the write. `before`: the ids of the roles they had. False: nothing is new. */
export async function tellMember(
  ctx: Pick<Command, 'db' | 'emit'>,
  businessId: string,
  userId: string,
  before: readonly string[],
): Promise<boolean> {
  const roleIds = await listRoleIdsOf(ctx.db, businessId, userId);
  const type = roleIds.length < before.length ? 'member.removed' : 'member.added';
  const data = { userId, roleIds };
  await ctx.emit({ type, entity: `member:${userId}`, data, before: { userId, roleIds: before }, businessId });
  return !isDeepStrictEqual(roleIds, before);
}
