import type { Db, Tx } from '../../../db/sql.ts';

type VatCheckRow = {
  businessId: string;
  vatId: string;
  valid: boolean;
  userId: string | null;
  checkedAt: number;
};

export async function findVatCheck(
  db: Db,
  businessId: string,
  vatId: string,
  sinceSeconds: number,
): Promise<VatCheckRow | null> {
  const [row] = await db<VatCheckRow[]>`
    select business_id, vat_id, valid, user_id, checked_at from vat_checks
    where business_id = ${businessId} and vat_id = ${vatId} and checked_at > ${sinceSeconds}`;
  return row ?? null;
}

export const upsertVatCheck = (tx: Tx, { businessId, vatId, valid, userId, checkedAt }: VatCheckRow) => tx`
  insert into vat_checks (business_id, vat_id, valid, user_id, checked_at)
  values (${businessId}, ${vatId}, ${valid}, ${userId}, ${checkedAt})
  on conflict (business_id, vat_id) do update set valid = excluded.valid, checked_at = excluded.checked_at,
    user_id = coalesce(excluded.user_id, vat_checks.user_id)`;

/** Across all businesses. */
export async function deleteOldVatChecks(tx: Tx, beforeSeconds: number): Promise<void> {
  await tx`delete from vat_checks where checked_at < ${beforeSeconds}`;
}

/** `customerIds`: the IDs of the person's account and customer record. */
export const listVatChecksOf = (db: Db, businessIds: readonly string[], customerIds: readonly string[]) => db<
  VatCheckRow[]
>`
  select business_id, vat_id, valid, user_id, checked_at from vat_checks
  where business_id = any(${businessIds as string[]}) and user_id = any(${customerIds as string[]})
  order by business_id, vat_id`;

export const deleteVatChecksOf = (tx: Tx, businessId: string, customerIds: readonly string[]) => tx<
  { vatId: string }[]
>`
  delete from vat_checks where business_id = ${businessId} and user_id = any(${customerIds as string[]})
  returning vat_id`;
