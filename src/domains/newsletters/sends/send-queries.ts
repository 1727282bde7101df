import type { Db, Tx } from '../../../db/sql.ts';
import type { MailContent } from '../rendering/compose-mail.ts';
import type { Tracking } from '../stats/track-links.ts';

export const SEND_STATUSES = ['SCHEDULED', 'SENDING', 'SENT', 'CANCELLED', 'FAILED'] as const;
type SendStatus = (typeof SEND_STATUSES)[number];

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
  segmentId: string | null;
  experiment: Experiment | null;
  /** The latest time when the rest of the audience gets the winner. Null until an experiment starts. */
  decidesAt: number | null;
  /** The number of the version that the rest of the audience gets. Null until it is chosen. */
  winner: number | null;
  /** Whether subscribers get it at the scheduled time in their own time zone. */
  localTime: boolean;
  /** The tracked metrics. Null without tracking, and until the send starts. */
  tracking: Tracking | null;
  content: MailContent | null;
  /** Set if the send belongs to a step in an automation. Its content is then shared, in `mail_contents`. */
  automationId: string | null;
  stepId: string | null;
  contentId: string | null;
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

/** Compares either subjects, or the entry and the entries in `alternatives`. `after` is the duration of the test in seconds. */
export type Experiment = {
  share: number;
  subjects: readonly string[];
  alternatives?: readonly string[];
  metric: Metric;
  after: number;
};
export const METRICS = ['CLICKS', 'OPENS', 'MANUAL'] as const;
type Metric = (typeof METRICS)[number];

type Later =
  | 'open'
  | 'frozen'
  | 'sent'
  | 'failed'
  | 'skipped'
  | 'unknown'
  | 'error'
  | 'completedAt'
  | 'decidesAt'
  | 'winner';
type OfAutomation = 'automationId' | 'stepId' | 'contentId';
/** `dueAt` is when the send starts. */
type NewSend = Omit<SendRow, Later | OfAutomation> & Partial<Pick<SendRow, OfAutomation>> & { dueAt: number };

/** Violates the constraint `sends_once` if the send is exclusive and the entry has another send. */
export async function insertSend(tx: Tx, send: NewSend): Promise<void> {
  const json = {
    content: send.content && tx.json(send.content as never),
    experiment: send.experiment && tx.json(send.experiment as never),
    tracking: send.tracking && tx.json(send.tracking),
  };
  await tx`insert into sends ${tx({ ...send, ...json } as never)}`;
}

export async function findSend(db: Db, businessId: string, id: string): Promise<SendRow | null> {
  const [row] = await db<(SendRow & { shared: MailContent | null })[]>`
    select s.*, c.content as shared from sends s
    left join mail_contents c on c.business_id = s.business_id and c.id = s.content_id
    where s.business_id = ${businessId} and s.id = ${id}`;
  return row ? { ...row, content: row.content ?? row.shared } : null;
}

export async function lockSend(tx: Tx, businessId: string, id: string): Promise<SendRow | null> {
  const [row] = await tx<SendRow[]>`
    select * from sends where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Whether the entry has a send that is scheduled or running, or that has sent messages. */
export async function hasSend(db: Db, businessId: string, entryId: string): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (
      select 1 from sends
      where business_id = ${businessId} and entry_id = ${entryId} and automation_id is null
        and (status in ('SCHEDULED', 'SENDING', 'SENT') or (status = 'CANCELLED' and frozen))
    ) as found`;
  return row!.found;
}

/**
 * The progress of a send. Leased batches are counted row by row; for the others, the counts stored at their release are used. In a
 * canceled send, deliveries in progress count as unknown and the remaining ones as skipped.
 */
type Progress = { total: number; sent: number; failed: number; skipped: number; unknown: number };
export type SendView = Omit<SendRow, 'content' | OfAutomation> & Progress;

/** All columns except the content, which may be large. */
const columns = (db: Db) => db`
  s.business_id, s.id, s.entry_id, s.collection_id, s.status, s.exclusive, s.open, s.on_unknown, s.scheduled_at, s.recipients,
  s.segment_id, s.experiment, s.decides_at, s.winner, s.local_time, s.tracking, s.frozen, s.error, s.created_at, s.started_at, s.completed_at`;

const progress = (db: Db) => db`
  coalesce(f.total, s.recipients) as total, coalesce(f.sent, s.sent) as sent, coalesce(f.failed, s.failed) as failed,
  case when s.status = 'CANCELLED' and f.total is not null then f.total - f.sent - f.failed - f.unknown - f.attempting
    else coalesce(f.skipped, s.skipped) end as skipped,
  coalesce(f.unknown + case when s.status = 'CANCELLED' then f.attempting else 0 end, s.unknown) as unknown`;

/** Counts the deliveries of leased batches only. */
const countLeased = (db: Db) => db`
  select count(*) filter (where d.status = 'SENT') as sent, count(*) filter (where d.status = 'FAILED') as failed,
    count(*) filter (where d.status = 'SKIPPED') as skipped, count(*) filter (where d.status = 'UNKNOWN') as unknown,
    count(*) filter (where d.status = 'ATTEMPTING') as attempting
  from deliveries d
  where b.owner is not null and d.business_id = b.business_id and d.send_id = b.send_id
    and d.subscription_id between b.first_id and b.last_id`;

const runningProgress = (db: Db) => db`
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
    select ${columns(db)}, ${progress(db)}
    from sends s ${runningProgress(db)}
    where s.business_id = ${businessId} and s.entry_id = ${entryId} and s.id = ${id} and s.automation_id is null`;
  return row ?? null;
}

/** Newest first. */
export function listSendViews(db: Db, businessId: string, entryId: string, before: string | null, limit: number) {
  return db<SendView[]>`
    select ${columns(db)}, ${progress(db)}
    from sends s ${runningProgress(db)}
    where s.business_id = ${businessId} and s.entry_id = ${entryId} and s.automation_id is null
      ${before === null ? db`` : db`and s.id < ${before}`}
    order by s.id desc limit ${limit + 1}`;
}

/**
 * At most one send per entry, in this order of preference: in progress, scheduled, last sent, last canceled or failed. Leaves out sends
 * that were canceled before they started.
 */
export const listCurrentSendViews = (db: Db, businessId: string, entryIds: readonly string[]) => db<SendView[]>`
  select distinct on (s.entry_id) ${columns(db)}, ${progress(db)}
  from sends s ${runningProgress(db)}
  where s.business_id = ${businessId} and s.entry_id = any(${entryIds as string[]}) and s.automation_id is null
    and (s.status <> 'CANCELLED' or s.started_at is not null)
  order by s.entry_id, array_position(array['SENDING', 'SCHEDULED', 'SENT'], s.status), s.id desc`;

/** The send never starts and does not block another send of the entry. */
export async function failSend(tx: Tx, { businessId, id }: SendKey, error: string, nowSeconds: number): Promise<void> {
  await tx`
    update sends set status = 'FAILED', open = false, exclusive = false, error = ${error}, completed_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id}`;
}

/** For a claimed send that can't start yet. */
export async function postponeStart(tx: Tx, { businessId, id }: SendKey, dueAt: number): Promise<void> {
  await tx`update sends set due_at = ${dueAt} where business_id = ${businessId} and id = ${id} and not frozen`;
}

/** A send that has not started completes immediately, with all deliveries skipped. For a running send, a worker skips the rest. */
export async function markCancelled(tx: Tx, { businessId, id }: SendKey, nowSeconds: number): Promise<void> {
  await tx`
    update sends set status = 'CANCELLED', exclusive = frozen and exclusive, open = frozen,
      skipped = case when frozen then skipped else recipients end,
      completed_at = case when frozen then null else ${nowSeconds}::bigint end
    where business_id = ${businessId} and id = ${id}`;
}

/** Sorted by ID, which is the lock order. */
export function lockOpenSendsOfAutomation(tx: Tx, businessId: string, automationId: string) {
  return tx<SendRow[]>`
    select * from sends where business_id = ${businessId} and automation_id = ${automationId} and open
    order by id for update`;
}

/** Whether the entry has a scheduled or running send, or is tested by one. */
export async function hasOpenSend(db: Db, businessId: string, entryId: string): Promise<boolean> {
  const rows = await db`
    select from sends where business_id = ${businessId} and open and (entry_id = ${entryId} or experiment -> 'alternatives' ? ${entryId}) limit 1`;
  return rows.length > 0;
}

/** Sorted by ID, which is the lock order. */
export function lockOpenSendsOf(tx: Tx, businessId: string, collectionId: string) {
  return tx<SendRow[]>`
    select * from sends where business_id = ${businessId} and collection_id = ${collectionId} and open
    order by id for update`;
}

/**
 * Running sends, of one business or all, that have a claimable batch or only need to be completed. In a canceled send every batch is
 * claimable, due or not.
 */
export const listWaitingSends = (db: Db, businessId: string | null, nowSeconds: number, limit: number) => db<SendKey[]>`
  select distinct s.business_id, s.id
  from sends s
  left join delivery_batches b on b.business_id = s.business_id and b.send_id = s.id and not b.done
  where s.open and s.frozen ${businessId === null ? db`` : db`and s.business_id = ${businessId}`}
    and (b.number is null or (
      (b.due_at <= ${nowSeconds} or s.status = 'CANCELLED') and (b.owner is null or b.lease_until < statement_timestamp())))
  limit ${limit}`;
