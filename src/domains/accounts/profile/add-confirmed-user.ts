import type { Command } from '../context.ts';
import { hashApiKey } from '../keys/api-keys.ts';
import { upsertApiKey } from '../keys/queries.ts';
import { insertUser } from './queries.ts';

type ConfirmedUser = { id: string; email: string; name: string; passwordHash: string; apiKey: string };

/** For the demo: adds a user with a confirmed email and an API key. */
export async function addConfirmedUser(ctx: Command, user: ConfirmedUser): Promise<void> {
  const { db: tx, now } = ctx;
  const { id, email, name, passwordHash, apiKey } = user;
  await insertUser(tx, { id, email, name, passwordHash, isConfirmed: true, isGuest: false, createdAt: now });
  const key = { id: 'demo', name: 'Demo', hash: hashApiKey(apiKey), lastFour: apiKey.slice(-4), expiresAt: null };
  await upsertApiKey(
    tx,
    id,
    { ...key, scopes: null, networks: null, ssoBusiness: null, generation: 0, confirmations: {} },
    now,
  );
  ctx.emitAccount({ type: 'user.registered', userId: id, data: { email } });
}
