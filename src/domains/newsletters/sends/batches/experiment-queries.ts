import type { Db, Tx } from '../../../../db/sql.ts';
import type { SendKey } from '../send-queries.ts';

/** Stores the winner and makes the waiting batches due. The send must be locked. */
export async function releaseRemaining(tx: Tx, { businessId, id }: SendKey, winner: number): Promise<void> {
  await tx`update sends set winner = ${winner} where business_id = ${businessId} and id = ${id}`;
  await tx`
    update delivery_batches set due_at = 0 where business_id = ${businessId} and send_id = ${id} and not done`;
}

/** How many subscribers got each version of the test, and how many of them opened or clicked. */
export const countByVersion = (db: Db, { businessId, id }: SendKey, metric: 'CLICKS' | 'OPENS') => db<
  { variant: number; sent: number; people: number }[]
>`
  select variant, count(*)::int as sent,
    count(${metric === 'CLICKS' ? db`clicked_at` : db`opened_at`})::int as people
  from deliveries
  where business_id = ${businessId} and send_id = ${id} and variant is not null and status = 'SENT'
  group by variant order by variant`;
