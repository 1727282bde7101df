import type { Db, Tx } from '../../db/sql.ts';
import type { Report } from './report.ts';

export type ErasureRow = {
  businessId: string;
  id: string;
  subject: string;
  status: 'RUNNING' | 'DONE';
  /** Encrypted. Null once the erasure is complete. */
  person: string | null;
  step: number;
  after: string | null;
  report: Report;
  requestedBy: string | null;
  createdAt: number;
  completedAt: number | null;
};

/** Does nothing if an erasure with this ID exists. */
export async function insertErasure(tx: Tx, row: ErasureRow): Promise<void> {
  await tx`insert into erasures ${tx({ ...row, report: tx.json(row.report) })} on conflict do nothing`;
}

export async function findRunning(db: Db, businessId: string, subject: string): Promise<ErasureRow | null> {
  const [row] = await db<ErasureRow[]>`
    select * from erasures where business_id = ${businessId} and subject = ${subject} and status = 'RUNNING' limit 1`;
  return row ?? null;
}

export async function findErasure(db: Db, businessId: string, id: string): Promise<ErasureRow | null> {
  const [row] = await db<ErasureRow[]>`select * from erasures where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** Null if the erasure is complete or doesn't exist. */
export async function lockRunning(tx: Tx, businessId: string, id: string): Promise<ErasureRow | null> {
  const [row] = await tx<ErasureRow[]>`
    select * from erasures where business_id = ${businessId} and id = ${id} and status = 'RUNNING' for update`;
  return row ?? null;
}

/** Newest first. */
export const listErasureRows = (db: Db, businessId: string, before: string | null, limit: number) => db<ErasureRow[]>`
  select * from erasures where business_id = ${businessId} and (${before}::text is null or id < ${before})
  order by id desc limit ${limit}`;

export async function updateErasure(tx: Tx, row: ErasureRow): Promise<void> {
  await tx`
    update erasures set status = ${row.status}, person = ${row.person}, step = ${row.step}, after = ${row.after},
      report = ${tx.json(row.report)}, completed_at = ${row.completedAt}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

/** Lists running erasures of all businesses, oldest first. */
export const listRunning = (db: Db, createdBefore: number, limit: number) => db<{ businessId: string; id: string }[]>`
  select business_id, id from erasures where status = 'RUNNING' and created_at <= ${createdBefore} order by id limit ${limit}`;

/** Lists the businesses where the erasure with this ID has started. */
export async function listStartedIn(db: Db, businessIds: readonly string[], id: string): Promise<string[]> {
  const rows = await db<{ businessId: string }[]>`
    select business_id from erasures where business_id = any(${businessIds as string[]}) and id = ${id}`;
  return rows.map((row) => row.businessId);
}

export type AccountErasureRow = {
  id: string;
  status: 'RUNNING' | 'DONE';
  person: string | null;
  after: string;
  report: Report;
  createdAt: number;
  completedAt: number | null;
};

export async function insertAccountErasure(tx: Tx, row: AccountErasureRow): Promise<void> {
  await tx`insert into account_erasures ${tx({ ...row, report: tx.json(row.report) })}`;
}

export async function findAccountErasure(db: Db, id: string): Promise<AccountErasureRow | null> {
  const [row] = await db<AccountErasureRow[]>`select * from account_erasures where id = ${id}`;
  return row ?? null;
}

export async function updateAccountErasure(tx: Tx, row: AccountErasureRow): Promise<void> {
  await tx`
    update account_erasures set status = ${row.status}, person = ${row.person}, after = ${row.after},
      report = ${tx.json(row.report)}, completed_at = ${row.completedAt}
    where id = ${row.id}`;
}

export const listRunningAccounts = (db: Db, createdBefore: number, limit: number) => db<{ id: string }[]>`
  select id from account_erasures where status = 'RUNNING' and created_at <= ${createdBefore} order by id limit ${limit}`;

/** Deletes the user's idempotency keys with their stored responses. */
export async function deleteIdempotencyKeys(tx: Tx, businessId: string, userId: string): Promise<void> {
  await tx`delete from idempotency_keys where business_id = ${businessId} and user_id = ${userId}`;
}
