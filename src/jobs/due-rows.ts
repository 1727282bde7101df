/**
 * Rows of a domain's table with a due time. The row and its cause are one row, or two rows of one business, so they
 * commit atomically. The handler completes its row or sets the next due time. If the handler fails, the row is due
 * again when its lease expires.
 */
import type { PoolOf } from '../db/cluster/index.ts';
import type { Row, Tx } from '../db/sql.ts';
import { createTurns, type TurnSource } from './turns.ts';

export type DueTable = {
  name: string;
  /** Unique within a business. */
  key: string;
  /** The indexed expression for when a row is due; null means never. */
  due: string;
  columns: readonly string[];
  /** The column that a claim moves ahead by `leaseSeconds`: `due_at` unless that time must not change. */
  lease?: string;
  leaseSeconds?: number;
};

/** No other worker can claim a row for this long. Afterward, its worker is considered dead. */
export const LEASE_SECONDS = 60;

/** Leases up to `limit` due rows of a business, most overdue first. Skips rows that another worker is claiming. */
export const claimDueRows = (
  tx: Tx,
  { name, key, due, columns, lease = 'due_at', leaseSeconds = LEASE_SECONDS }: DueTable,
  businessId: string,
  nowSeconds: number,
  limit: number,
) =>
  tx.text<Row[]>(
    `update ${name} set ${lease} = $3 where business_id = $1 and ${key} = any(array(
      select ${key} from ${name} where business_id = $1 and ${due} <= $2
      order by ${due}, ${key} limit $4 for update skip locked))
    returning business_id, ${[key, ...columns].join(', ')}`,
    [businessId, nowSeconds, nowSeconds + leaseSeconds, limit],
  );

export function rowSource(poolOf: PoolOf, table: DueTable, nowSeconds: () => number): TurnSource {
  const expireInSeconds = table.leaseSeconds ?? LEASE_SECONDS;
  const turns = createTurns(async (businessId, limit) => {
    const rows = await poolOf(businessId).write((tx) => claimDueRows(tx, table, businessId, nowSeconds(), limit));
    return {
      jobs: rows.map((data) => ({ id: String(data[table.key]), data, expireInSeconds })),
      hasMore: rows.length === limit,
    };
  });
  return { ...turns, complete: async () => {}, fail: async () => {}, release: async () => {} };
}
