import type { Db, Tx } from '../../db/sql.ts';

/** An agreement or session that is still active at the provider. */
export type OpenItem = { kind: 'AGREEMENT' | 'SESSION'; id: string; providerId: string; expiresAt: number | null };

export const listOpenItems = (db: Db, businessId: string, limit: number) => db<OpenItem[]>`
  select 'AGREEMENT' as kind, id, provider_id, null::bigint as expires_at from agreements
  where business_id = ${businessId} and provider <> 'SANDBOX' and due_at is not null
  union all
  select 'SESSION', id, session_id, expires_at from payments
  where business_id = ${businessId} and provider <> 'SANDBOX' and status = 'OPEN' and session_id is not null
  limit ${limit}`;

export async function updateItemEnded(tx: Tx, businessId: string, { kind, id }: OpenItem, now: number): Promise<void> {
  if (kind === 'AGREEMENT') {
    await tx`
      update agreements set status = 'ENDED', wanted = 'END', last_sent = 'END', due_at = null, updated_at = ${now}
      where business_id = ${businessId} and id = ${id}`;
  } else {
    await tx`
      update payments set status = 'CLOSED', updated_at = ${now}
      where business_id = ${businessId} and id = ${id} and status = 'OPEN'`;
  }
}
