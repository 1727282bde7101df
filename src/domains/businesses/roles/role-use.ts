import type { Caller } from '../../../shared/caller.ts';
import type { Steps } from '../context.ts';
import { updateRoleUse } from './queries.ts';

/**
 * The caller does something here that only a member may: from then on the business sees who they are. Written once, and
 * without a promise once this process knows of it.
 */
export function noteRoleUse(ctx: Steps, { userId }: Caller, businessId: string): Promise<unknown> | undefined {
  const key = `${businessId} ${userId}`;
  const { roleUses } = ctx.businesses;
  if (roleUses.peek(key)) return undefined;
  return roleUses.get(key, async () => {
    await ctx.write((tx) => updateRoleUse(tx, businessId, userId, ctx.clock.seconds()));
    return { userId };
  });
}
