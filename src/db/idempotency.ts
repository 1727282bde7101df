import { conflict, ServiceError } from '../shared/errors.ts';
import { isRecord } from '../shared/is-record.ts';
import { deriveKey, seal, unseal } from '../shared/secrets.ts';
import { isLockTimeout } from './errors.ts';
import type { Db, Tx } from './sql.ts';

const KEPT_SECONDS = 86_400;

/**
 * The Idempotency-Key of a request, whose it is, what it was sent with and when. The time is ours and not the database's:
 * a cluster cannot write what each of its nodes would read from a clock of its own.
 */
export type IdempotencyKey = Readonly<{
  businessId: string;
  userId: string;
  key: string;
  fingerprint: string;
  nowSeconds: number;
}>;

/** What a former request with the key has left: its answer, or only the name of what it committed. */
export type Repeat = { answer: unknown; reference: string | null };

/**
 * Takes the key for this transaction. `new`: the effect has not happened. Else what a former request left. Waits for a
 * transaction that holds the key; longer than the limit for locks is 409, another body is 422.
 */
export async function claimKey(tx: Tx, key: IdempotencyKey): Promise<'new' | Repeat> {
  const [taken] = await tx<TakenKey[]>`
    ${insertedKey(tx, key, null)} select fingerprint, answer, reference from taken`.catch(tooLong);
  checkFingerprint(key, taken!.fingerprint);
  const { answer, reference } = taken!;
  return answer === null && reference === null ? 'new' : { answer, reference };
}

/** The same for a transaction in one trip, whose outcome is known: aborts it with REPEAT when the key was used before. */
export const claimKeyOrAbort = (tx: Tx, key: IdempotencyKey, outcome: Repeat) => [
  tx`${insertedKey(tx, key, outcome)}
    select abort_transaction('REPEAT', '') from taken where reference is distinct from ${outcome.reference}`,
];

type TakenKey = Repeat & { fingerprint: string };

/** A key that has run out is taken over. */
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

/** Raises 409 where the wait for the first request was too long. */
export function tooLong(error: unknown): never {
  if (!isLockTimeout(error)) throw error;
  throw conflict('The first request with this Idempotency-Key is still being handled. Try again soon.');
}

/** What a former request with the key has left, without waiting for one that still runs. */
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
  throw new ServiceError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another request. Send a new one.');
}

/** Frees the key of what came to nothing, so that a repeat tries again. */
export async function releaseKey(tx: Tx, key: IdempotencyKey, reference: string): Promise<void> {
  await tx`delete from idempotency_keys where business_id = ${key.businessId} and user_id = ${key.userId}
    and key = ${key.key} and reference = ${reference}`;
}

/** What a repeat will get: the answer, or what is needed to make it. */
export async function storeOutcome(tx: Tx, key: IdempotencyKey, { answer, reference }: Repeat): Promise<void> {
  await tx`update idempotency_keys
    set answer = ${answer === null ? null : tx.json(answer as never)}, reference = ${reference}
    where business_id = ${key.businessId} and user_id = ${key.userId} and key = ${key.key}`;
}

/** Those of all businesses. */
export async function deleteExpiredKeys(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from idempotency_keys where expires_at < to_timestamp(${nowSeconds})`;
}

/** Seals what is stored for a repeat, because answers hold secrets: a new API key, where to pay. */
export type Vault = { seal(value: unknown): string; open(sealed: unknown): unknown };

export function vaultOf(
  secretKey: string,
  { businessId, userId, key }: Pick<IdempotencyKey, 'businessId' | 'userId' | 'key'>,
): Vault {
  const secret = deriveKey(secretKey, 'idempotency');
  const context = `${businessId}\n${userId}\n${key}`;
  return {
    seal: (value) => seal(secret, JSON.stringify(value ?? null), context),
    /** What was stored before answers were sealed is taken as it is. */
    open: (sealed) =>
      typeof sealed === 'string' && sealed.startsWith('v1.') ? JSON.parse(unseal(secret, sealed, context)) : sealed,
  };
}

/** Keys that one transaction opens. */
const BATCH = 100;
const ERASED = { erased: true };

type StoredKey = Repeat & { userId: string; key: string };

/**
 * Takes away what is stored for repeats in a business and says one of these words, which are in lower case. The keys stay, so that
 * what was done once is not done again. Returns where the next batch begins; null: there is none.
 */
export async function eraseAnswers(
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
    const said = textOf(vaultOf(secretKey, { businessId, userId, key }), [answer, reference]);
    if (!words.some((word) => said.includes(word))) continue;
    await tx`update idempotency_keys set answer = ${tx.json(ERASED)}, reference = null
      where business_id = ${businessId} and user_id = ${userId} and key = ${key}`;
  }
  const last = rows.at(-1);
  return rows.length < BATCH ? null : JSON.stringify([last!.userId, last!.key]);
}

/** What another SECRET_KEY has sealed says nothing to anybody. */
function textOf(vault: Vault, stored: readonly unknown[]): string {
  try {
    return JSON.stringify(stored.map((value) => value && vault.open(value))).toLowerCase();
  } catch {
    return '';
  }
}

/** Raises 409. */
export function checkNotErased(answer: unknown): void {
  if (isRecord(answer) && answer.erased === true)
    throw conflict('This was done, and its answer was erased with the data of a person. Look at what is there now.');
}
