import type { Db, Tx } from '../../../db/sql.ts';
import type { Found } from './dns-records.ts';

export type SenderRow = {
  businessId: string;
  address: string;
  domain: string;
  selector: string;
  publicKey: string;
  /** Encrypted. */
  privateKey: string;
  found: Found;
  checkedAt: number | null;
  provedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

export async function findSender(db: Db, businessId: string): Promise<SenderRow | null> {
  const [row] = await db<SenderRow[]>`
    select business_id, address, domain, selector, public_key, private_key, found, checked_at, proved_at, created_at, updated_at
    from mail_senders where business_id = ${businessId}`;
  return row ?? null;
}

/** A new address at the same domain keeps the key and stays verified. */
export async function upsertSender(tx: Tx, row: SenderRow): Promise<void> {
  await tx`insert into mail_senders as s ${tx(row as never)}
    on conflict (business_id) do update set
      address = excluded.address, domain = excluded.domain, updated_at = excluded.updated_at,
      selector = case when s.domain = excluded.domain then s.selector else excluded.selector end,
      public_key = case when s.domain = excluded.domain then s.public_key else excluded.public_key end,
      private_key = case when s.domain = excluded.domain then s.private_key else excluded.private_key end,
      found = case when s.domain = excluded.domain then s.found else excluded.found end,
      checked_at = case when s.domain = excluded.domain then s.checked_at end,
      proved_at = case when s.domain = excluded.domain then s.proved_at end`;
}

/** The businesses with a sender address, by ID. */
export async function listSenders(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db<{ businessId: string }[]>`
    select business_id from mail_senders where business_id > ${after} order by business_id limit ${limit}`;
  return rows.map(({ businessId }) => businessId);
}

/** Changes nothing, and returns false, if the domain or its key was replaced during the check. */
export async function updateChecked(tx: Tx, { businessId, selector, found, checkedAt, provedAt }: SenderRow) {
  const rows = await tx`
    update mail_senders set found = ${tx.json(found as never)}, checked_at = ${checkedAt}, proved_at = ${provedAt}
    where business_id = ${businessId} and selector = ${selector} returning business_id`;
  return rows.length > 0;
}

export async function deleteSender(tx: Tx, businessId: string): Promise<boolean> {
  const rows = await tx`delete from mail_senders where business_id = ${businessId} returning business_id`;
  return rows.length > 0;
}
