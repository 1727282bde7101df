/** The counters of invoice and credit note numbers. The database function `issue_document` increments them. */
import type { Db, Tx } from '../../db/sql.ts';

/** The last number, 0 if there is none. */
export async function findLastNumber(db: Db, businessId: string, series: string): Promise<number> {
  const [row] = await db<{ last: number }[]>`
    select last from document_counters where business_id = ${businessId} and series = ${series}`;
  return row?.last ?? 0;
}

/** Raises the last number to `last`, but never lowers it. Returns the last number, which stays locked until the commit. */
export async function raiseLastNumber(tx: Tx, businessId: string, series: string, last: number): Promise<number> {
  const [row] = await tx<{ last: number }[]>`
    insert into document_counters as c (business_id, series, last) values (${businessId}, ${series}, ${last})
    on conflict (business_id, series) do update set last = greatest(c.last, excluded.last) returning last`;
  return row!.last;
}
