import type { Caller } from '../../../shared/security/caller.ts';
import type { Steps } from '../context.ts';
import { updateRoleUse } from './queries.ts';

/**
 * Records that the caller has used a member permission here, which lets the business see who they are. Written only
 * once. Returns synchronously if it is cached.
 */
export function recordRoleUse(ctx: Steps, { userId }: Caller, businessId: string): Promise<unknown> | undefined {
  const key = `${businessId} ${userId}`;
  const { roleUses } = ctx.businesses;
  if (roleUses.peek(key)) return undefined;
  return roleUses.get(key, async () => {
    await ctx.write((tx) => updateRoleUse(tx, businessId, userId, ctx.clock.seconds()));
    return { userId };
  });
}
