import { conflict, ServiceError } from '../shared/errors.ts';
import { isRecord } from '../shared/is-record.ts';
import { deriveKey, seal, unseal } from '../shared/security/secrets.ts';
import { isLockTimeout } from './errors.ts';
import type { Db, Tx } from './sql.ts';

const KEPT_SECONDS = 86_400;

/**
 * The Idempotency-Key of a request, with its user, fingerprint and time. The time comes from the clock shared by all processes
 * (`clock.ts`), because on a cluster each node has its own.
 */
export type IdempotencyKey = Readonly<{
  businessId: string;
  userId: string;
  key: string;
  fingerprint: string;
  nowSeconds: number;
}>;

/** The result of the first request with the key: its response, or a reference to its committed data. */
export type Repeat = { answer: unknown; reference: string | null };

/**
 * Claims the key for this transaction. Returns `new`, or the result of the first request. Waits for a transaction
 * that has claimed the key: throws 409 after the lock timeout, and 422 if the body differs.
 */
export async function claimKey(tx: Tx, key: IdempotencyKey): Promise<'new' | Repeat> {
  const [taken] = await tx<TakenKey[]>`
    ${insertedKey(tx, key, null)} select fingerprint, answer, reference from taken`.catch((error) => {
    throw isLockTimeout(error) ? stillInProgress() : error;
  });
  checkFingerprint(key, taken!.fingerprint);
  const { answer, reference } = taken!;
  return answer === null && reference === null ? 'new' : { answer, reference };
}

/**
 * Claims the key in a pipelined transaction whose outcome is known. Aborts it with REPEAT if the key was used before.
 */
export const claimKeyOrAbort = (tx: Tx, key: IdempotencyKey, outcome: Repeat) => [
  tx`${insertedKey(tx, key, outcome)}
    select abort_transaction('REPEAT', '') from taken where reference is distinct from ${outcome.reference}`,
];

type TakenKey = Repeat & { fingerprint: string };

/** Inserts the key, or replaces it if it has expired. */
const insertedKey = (tx: Tx, key: IdempotencyKey, outcome: Repeat | null) => tx`
  with taken as (
    insert into idempotency_keys as k (business_id, user_id, key, fingerprint, answer, reference, expires_at)
    values (${key.businessId}, ${key.userId}, ${key.key}, ${key.fingerprint},
      ${outcome?.answer ? tx.json(outcome.answer as never) : null}, ${outcome?.reference ?? null},
      to_timestamp(${key.nowSeconds + KEPT_SECONDS}))
    on conflict (business_id, user_id, key) do update
      set fingerprint = case when k.expires_at < to_timestamp(${key.nowSeconds}) then excluded.fingerprint else k.fingerprint end,
          answer = case when k.expires_at < to_timestamp(${key.nowSeconds}) then excluded.answer else k.answer end,
          reference = case when k.expires_at < to_timestamp(${key.nowSeconds}) then excluded.reference else k.reference end,
          expires_at = case when k.expires_at < to_timestamp(${key.nowSeconds}) then excluded.expires_at else k.expires_at end
    returning fingerprint, answer, reference
  )`;

/** Whether a statement of a pipelined transaction waited for the first request with the key until the lock timeout. */
export const isKeyLockTimeout = (error: unknown) =>
  isLockTimeout(error) && /\bidempotency_keys(_\d+)?\b/.test((error as { where?: string }).where ?? '');

export const stillInProgress = () =>
  conflict('The first request with this Idempotency-Key is still in progress. Try again later.');

/** The result of the first request with the key, without waiting for one in progress. */
export async function findKey(db: Db, key: IdempotencyKey): Promise<Repeat | null> {
  const [row] = await db<TakenKey[]>`
    select fingerprint, answer, reference from idempotency_keys
    where business_id = ${key.businessId} and user_id = ${key.userId} and key = ${key.key}
      and expires_at >= to_timestamp(${key.nowSeconds})`;
  if (!row) return null;
  checkFingerprint(key, row.fingerprint);
  return row;
}

function checkFingerprint(key: IdempotencyKey, stored: string): void {
  if (stored === key.fingerprint) return;
  throw new ServiceError(
    'IDEMPOTENCY_MISMATCH',
    'This Idempotency-Key was already used with a different request. Use a new key.',
  );
}

/**
 * Releases the key of a failed request, so that a retry runs again. Returns false if a request with the key has stored
 * a response or released it before.
 */
export async function releaseKey(tx: Tx, key: IdempotencyKey, reference: string | null): Promise<boolean> {
  const rows = await tx`delete from idempotency_keys where business_id = ${key.businessId} and user_id = ${key.userId}
    and key = ${key.key} and answer is null and reference = ${reference} returning key`;
  return rows.length > 0;
}

/**
 * Stores the outcome that a retry gets: the response, or a reference to rebuild it. Returns false if a request with
 * the key has stored a response or released it before.
 */
export async function storeOutcome(tx: Tx, key: IdempotencyKey, { answer, reference }: Repeat): Promise<boolean> {
  const rows = await tx`update idempotency_keys
    set answer = ${answer === null ? null : tx.json(answer as never)}, reference = ${reference}
    where business_id = ${key.businessId} and user_id = ${key.userId} and key = ${key.key}
      and answer is null and (reference is null or reference = ${reference})
    returning key`;
  return rows.length > 0;
}

/** Deletes expired keys of all businesses. */
export async function deleteExpiredKeys(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from idempotency_keys where expires_at < to_timestamp(${nowSeconds})`;
}

/** Encrypts stored outcomes, because responses contain secrets such as a new API key or a payment URL. */
export type Vault<Value> = { seal(value: Value): string; open(sealed: unknown): Value };

/** `Value`: the JSON that requests with this key store. */
export function vaultOf<Value>(
  secretKey: string,
  { businessId, userId, key }: Pick<IdempotencyKey, 'businessId' | 'userId' | 'key'>,
): Vault<Value> {
  const secret = deriveKey(secretKey, 'idempotency');
  const context = `${businessId}\n${userId}\n${key}`;
  return {
    seal: (value) => seal(secret, JSON.stringify(value ?? null), context),
    /** Outcomes stored before encryption was introduced are returned as is. */
    open: (sealed) =>
      typeof sealed === 'string' && sealed.startsWith('v1.')
        ? JSON.parse(unseal(secret, sealed, context))
        : (sealed as Value),
  };
}

/** Keys decrypted per transaction. */
const BATCH = 100;
const ERASED = { erased: true };

type StoredKey = Repeat & { userId: string; key: string };

/**
 * Erases the stored outcomes of a business that contain one of these lower-case words. The keys are kept, so that nothing
 * is done twice. Returns where the next batch starts, or null.
 */
export async function eraseResponses(
  tx: Tx,
  { businessId, secretKey, words }: { businessId: string; secretKey: string; words: readonly string[] },
  after: string | null,
): Promise<string | null> {
  const [afterUser, afterKey] = after === null ? ['', ''] : (JSON.parse(after) as [string, string]);
  const rows = await tx<StoredKey[]>`
    select user_id, key, answer, reference from idempotency_keys
    where business_id = ${businessId} and (user_id, key) > (${afterUser}, ${afterKey})
    order by user_id, key limit ${BATCH}`;
  for (const { userId, key, answer, reference } of rows) {
    const text = textOf(vaultOf(secretKey, { businessId, userId, key }), [answer, reference]);
    if (!words.some((word) => text.includes(word))) continue;
    await tx`update idempotency_keys set answer = ${tx.json(ERASED)}, reference = null
      where business_id = ${businessId} and user_id = ${userId} and key = ${key}`;
  }
  const last = rows.at(-1);
  return rows.length < BATCH ? null : JSON.stringify([last!.userId, last!.key]);
}

/** Outcomes encrypted with another SECRET_KEY are unreadable and count as empty. */
function textOf(vault: Vault<unknown>, stored: readonly unknown[]): string {
  try {
    return JSON.stringify(stored.map((value) => value && vault.open(value))).toLowerCase();
  } catch {
    return '';
  }
}

/** Throws 409 if the outcome was erased. */
export function checkNotErased(response: unknown): void {
  if (isRecord(response) && response.erased === true)
    throw conflict(
      'This request succeeded, but its response was erased together with personal data. Fetch the current data instead.',
    );
}
