import { createHash } from 'node:crypto';
import { type MailEvent, ReportRefused, type SignedReport } from '../../../providers/mail-events/port.ts';
import { CallFailed } from '../../../providers/outbound/index.ts';
import { badRequest, unavailable } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { emailKey, isEmail } from '../../../shared/text/email.ts';
import { mailEventsSecret } from '../../businesses/index.ts';
import { command, type Steps } from '../context.ts';
import { applyEvent } from './apply-event.ts';
import { deleteOldMailEvents } from './queries.ts';

const DAY_SECONDS = 86_400;
/** Older events are ignored. Handled ones are remembered for longer, so none can be replayed. */
const MAX_AGE_SECONDS = 7 * DAY_SECONDS;
const KEPT_SECONDS = 30 * DAY_SECONDS;
const MAX_EVENTS = 1000;

type Report = SignedReport & { provider: string };
type Received = { provider: string; events: MailEvent[] };

/**
 * Handles a report from the business's email provider. Each event is recorded in the transaction of its effect, so it takes effect once.
 */
export const receiveEvents = command({
  prepare: readEvents,
  async execute(ctx, { provider, events }) {
    for (const event of events) await applyEvent(ctx, provider, event);
    if (events.length > 0) await deleteOldMailEvents(ctx.db, ctx.businessId, ctx.now - KEPT_SECONDS);
    return SUCCESS;
  },
});

/**
 * Sorted by address, the order in which rows are locked. Throws 400 if the report is not from the provider in the settings, and 503 if the
 * signature can't be checked now. The provider then sends the report again.
 */
async function readEvents(ctx: Steps, { provider, ...report }: Report): Promise<Received> {
  const settings = await mailEventsSecret(ctx, ctx.businessId);
  if (settings?.type.toLowerCase() !== provider) throw unauthenticatedReport();
  const read = ctx.newsletters.readReport[settings.type];
  const events = await read(report, settings.secret, ctx.now).catch((error: unknown) => {
    if (error instanceof CallFailed) throw unavailable("The signing certificate can't be downloaded. Try again later.");
    throw error instanceof ReportRefused ? unauthenticatedReport() : error;
  });
  if (events.length > MAX_EVENTS) throw badRequest(`Send at most ${MAX_EVENTS} events in one request.`);
  const isRecent = (at: number) => at > ctx.now - MAX_AGE_SECONDS && at < ctx.now + DAY_SECONDS;
  const recent = events.filter(
    ({ kind, email, atSeconds }) => (kind === 'OTHER' || isEmail(email)) && isRecent(atSeconds),
  );
  const stored = recent.map((event) => ({ ...event, id: storedId(event.id), atSeconds: Math.floor(event.atSeconds) }));
  return { provider, events: stored.sort((a, b) => (emailKey(a.email) < emailKey(b.email) ? -1 : 1)) };
}

/** The database can't store every text as a key. */
const storedId = (id: string) =>
  /^[\x20-\x7e]{1,200}$/.test(id) ? id : createHash('sha256').update(id).digest('base64url');

const unauthenticatedReport = () =>
  badRequest('The request could not be authenticated. Check `configs.mailEvents.secret`.');
