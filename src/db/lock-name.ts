import type { Tx } from './sql.ts';

/** Until the transaction ends, whoever else locks this name waits: for what has no row yet that could be locked. */
export const lockName = (tx: Tx, name: string): Promise<void> => lockNames(tx, [name]);

/** The same for several, in their order, so that two who lock some of the same do not wait for each other in a circle. */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${[...names].sort()}::text[]) as name`;
}
