import type { Db, Tx } from '../../../db/sql.ts';
import type { MailContent } from '../rendering/compose-mail.ts';

export const SEND_STATUSES = ['SCHEDULED', 'SENDING', 'SENT', 'CANCELLED', 'FAILED'] as const;
export type SendStatus = (typeof SEND_STATUSES)[number];

export type OnUnknown = 'RETRY' | 'HOLD';

export type SendRow = {
  businessId: string;
  id: string;
  entryId: string;
  collectionId: string;
  status: SendStatus;
  exclusive: boolean;
  open: boolean;
  onUnknown: OnUnknown;
  scheduledAt: number;
  recipients: number;
  content: MailContent | null;
  frozen: boolean;
  sent: number;
  failed: number;
  skipped: number;
  unknown: number;
  error: string | null;
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
};

export type SendKey = Pick<SendRow, 'businessId' | 'id'>;

type NewSend = Omit<SendRow, 'open' | 'frozen' | 'sent' | 'failed' | 'skipped' | 'unknown' | 'error' | 'completedAt'>;

/** Raises a violation of `sends_once` when there is another send of the entry and this one is exclusive. */
export async function insertSend(tx: Tx, send: NewSend): Promise<void> {
  const content = send.content && tx.json(send.content as never);
  await tx`insert into sends ${tx({ ...send, content } as never)}`;
}

export async function findSend(db: Db, businessId: string, id: string): Promise<SendRow | null> {
  const [row] = await db<SendRow[]>`select * from sends where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockSend(tx: Tx, businessId: string, id: string): Promise<SendRow | null> {
  const [row] = await tx<SendRow[]>`
    select * from sends where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** True when a send of the entry is scheduled, running or has sent something. */
export async function hasSend(db: Db, businessId: string, entryId: string): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (
      select 1 from sends
      where business_id = ${businessId} and entry_id = ${entryId}
        and (status in ('SCHEDULED', 'SENDING', 'SENT') or (status = 'CANCELLED' and frozen))
    ) as found`;
  return row!.found;
}

/**
 * How far a send has come: leased batches are counted row by row, the others as they were counted at their release. Of one that
 * was cancelled nothing more is sent but what is under way: that is unknown, and the rest is skipped.
 */
export type Figures = { total: number; sent: number; failed: number; skipped: number; unknown: number };
export type SendView = Omit<SendRow, 'content'> & Figures;

/** Without the content, which may be large. */
const columns = (db: Db) => db`
  s.business_id, s.id, s.entry_id, s.collection_id, s.status, s.exclusive, s.open, s.on_unknown, s.scheduled_at, s.recipients,
  s.frozen, s.error, s.created_at, s.started_at, s.completed_at`;

const figures = (db: Db) => db`
  coalesce(f.total, s.recipients) as total, coalesce(f.sent, s.sent) as sent, coalesce(f.failed, s.failed) as failed,
  case when s.status = 'CANCELLED' and f.total is not null then f.total - f.sent - f.failed - f.unknown - f.attempting
    else coalesce(f.skipped, s.skipped) end as skipped,
  coalesce(f.unknown + case when s.status = 'CANCELLED' then f.attempting else 0 end, s.unknown) as unknown`;

/** Reads the deliveries of leased batches only. */
const countLeased = (db: Db) => db`
  select count(*) filter (where d.status = 'SENT') as sent, count(*) filter (where d.status = 'FAILED') as failed,
    count(*) filter (where d.status = 'SKIPPED') as skipped, count(*) filter (where d.status = 'UNKNOWN') as unknown,
    count(*) filter (where d.status = 'ATTEMPTING') as attempting
  from deliveries d
  where b.owner is not null and d.business_id = b.business_id and d.send_id = b.send_id
    and d.subscription_id between b.first_id and b.last_id`;

const runningFigures = (db: Db) => db`
  left join lateral (
    select sum(b.size)::int as total,
      sum(case when b.owner is null then b.sent else c.sent end)::int as sent,
      sum(case when b.owner is null then b.failed else c.failed end)::int as failed,
      sum(case when b.owner is null then b.skipped else c.skipped end)::int as skipped,
      sum(case when b.owner is null then b.unknown else c.unknown end)::int as unknown,
      sum(case when b.owner is null then 0 else c.attempting end)::int as attempting
    from delivery_batches b cross join lateral (${countLeased(db)}) c
    where b.business_id = s.business_id and b.send_id = s.id and s.open and s.frozen
  ) f on true`;

export async function findSendView(db: Db, businessId: string, entryId: string, id: string): Promise<SendView | null> {
  const [row] = await db<SendView[]>`
    select ${columns(db)}, ${figures(db)}
    from sends s ${runningFigures(db)}
    where s.business_id = ${businessId} and s.entry_id = ${entryId} and s.id = ${id}`;
  return row ?? null;
}

/** Newest first. */
export function listSendViews(db: Db, businessId: string, entryId: string, before: string | null, limit: number) {
  return db<SendView[]>`
    select ${columns(db)}, ${figures(db)}
    from sends s ${runningFigures(db)}
    where s.business_id = ${businessId} and s.entry_id = ${entryId}
      ${before === null ? db`` : db`and s.id < ${before}`}
    order by s.id desc limit ${limit + 1}`;
}

/** It never starts, and does not prevent another send of the entry. */
export async function failSend(tx: Tx, { businessId, id }: SendKey, error: string, nowSeconds: number): Promise<void> {
  await tx`
    update sends set status = 'FAILED', open = false, exclusive = false, error = ${error}, completed_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id}`;
}

/** One that has not started is complete at once, all of it skipped; of a running one the job skips what was not sent. */
export async function markCancelled(tx: Tx, { businessId, id }: SendKey, nowSeconds: number): Promise<void> {
  await tx`
    update sends set status = 'CANCELLED', exclusive = frozen and exclusive, open = frozen,
      skipped = case when frozen then skipped else recipients end,
      completed_at = case when frozen then null else ${nowSeconds}::bigint end
    where business_id = ${businessId} and id = ${id}`;
}

/** Some send of the entry is planned or under way. */
export async function hasOpenSend(db: Db, businessId: string, entryId: string): Promise<boolean> {
  const rows = await db`
    select from sends where business_id = ${businessId} and entry_id = ${entryId} and open limit 1`;
  return rows.length > 0;
}

/** In the order of their ids, as everybody locks them. */
export function lockOpenSendsOf(tx: Tx, businessId: string, collectionId: string) {
  return tx<SendRow[]>`
    select * from sends where business_id = ${businessId} and collection_id = ${collectionId} and open
    order by id for update`;
}

/** Sends with work to do: those that run, and those whose time has come. Of all businesses. */
export function listOpenSends(db: Db, nowSeconds: number) {
  return db<SendKey[]>`
    select business_id, id from sends where open and (status <> 'SCHEDULED' or scheduled_at <= ${nowSeconds})`;
}
