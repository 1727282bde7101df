import { type FieldError, forbidden, invalidField, unauthenticated } from '../../../shared/errors.ts';
import { membershipsOf, userSubject } from '../../../shared/security/caller.ts';
import { requireStepUp } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { findCallerBySession } from '../sessions/queries.ts';
import type { KeySession } from './key-session.ts';
import { mailNewKeys } from './mail-new-keys.ts';
import { planKeys } from './plan-keys.ts';
import { deleteApiKeys, findCallerByKeyId, hasApiKey, listApiKeys, updateApiKey, upsertApiKey } from './queries.ts';
import type { ApiTokenInput } from './schemas.ts';

/** `generated`: the generated values by key ID, which are shown only once. If there are errors, nothing has changed. */
type ChangedKeys = { errors: FieldError[]; generated: ReadonlyMap<string, string> };

/** Replaces the caller's keys with the submitted list. */
export async function changeKeys(ctx: Command, sent: ApiTokenInput[]): Promise<ChangedKeys> {
  const { db: tx, now, caller } = ctx;
  const { userId, sessionId } = caller;
  const plan = planKeys(sent, await listApiKeys(tx, userId), now, await readKeySession(ctx));
  if (sessionId === null && plan.extendsAccess) {
    throw forbidden("An API key can't create, extend or confirm API keys. Log in to do this.");
  }
  if (plan.confirmed.length > 0) ctx.businesses.stepUps.require(ctx);
  // Including those that withhold their permissions from this session: the key may get them.
  if (plan.extendsAccess) for (const id of membershipsOf(caller)) await requireStepUp(ctx, id);
  if (plan.errors.length > 0) return { errors: plan.errors, generated: new Map() };
  if (plan.revoked.length > 0) await deleteApiKeys(tx, userId, plan.revoked);
  for (const keyId of plan.revoked) ctx.emitAccount({ type: 'user.key_revoked', userId, data: { keyId } });
  for (const key of plan.kept) await updateApiKey(tx, userId, key);
  for (const keyId of plan.confirmed) ctx.emitAccount({ type: 'user.key_confirmed', userId, data: { keyId } });
  for (const { key, field } of plan.created) {
    const isTaken = await hasApiKey(tx, userId, key);
    if (isTaken) throw invalidField(field, 'DUPLICATE', `${field} is already used by another of your keys.`);
    await upsertApiKey(tx, userId, key, now);
    ctx.emitAccount({ type: 'user.key_created', userId, data: { keyId: key.id, name: key.name } });
  }
  if (plan.created.length > 0)
    await mailNewKeys(
      ctx,
      plan.created.map(({ key }) => key.name || key.id),
    );
  await ctx.publish(userSubject(userId));
  return { errors: [], generated: new Map(plan.created.flatMap(({ key, value }) => (value ? [[key.id, value]] : []))) };
}

/** The policies as they are now. Those of the cached caller may be a second old. An API key manages keys like a login to the account. */
async function readKeySession({ db, caller, now }: Command): Promise<KeySession> {
  const { userId, sessionId, keyId } = caller;
  const row =
    sessionId === null
      ? await findCallerByKeyId(db, userId, keyId ?? '', now)
      : await findCallerBySession(db, sessionId, now);
  if (!row) throw unauthenticated('The token is invalid, expired or revoked.');
  return row;
}
