/** The unmodified driver behind one function, for routes that must not benefit from our optimizations. */
import pg from 'pg';

type Row = Record<string, unknown>;

/** Runs a prepared statement with the parameters `values` on any connection of the pool. */
export type BareDb = (text: string, values: unknown[]) => Promise<Row[]>;

export function openBareDb(target: pg.PoolConfig): BareDb {
  const pool = new pg.Pool({ ...target, max: 10, application_name: 'bare' });
  const names = new Map<string, string>();
  return async (text, values) => {
    const name = names.get(text) ?? `bare_${names.size}`;
    names.set(text, name);
    return (await pool.query({ name, text, values })).rows;
  };
}
