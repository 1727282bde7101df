/**
 * Jobs that are rows of a domain's own table. What must follow a write is found from that write: the row and its cause are one
 * row, or two of one business, so they are there together or not at all, wherever the queue's own table lies.
 */
import type { Pool } from '../db/pool.ts';
import type { Row, Tx } from '../db/sql.ts';

/** `key`: what is unique within a business. `due`: the expression of an index that says when a row is due, null: never. */
export type DueTable = { name: string; key: string; due: string; columns: readonly string[] };

/** Nobody else takes a row for this long. Then whoever took it counts as dead. */
export const LEASE_SECONDS = 60;

/** Finds in all businesses what is due, then takes it in one business at a time: the handler says when it is due again, or ends it. */
export async function claimDueRows(pool: Pool, table: DueTable, nowSeconds: number, limit: number): Promise<Row[]> {
  const { name, key, due } = table;
  const found = await pool.text<{ businessId: string; key: string }[]>(
    `select business_id, ${key} as key from ${name} where ${due} <= $1 order by ${due} limit $2`,
    [nowSeconds, limit],
  );
  const claimed: Row[] = [];
  for (const [businessId, rows] of Map.groupBy(found, (row) => row.businessId)) {
    const keys = rows.map((row) => row.key);
    claimed.push(...(await pool.write((tx) => claimOf(tx, table, businessId, keys, nowSeconds))));
  }
  return claimed;
}

/** Those that somebody else has taken or changed meanwhile are left out. */
const claimOf = (
  tx: Tx,
  { name, key, due, columns }: DueTable,
  businessId: string,
  keys: string[],
  nowSeconds: number,
) =>
  tx.text<Row[]>(
    `update ${name} set due_at = $4 where business_id = $1 and ${key} = any(array(
      select ${key} from ${name} where business_id = $1 and ${key} = any($2) and ${due} <= $3
      order by ${key} for update skip locked))
    returning business_id, ${[key, ...columns].join(', ')}`,
    [businessId, keys, nowSeconds, nowSeconds + LEASE_SECONDS],
  );
