import { conflict, invalidField, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { type Command, command, type Query } from '../context.ts';
import { lockOwnFactors, requireFreshSession, requireSession, settleFactors } from './change-factors.ts';
import { mailFactorChange } from './factor-mail.ts';
import { issuerName } from './issuer.ts';
import { deletePasskey, insertPasskey, listPasskeyRows, updatePasskeyName } from './passkey-queries.ts';
import { claimChallenge } from './queries.ts';
import { viewPasskey } from './read-factors.ts';
import { relyingParty } from './relying-party.ts';
import type { AddedPasskey, Passkey, PasskeyInput, PasskeyOptions, SiteInput } from './schemas.ts';
import { invalidChallenge } from './verify-factor.ts';
import { registrationOptions, verifyRegistration } from './webauthn.ts';

const MAX_PASSKEYS = 50;

/** `origin`: the site that will create the passkey. */
export async function newPasskeyOptions(
  ctx: Query,
  { origin, businessId }: SiteInput & { origin: string | undefined },
): Promise<PasskeyOptions> {
  const { sessionId } = requireFreshSession(ctx);
  const { userId, email } = ctx.caller;
  const party = relyingParty(ctx, origin);
  const existing = await listPasskeyRows(ctx.db, userId);
  const name = await issuerName(ctx, businessId);
  const options = await registrationOptions({ ...party, name }, { id: userId, name: email ?? userId }, existing);
  const passkey = { challenge: options.challenge, ...party };
  return {
    challenge: ctx.accounts.challenges.issue('PASSKEY_SETUP', { userId, sessionId, passkey }, ctx.now),
    options,
  };
}

/** The challenge was issued to a session that had just authenticated, so no second proof is needed. */
export const addPasskey = command({
  async prepare(ctx, { challenge: text, credential, name }: PasskeyInput) {
    const { sessionId } = requireSession(ctx.caller);
    const challenge = ctx.accounts.challenges.read('PASSKEY_SETUP', text, ctx.now);
    if (!challenge?.passkey || challenge.sessionId !== sessionId) throw invalidChallenge();
    const verified = await verifyRegistration(credential, challenge.passkey);
    return { challenge, rpId: challenge.passkey.rpId, verified, name: name.trim() };
  },
  async execute(ctx, { challenge, rpId, verified, name }): Promise<AddedPasskey> {
    const { userId } = ctx.caller;
    const { secondFactors } = await lockOwnFactors(ctx);
    if (!(await claimChallenge(ctx.db, challenge))) throw invalidChallenge();
    if ((await listPasskeyRows(ctx.db, userId)).length >= MAX_PASSKEYS) {
      throw conflict(`You can have up to ${MAX_PASSKEYS} passkeys. Remove one first.`);
    }
    const row = {
      userId,
      id: newId('pky'),
      credentialId: verified.id,
      publicKey: Buffer.from(verified.publicKey),
      counter: verified.counter,
      transports: verified.transports ?? [],
      rpId,
      name,
      createdAt: ctx.now,
    };
    if (!(await insertPasskey(ctx.db, row))) {
      throw invalidField('credential', 'DUPLICATE', 'This passkey is already in use.');
    }
    ctx.emitAccount({ type: 'user.factor_added', userId, data: { method: 'PASSKEY', passkeyId: row.id, name } });
    const recoveryCodes = await settleFactors(ctx, secondFactors);
    await mailFactorChange(ctx, userId, 'PASSKEY_ADDED', name);
    return { ...viewPasskey({ ...row, lastUsedAt: null }), recoveryCodes };
  },
});

export async function renamePasskey(ctx: Command, { id, name }: { id: string; name: string }): Promise<Passkey> {
  requireSession(ctx.caller);
  const { userId } = ctx.caller;
  const row = await updatePasskeyName(ctx.db, userId, id, name.trim());
  if (!row) throw notFound('Passkey');
  ctx.emitAccount({ type: 'user.updated', userId, data: { changed: ['passkeys'] } });
  return viewPasskey(row);
}

export async function removePasskey(ctx: Command, id: string): Promise<typeof SUCCESS> {
  requireFreshSession(ctx);
  const { userId } = ctx.caller;
  const { secondFactors } = await lockOwnFactors(ctx);
  const removed = await deletePasskey(ctx.db, userId, id);
  if (!removed) throw notFound('Passkey');
  ctx.emitAccount({ type: 'user.factor_removed', userId, data: { method: 'PASSKEY', passkeyId: id } });
  await settleFactors(ctx, secondFactors);
  await mailFactorChange(ctx, userId, 'PASSKEY_REMOVED', removed.name);
  return SUCCESS;
}
