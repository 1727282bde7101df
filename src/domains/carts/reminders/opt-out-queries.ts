import type { Db, Tx } from '../../../db/sql.ts';

export async function hasOptedOut(db: Db, businessId: string, mailboxHash: string): Promise<boolean> {
  const rows = await db`
    select from reminder_opt_outs where business_id = ${businessId} and mailbox_hash = ${mailboxHash}`;
  return rows.length > 0;
}

export const insertOptOut = (tx: Tx, businessId: string, mailboxHash: string, nowSeconds: number) => tx`
  insert into reminder_opt_outs (business_id, mailbox_hash, created_at)
  values (${businessId}, ${mailboxHash}, ${nowSeconds}) on conflict do nothing`;
