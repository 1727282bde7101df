import type { Db, Tx } from '../../../db/sql.ts';
import type { KeyConfirmations } from '../../../shared/security/rights.ts';
import { type CallerRow, callerColumns } from '../sessions/queries.ts';
import type { Scopes } from './schemas.ts';

/** The hash of a key with limits is stored with a prefix, so that older processes, which would ignore the limits, don't find the key. */
const LIMITED = Buffer.from([1]);
const hashesOf = (hash: Buffer) => [hash, Buffer.concat([LIMITED, hash])] as const;
const isLimited = ({ scopes, networks, ssoBusiness }: Pick<ApiKeyRow, 'scopes' | 'networks' | 'ssoBusiness'>) =>
  scopes !== null || networks !== null || ssoBusiness !== null;

export type KeyCallerRow = CallerRow & KeyRights & { keyId: string; networks: string[] | null };

/** What the rights of a key depend on, besides its owner. */
type KeyRights = {
  scopes: Scopes | null;
  /** The business whose single sign-on began the session that created the key. */
  ssoBusiness: string | null;
  generation: number;
  confirmations: KeyConfirmations;
};

const keyCallerColumns = (
  db: Db,
) => db`${callerColumns(db)}, 'API' as provider, k.id as key_id, k.expires_at, k.last_used_at,
  k.created_at, k.scopes, k.networks, k.sso_business, k.generation, k.confirmations`;

/** Returns null if two users have chosen the same value. Each of them knows the other's key, so it grants no access. */
export async function findCallerByKey(db: Db, hash: Buffer, nowSeconds: number): Promise<KeyCallerRow | null> {
  const [plain, limited] = hashesOf(hash);
  const rows = await db<KeyCallerRow[]>`
    select ${keyCallerColumns(db)} from api_keys k join users u on u.id = k.user_id
    where k.hash in (${plain}, ${limited}) and (k.expires_at is null or k.expires_at > ${nowSeconds})
    limit 2`;
  return rows.length === 1 ? rows[0]! : null;
}

/** Null if the key was revoked or has expired. */
export async function findCallerByKeyId(
  db: Db,
  userId: string,
  id: string,
  nowSeconds: number,
): Promise<KeyCallerRow | null> {
  const [row] = await db<KeyCallerRow[]>`
    select ${keyCallerColumns(db)} from api_keys k join users u on u.id = k.user_id
    where k.user_id = ${userId} and k.id = ${id} and (k.expires_at is null or k.expires_at > ${nowSeconds})`;
  return row ?? null;
}

/** False if the key was revoked or has expired. */
export async function lockApiKey(tx: Tx, userId: string, id: string, nowSeconds: number): Promise<boolean> {
  const rows = await tx`
    select from api_keys where user_id = ${userId} and id = ${id}
      and (expires_at is null or expires_at > ${nowSeconds}) for key share`;
  return rows.length > 0;
}

export async function updateKeyUse(tx: Tx, userId: string, keyId: string, nowSeconds: number): Promise<void> {
  await tx`update api_keys set last_used_at = ${nowSeconds} where user_id = ${userId} and id = ${keyId}`;
}

export type ApiKeyRow = {
  id: string;
  name: string;
  lastFour: string;
  expiresAt: number | null;
  lastUsedAt: number | null;
  networks: string[] | null;
} & KeyRights;

export const listApiKeys = (db: Db, userId: string) => db<ApiKeyRow[]>`
  select id, name, last_four, expires_at, last_used_at, scopes, networks, sso_business, generation, confirmations
  from api_keys where user_id = ${userId} order by created_at, id`;

export type NewApiKey = Omit<ApiKeyRow, 'lastUsedAt'> & { hash: Buffer };

/** Whether another key of the user has this value. */
export async function hasApiKey(
  db: Db,
  userId: string,
  { id, hash }: Pick<NewApiKey, 'id' | 'hash'>,
): Promise<boolean> {
  const [plain, limited] = hashesOf(hash);
  const rows = await db`
    select from api_keys where user_id = ${userId} and id <> ${id} and hash in (${plain}, ${limited})`;
  return rows.length > 0;
}

/** Replaces an existing key with the same ID. */
export async function upsertApiKey(tx: Tx, userId: string, key: NewApiKey, now: number): Promise<void> {
  const [plain, limited] = hashesOf(key.hash);
  await tx`insert into api_keys (user_id, id, name, hash, last_four, created_at, expires_at, scopes, networks, sso_business,
      generation, confirmations)
    values (${userId}, ${key.id}, ${key.name}, ${isLimited(key) ? limited : plain}, ${key.lastFour}, ${now}, ${key.expiresAt},
      ${scopesOf(tx, key)}, ${key.networks}, ${key.ssoBusiness}, ${key.generation}, ${tx.json(key.confirmations)})
    on conflict (user_id, id) do update set name = excluded.name, hash = excluded.hash, last_four = excluded.last_four,
      created_at = excluded.created_at, expires_at = excluded.expires_at, scopes = excluded.scopes,
      networks = excluded.networks, sso_business = excluded.sso_business, generation = excluded.generation,
      confirmations = excluded.confirmations, last_used_at = null`;
}

export type ApiKeyChange = Omit<ApiKeyRow, 'lastFour' | 'lastUsedAt'>;

const scopesOf = (tx: Tx, { scopes }: Pick<ApiKeyRow, 'scopes'>) => (scopes === null ? null : tx.json(scopes));

export async function updateApiKey(tx: Tx, userId: string, key: ApiKeyChange): Promise<void> {
  await tx`update api_keys set name = ${key.name}, expires_at = ${key.expiresAt}, scopes = ${scopesOf(tx, key)},
      networks = ${key.networks}, generation = ${key.generation}, confirmations = ${tx.json(key.confirmations)},
      hash = ${isLimited(key) ? tx`${LIMITED}::bytea ||` : tx``} substring(hash from length(hash) - 31)
    where user_id = ${userId} and id = ${key.id}`;
}

export async function deleteApiKeys(tx: Tx, userId: string, ids: string[]): Promise<void> {
  await tx`delete from api_keys where user_id = ${userId} and id = any(${ids})`;
}
