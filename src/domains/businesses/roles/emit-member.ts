import { isDeepStrictEqual } from 'node:util';
import type { Command } from '../../../context/index.ts';
import { listRoleIdsOf } from './queries.ts';

/** Emits an event when a user's roles have changed. `before`: the previous role IDs. False if nothing has changed. */
export async function emitMember(
  ctx: Pick<Command, 'db' | 'emit'>,
  businessId: string,
  userId: string,
  before: readonly string[],
): Promise<boolean> {
  const roleIds = await listRoleIdsOf(ctx.db, businessId, userId);
  const type = roleIds.length < before.length ? 'member.removed' : 'member.added';
  const data = { userId, roleIds };
  ctx.emit({ type, entity: `member:${userId}`, data, before: { userId, roleIds: before }, businessId });
  return !isDeepStrictEqual(roleIds, before);
}
