import type { Db, Tx } from '../../db/sql.ts';

/** Something that goes on at the provider. */
export type Left = { kind: 'AGREEMENT' | 'SESSION'; id: string; providerId: string; expiresAt: number | null };

export const listLeft = (db: Db, businessId: string, limit: number) => db<Left[]>`
  select 'AGREEMENT' as kind, id, provider_id, null::bigint as expires_at from agreements
  where business_id = ${businessId} and provider <> 'SANDBOX' and due_at is not null
  union all
  select 'SESSION', id, session_id, expires_at from payments
  where business_id = ${businessId} and provider <> 'SANDBOX' and status = 'OPEN' and session_id is not null
  limit ${limit}`;

export async function updateLeftEnded(tx: Tx, businessId: string, { kind, id }: Left, now: number): Promise<void> {
  if (kind === 'AGREEMENT') {
    await tx`
      update agreements set status = 'ENDED', wanted = 'END', told = 'END', due_at = null, updated_at = ${now}
      where business_id = ${businessId} and id = ${id}`;
  } else {
    await tx`
      update payments set status = 'CLOSED', updated_at = ${now}
      where business_id = ${businessId} and id = ${id} and status = 'OPEN'`;
  }
}
