import type { Tx } from '../../db/connection.ts';
import { newId } from '../../shared/ids.ts';
import { hashApiKey } from './api-keys.ts';
import type { AccountsContext } from './context.ts';
import { insertUser, upsertApiKey } from './user-queries.ts';

export type ConfirmedUser = { email: string; name: string; passwordHash: string; apiKey: string };

/** For the demo: a user whose e-mail needs no confirmation, with an API key. */
export async function addConfirmedUser({ clock }: AccountsContext, tx: Tx, user: ConfirmedUser): Promise<string> {
  const { email, name, passwordHash, apiKey } = user;
  const id = newId('usr');
  const now = clock.seconds();
  await insertUser(tx, { id, email, name, passwordHash, isConfirmed: true, isGuest: false, createdAt: now });
  const key = { id: 'demo', name: 'Demo', hash: hashApiKey(apiKey), lastFour: apiKey.slice(-4), expiresAt: null };
  await upsertApiKey(tx, id, key, now);
  return id;
}
