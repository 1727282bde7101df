import { conflict, ServiceError } from '../shared/errors.ts';
import type { Tx } from './connection.ts';

const KEPT_SECONDS = 86_400;
/** How long a repeat waits for the first to end before it is told 409. */
const WAIT_MS = 5000;

/** The Idempotency-Key of a request, whose it is and what it was sent with. */
export type IdempotencyKey = Readonly<{ businessId: string; userId: string; key: string; fingerprint: string }>;

/**
 * Takes the key for this transaction. `new`: the effect has not happened, or not been answered yet (`reference` names what a
 * former try committed). Waits for a transaction that holds the key; too long is 409, another body is 422.
 */
export async function claimKey(
  tx: Tx,
  key: IdempotencyKey,
): Promise<'new' | { answer: unknown; reference: string | null }> {
  await tx.unsafe(`set local lock_timeout = ${WAIT_MS}`);
  try {
    const [taken] = await tx<{ fresh: boolean; fingerprint: string; answer: unknown; reference: string | null }[]>`
      insert into idempotency_keys as k (business_id, user_id, key, fingerprint, expires_at)
      values (${key.businessId}, ${key.userId}, ${key.key}, ${key.fingerprint}, now() + ${`${KEPT_SECONDS} s`}::interval)
      on conflict (business_id, user_id, key) do update
        set fingerprint = case when k.expires_at < now() then excluded.fingerprint else k.fingerprint end,
            answer = case when k.expires_at < now() then null else k.answer end,
            reference = case when k.expires_at < now() then null else k.reference end,
            expires_at = case when k.expires_at < now() then excluded.expires_at else k.expires_at end
      returning fingerprint, answer, reference, answer is null and reference is null as fresh`;
    await tx`set local lock_timeout = 0`;
    if (taken!.fingerprint !== key.fingerprint) {
      throw new ServiceError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another request.');
    }
    return taken!.fresh ? 'new' : { answer: taken!.answer, reference: taken!.reference };
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') {
      throw conflict('The first request with this Idempotency-Key is still being handled.');
    }
    throw error;
  }
}

/** Notes what the effect made, when the answer is known only after the commit. */
export async function referenceKey(tx: Tx, key: IdempotencyKey, reference: string): Promise<void> {
  await tx`update idempotency_keys set reference = ${reference}
    where business_id = ${key.businessId} and user_id = ${key.userId} and key = ${key.key}`;
}

export async function settleKey(tx: Tx, key: IdempotencyKey, answer: unknown): Promise<void> {
  await tx`update idempotency_keys set answer = ${tx.json(answer as never)}
    where business_id = ${key.businessId} and user_id = ${key.userId} and key = ${key.key}`;
}

export async function deleteExpiredKeys(tx: Tx): Promise<void> {
  await tx`delete from idempotency_keys where expires_at < now()`;
}
