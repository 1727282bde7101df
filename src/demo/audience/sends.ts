/** Completed sends with their deliveries. */
import type { SendRow } from '../../domains/newsletters/index.ts';
import { sendOf } from '../../domains/newsletters/index.ts';
import { newId } from '../../shared/ids.ts';
import type { EventLog } from '../sales/event-log.ts';
import type { Audience } from './book.ts';

type Issue = Pick<SendRow, 'businessId' | 'entryId' | 'collectionId'>;
type Delivery = { subscriptionId: string; status: string; updatedAt: number };
type Sent = { send: SendRow; deliveries: Delivery[]; batch: object };

const SENDING_SECONDS = 40;
/** Matches the newsletter's settings. */
const TRACKING = { opens: false, clicks: true };
const REFUSAL = '550 5.1.1 Recipient address rejected: User unknown';

/** Builds the send of an issue to all ACTIVE subscriptions; those in `bouncing` bounce. No email is sent. */
export function sendIssue(
  issue: Issue,
  now: number,
  {
    audience,
    log,
    bouncing,
    userId,
  }: { audience: Audience; log: EventLog; bouncing: ReadonlySet<string>; userId: string },
): Sent {
  const { businessId } = issue;
  const subscribers = [...audience.rows.subscriptions.values()]
    .filter(({ status }) => status === 'ACTIVE')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const sendId = newId('snd');
  const failed = subscribers.filter(({ id }) => bouncing.has(id)).length;
  const started: SendRow = {
    ...issue,
    id: sendId,
    content: null,
    status: 'SENDING',
    exclusive: true,
    open: true,
    onUnknown: 'RETRY',
    scheduledAt: now,
    recipients: subscribers.length,
    segmentId: null,
    automationId: null,
    stepId: null,
    contentId: null,
    experiment: null,
    decidesAt: null,
    winner: null,
    localTime: false,
    tracking: TRACKING,
    frozen: true,
    sent: 0,
    failed: 0,
    skipped: 0,
    unknown: 0,
    error: null,
    createdAt: now,
    startedAt: now,
    completedAt: null,
  };
  const completedAt = now + SENDING_SECONDS;
  const counts = { sent: subscribers.length - failed, failed, skipped: 0, unknown: 0 };
  const send: SendRow = { ...started, ...counts, status: 'SENT', open: false, completedAt };
  const deliveries = subscribers.map(({ id: subscriptionId, email, name }) => {
    const hasFailed = bouncing.has(subscriptionId);
    const outcome = { status: hasFailed ? 'FAILED' : 'SENT', error: hasFailed ? REFUSAL : null };
    const what = { businessId, sendId, subscriptionId, email, name };
    return { ...what, ...outcome, epoch: 0, attempts: 1, dueAt: 0, updatedAt: completedAt };
  });
  const ids = subscribers.map(({ id }) => id);
  const batch = {
    businessId,
    sendId,
    number: 0,
    firstId: ids[0],
    lastId: ids.at(-1),
    size: ids.length,
    done: true,
    dueAt: 0,
    epoch: 0,
    ...counts,
  };
  const emit = (
    type: 'newsletter.started' | 'newsletter.sent',
    row: SendRow,
    cause: { now: number; userId: string | null },
  ) =>
    log
      .emitter({ ...cause, ip: '' })
      .emit({ type, entity: `send:${sendId}`, data: sendOf({ ...row, total: row.recipients }) });
  emit('newsletter.started', started, { now, userId });
  for (const id of bouncing) if (ids.includes(id)) audience.bounce(id, completedAt);
  emit('newsletter.sent', send, { now: completedAt, userId: null });
  return { send, deliveries, batch };
}
