import type { Tx } from './sql.ts';

/** Until the transaction ends, whoever else locks this name waits: for what has no row yet that could be locked. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
