import type { Db, Fragment } from './sql.ts';

/** The number of rows that a statement returns. To keep it cheap, pass a statement with a limit. */
export async function countRows(db: Db, rows: Fragment): Promise<number> {
  const [row] = await db<{ total: number }[]>`select count(*)::int as total from (${rows}) counted`;
  return row!.total;
}
