import type { Db, Tx } from '../../../db/sql.ts';

export type PasskeyRow = {
  userId: string;
  id: string;
  /** Base64url. */
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  rpId: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
};

/** Oldest first. */
export const listPasskeyRows = (db: Db, userId: string) => db<PasskeyRow[]>`
  select * from passkeys where user_id = ${userId} order by created_at, id`;

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db<PasskeyRow[]>`select * from passkeys where credential_id = ${credentialId}`;
  return row ?? null;
}

/** False if the credential is registered already. */
export async function insertPasskey(tx: Tx, row: Omit<PasskeyRow, 'lastUsedAt'>): Promise<boolean> {
  const rows = await tx`insert into passkeys ${tx(row)} on conflict (credential_id) do nothing returning id`;
  return rows.length > 0;
}

/** False if the passkey was removed, or the counter has not increased: another device may have a copy of the passkey. */
export async function updatePasskeyUse(
  tx: Tx,
  { userId, id, counter, now }: { userId: string; id: string; counter: number; now: number },
): Promise<boolean> {
  const rows = await tx`update passkeys set counter = ${counter}, last_used_at = ${now}
    where user_id = ${userId} and id = ${id} and (counter < ${counter} or counter = 0 and ${counter} = 0)
    returning id`;
  return rows.length > 0;
}

export async function updatePasskeyName(tx: Tx, userId: string, id: string, name: string): Promise<PasskeyRow | null> {
  const [row] = await tx<PasskeyRow[]>`
    update passkeys set name = ${name} where user_id = ${userId} and id = ${id} returning *`;
  return row ?? null;
}

export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<PasskeyRow | null> {
  const [row] = await tx<PasskeyRow[]>`delete from passkeys where user_id = ${userId} and id = ${id} returning *`;
  return row ?? null;
}
