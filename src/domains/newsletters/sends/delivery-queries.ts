import type { Db } from '../../../db/sql.ts';
import type { SendKey } from './send-queries.ts';

export const DELIVERY_STATUSES = ['PENDING', 'ATTEMPTING', 'SENT', 'FAILED', 'SKIPPED', 'UNKNOWN'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type DeliveryRow = {
  subscriptionId: string;
  email: string;
  name: string;
  status: DeliveryStatus;
  attempts: number;
  error: string | null;
  updatedAt: number;
};

/** The version of an experiment that the subscriber got. Null if they got none. */
export async function findVersion(db: Db, { businessId, id }: SendKey, subscriptionId: string): Promise<number | null> {
  const [row] = await db<{ version: number | null }[]>`
    select coalesce(d.variant, s.winner) as version from deliveries d
    join sends s on s.business_id = d.business_id and s.id = d.send_id
    where d.business_id = ${businessId} and d.send_id = ${id} and d.subscription_id = ${subscriptionId}`;
  return row?.version ?? null;
}

/** Sorted by subscription ID. */
export function listDeliveries(
  db: Db,
  { businessId, id }: SendKey,
  status: string | undefined,
  after: string | null,
  limit: number,
) {
  return db<DeliveryRow[]>`
    select subscription_id, email, name, status, attempts, error, updated_at from deliveries
    where business_id = ${businessId} and send_id = ${id}
      ${after === null ? db`` : db`and subscription_id > ${after}`}
      ${status === undefined ? db`` : db`and status = ${status}`}
    order by subscription_id limit ${limit + 1}`;
}
