import type { Db, Fragment } from './sql.ts';

/** The number of rows of a statement. To keep it cheap, the statement has a limit. */
export async function countRows(db: Db, rows: Fragment): Promise<number> {
  const [row] = await db<{ total: number }[]>`select count(*)::int as total from (${rows}) counted`;
  return row!.total;
}
