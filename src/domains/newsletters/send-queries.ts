import type { Db, Tx } from '../../db/connection.ts';
import type { BulkMail } from '../../providers/mail/port.ts';

export const SEND_STATUSES = ['SCHEDULED', 'SENDING', 'SENT', 'CANCELLED', 'FAILED'] as const;
export type SendStatus = (typeof SEND_STATUSES)[number];

export type OnUnknown = 'RETRY' | 'HOLD';

/** What was frozen: the mail, and the domain of its Message-IDs. */
export type FrozenContent = { mail: BulkMail; domain: string };

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
  content: FrozenContent | null;
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

/** Without the content, which may be large. */
const COLUMNS = [
  ...['business_id', 'id', 'entry_id', 'collection_id', 'status', 'exclusive', 'open', 'on_unknown', 'scheduled_at'],
  ...['recipients', 'frozen', 'sent', 'failed', 'skipped', 'unknown', 'error', 'created_at', 'started_at'],
  'completed_at',
];

type NewSend = Omit<SendRow, 'open' | 'frozen' | 'sent' | 'failed' | 'skipped' | 'unknown' | 'error' | 'completedAt'>;

/** Raises a violation of `sends_once` when another send of the entry stands in the way. */
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

/** A send of the entry that is planned, under way or has begun to leave. */
export async function hasSend(db: Db, businessId: string, entryId: string): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (
      select 1 from sends
      where business_id = ${businessId} and entry_id = ${entryId}
        and (status in ('SCHEDULED', 'SENDING', 'SENT') or (status = 'CANCELLED' and frozen))
    ) as found`;
  return row!.found;
}

/** The figures of a send at this moment: what is done as it was counted, what is leased row by row. */
export type Figures = { total: number; sent: number; failed: number; skipped: number; unknown: number };
export type SendView = Omit<SendRow, 'content'> & Figures;

const figures = (db: Db) => db`
  coalesce(f.total, s.recipients) as total, coalesce(f.sent, s.sent) as sent, coalesce(f.failed, s.failed) as failed,
  coalesce(f.skipped, s.skipped) as skipped, coalesce(f.unknown, s.unknown) as unknown`;

/** The rows of a batch that is held are counted; of one that nobody holds none is looked at. */
const countHeld = (db: Db) => db`
  select count(*) filter (where d.status = 'SENT') as sent, count(*) filter (where d.status = 'FAILED') as failed,
    count(*) filter (where d.status = 'SKIPPED') as skipped, count(*) filter (where d.status = 'UNKNOWN') as unknown
  from deliveries d
  where b.owner is not null and d.business_id = b.business_id and d.send_id = b.send_id
    and d.subscription_id between b.first_id and b.last_id`;

const runningFigures = (db: Db) => db`
  left join lateral (
    select sum(b.size)::int as total,
      sum(case when b.owner is null then b.sent else c.sent end)::int as sent,
      sum(case when b.owner is null then b.failed else c.failed end)::int as failed,
      sum(case when b.owner is null then b.skipped else c.skipped end)::int as skipped,
      sum(case when b.owner is null then b.unknown else c.unknown end)::int as unknown
    from delivery_batches b cross join lateral (${countHeld(db)}) c
    where b.business_id = s.business_id and b.send_id = s.id and s.open and s.frozen
  ) f on true`;

export async function findSendView(db: Db, businessId: string, entryId: string, id: string): Promise<SendView | null> {
  const [row] = await db<SendView[]>`
    select ${db(COLUMNS.map((column) => `s.${column}`))}, ${figures(db)}
    from sends s ${runningFigures(db)}
    where s.business_id = ${businessId} and s.entry_id = ${entryId} and s.id = ${id}`;
  return row ?? null;
}

/** Newest first. */
export function listSendViews(db: Db, businessId: string, entryId: string, before: string | null, limit: number) {
  return db<SendView[]>`
    select ${db(COLUMNS.map((column) => `s.${column}`))}, ${figures(db)}
    from sends s ${runningFigures(db)}
    where s.business_id = ${businessId} and s.entry_id = ${entryId}
      ${before === null ? db`` : db`and s.id < ${before}`}
    order by s.id desc limit ${limit + 1}`;
}

/** It never begins, and no longer stands in the way of another. */
export async function failSend(tx: Tx, { businessId, id }: SendKey, error: string, nowSeconds: number): Promise<void> {
  await tx`
    update sends set status = 'FAILED', open = false, exclusive = false, error = ${error}, completed_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id}`;
}

/** One that has not begun is over at once; of one under way the job closes what is left. */
export async function cancelSend(tx: Tx, { businessId, id }: SendKey, nowSeconds: number): Promise<void> {
  await tx`
    update sends set status = 'CANCELLED', exclusive = frozen and exclusive, open = frozen,
      completed_at = case when frozen then null else ${nowSeconds}::bigint end
    where business_id = ${businessId} and id = ${id}`;
}

/** Sends that wait for work: those under way, and those whose time has come. */
export function listOpenSends(db: Db, nowSeconds: number) {
  return db<SendKey[]>`
    select business_id, id from sends where open and (status <> 'SCHEDULED' or scheduled_at <= ${nowSeconds})`;
}
