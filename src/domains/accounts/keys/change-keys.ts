import { violatesUnique } from '../../../db/errors.ts';
import { userSubject } from '../../../shared/caller.ts';
import { type FieldError, invalidField } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { planKeys } from './plan-keys.ts';
import { deleteApiKeys, listApiKeys, updateApiKey, upsertApiKey } from './queries.ts';
import type { ApiTokenInput } from './schemas.ts';

/** Makes the caller's keys those that were sent. Returns what is wrong with them; nothing is changed then. */
export async function changeKeys(ctx: Command, sent: ApiTokenInput[]): Promise<FieldError[]> {
  const { db: tx, now } = ctx;
  const { userId } = ctx.caller;
  const plan = planKeys(sent, await listApiKeys(tx, userId), now);
  if (plan.errors.length > 0) return plan.errors;
  if (plan.revoked.length > 0) await deleteApiKeys(tx, userId, plan.revoked);
  for (const key of plan.kept) await updateApiKey(tx, userId, key);
  for (const { key, field } of plan.made) {
    await upsertApiKey(tx, userId, key, now).catch((error) => {
      if (!violatesUnique(error, 'api_keys_hash')) throw error;
      throw invalidField(field, 'DUPLICATE', `${field} cannot be used: choose another one.`);
    });
  }
  await ctx.publish(userSubject(userId));
  return [];
}
