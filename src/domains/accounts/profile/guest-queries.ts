import type { Tx } from '../../../db/sql.ts';

/** Oldest first. Skips guests already known to own records. */
export async function lockOldGuests(tx: Tx, createdBefore: number, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from users where is_guest and not is_kept and created_at <= ${createdBefore}
    order by created_at, id limit ${limit} for update skip locked`;
  return rows.map((row) => row.id);
}

export async function updateKept(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx`update users set is_kept = true where id = any(${ids})`;
}

/** Also deletes their sessions and codes. */
export async function deleteUsers(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx`delete from users where id = any(${ids})`;
}
