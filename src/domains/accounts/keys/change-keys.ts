import { violatesUnique } from '../../../db/errors.ts';
import { userSubject } from '../../../shared/caller.ts';
import { type FieldError, forbidden, invalidField } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { planKeys } from './plan-keys.ts';
import { deleteApiKeys, listApiKeys, updateApiKey, upsertApiKey } from './queries.ts';
import type { ApiTokenInput } from './schemas.ts';

/** `made`: the values that the service made, by key: they are shown this once. With errors nothing was changed. */
type ChangedKeys = { errors: FieldError[]; made: ReadonlyMap<string, string> };

/** Makes the caller's keys those that were sent. */
export async function changeKeys(ctx: Command, sent: ApiTokenInput[]): Promise<ChangedKeys> {
  const { db: tx, now } = ctx;
  const { userId, sessionId } = ctx.caller;
  const plan = planKeys(sent, await listApiKeys(tx, userId), now);
  if (sessionId === null && plan.grows) throw forbidden('An API key cannot make or prolong API keys: log in for that.');
  if (plan.errors.length > 0) return { errors: plan.errors, made: new Map() };
  if (plan.revoked.length > 0) await deleteApiKeys(tx, userId, plan.revoked);
  for (const keyId of plan.revoked) await ctx.emitAccount({ type: 'user.key_revoked', userId, data: { keyId } });
  for (const key of plan.kept) await updateApiKey(tx, userId, key);
  for (const { key, field } of plan.made) {
    await upsertApiKey(tx, userId, key, now).catch((error) => {
      if (!violatesUnique(error, 'api_keys_own_hash')) throw error;
      throw invalidField(field, 'DUPLICATE', `${field} is the value of another key of yours.`);
    });
    await ctx.emitAccount({ type: 'user.key_created', userId, data: { keyId: key.id, name: key.name } });
  }
  await ctx.publish(userSubject(userId));
  return { errors: [], made: new Map(plan.made.flatMap(({ key, value }) => (value ? [[key.id, value]] : []))) };
}
