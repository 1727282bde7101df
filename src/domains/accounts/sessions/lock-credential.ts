import { unauthenticated } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { lockApiKey } from '../keys/queries.ts';
import { lockSession } from './queries.ts';

/**
 * Throws 401 if the caller's session or API key has ended while the request waited for a lock. Otherwise it can't end before this
 * transaction does.
 */
export async function lockCredential({ db: tx, caller, now }: Pick<Command, 'db' | 'caller' | 'now'>): Promise<void> {
  const { userId, sessionId, keyId } = caller;
  const exists =
    sessionId === null ? await lockApiKey(tx, userId, keyId ?? '', now) : await lockSession(tx, sessionId, now);
  if (!exists) throw unauthenticated('The token is invalid, expired or revoked.');
}
