import type { Db } from '../../../db/sql.ts';
import type { OrderRow } from '../order.ts';
import { columns } from '../queries.ts';

type Filter = {
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  after: readonly [createdAt: number, number: number] | null;
  limit: number;
};

export type AbandonedRow = OrderRow & { docBytes: number; laterId: string | null; laterNumber: number | null };

/** Newest first, each with the first paid order that the customer placed later. */
export const listAbandoned = (db: Db, businessId: string, { createdFrom, createdTo, after, limit }: Filter) => db<
  AbandonedRow[]
>`
  select a.*, later.id as later_id, later.number as later_number
  from (
    select ${columns(db)}, doc_bytes from orders
    where business_id = ${businessId} and is_abandoned
      ${createdFrom === undefined ? db`` : db`and created_at >= ${createdFrom}`}
      ${createdTo === undefined ? db`` : db`and created_at <= ${createdTo}`}
      ${after === null ? db`` : db`and (created_at, number) < (${after[0]}, ${after[1]})`}
    order by created_at desc, number desc limit ${limit}
  ) a
  left join lateral (
    select found.id, found.number from (
      (select l.id, l.number from orders l
        where l.business_id = ${businessId} and l.customer_id = a.customer_id and l.created_at >= a.created_at
          and l.number > a.number and ${isPaid(db)}
        order by l.created_at, l.number limit 1)
      union all
      (select l.id, l.number from orders l
        where l.business_id = ${businessId} and l.customer_email = a.customer_email and l.created_at >= a.created_at
          and l.number > a.number and ${isPaid(db)}
        order by l.number limit 1)
    ) found order by found.number limit 1
  ) later on true
  order by a.created_at desc, a.number desc`;

const isPaid = (db: Db) => db`l.paid_at is not null and l.payment_status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')`;
