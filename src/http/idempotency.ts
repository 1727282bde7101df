import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { inTransaction, type Pool, type Tx } from '../db/connection.ts';
import { claimKey, type IdempotencyKey, settleKey } from '../db/idempotency.ts';
import { invalidField } from '../shared/errors.ts';

/** Null when the request carries no key. */
export function idempotencyKey(request: FastifyRequest): IdempotencyKey | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'INVALID_FORMAT', 'Idempotency-Key must be 1 to 255 visible characters.');
  }
  const { businessId = '' } = request.params as { businessId?: string };
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest('base64url');
  return { businessId, userId: request.caller.userId, key, fingerprint };
}

/**
 * Runs `effect` once for each Idempotency-Key: the key and the answer are written in the effect's own transaction, so there
 * is never one without the other. A repeat gets the stored answer; one that comes while the first still runs waits for it.
 */
export async function once<T>(pool: Pool, request: FastifyRequest, effect: (tx: Tx) => Promise<T>): Promise<T> {
  const key = idempotencyKey(request);
  if (key === null) return inTransaction(pool, effect);
  return inTransaction(pool, async (tx) => {
    const claim = await claimKey(tx, key);
    if (claim !== 'new') return claim.answer as T;
    const answer = await effect(tx);
    await settleKey(tx, key, answer);
    return answer;
  });
}
