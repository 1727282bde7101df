import type { Tx } from './sql.ts';

/** Locks a name until the transaction ends, for records that have no row to lock yet. */
export const lockName = (tx: Tx, name: string): Promise<void> => lockNames(tx, [name]);

/** Locks several names in sorted order, so that two transactions can't deadlock. */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${[...names].sort()}::text[]) as name`;
}
