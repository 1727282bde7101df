import { type MailEvent, ReportRefused, type SignedReport } from '../../../providers/mail-events/port.ts';
import { badRequest } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { emailKey, isEmail } from '../../../shared/text/email.ts';
import { mailEventsSecret } from '../../businesses/index.ts';
import { type Command, command, type Steps } from '../context.ts';
import { markFeedback } from '../figures/hit-queries.ts';
import { bounceSubscriptions } from '../subscriptions/queries.ts';
import { clearSoftBounces, countSoftBounce, deleteOldMailEvents, insertMailEvent } from './queries.ts';
import { suppress } from './suppress.ts';

/** After this many days with a temporary failure and no delivery in between, an address counts as bounced. */
const MAX_SOFT_BOUNCES = 5;

const DAY_SECONDS = 86_400;
/** Older events are ignored. Handled ones are remembered for longer, so none can be replayed. */
const MAX_AGE_SECONDS = 7 * DAY_SECONDS;
const KEPT_SECONDS = 30 * DAY_SECONDS;
const MAX_EVENTS = 1000;
const MAX_DETAIL = 500;

type Report = SignedReport & { provider: string };
type Received = { provider: string; events: MailEvent[] };

/** Handles a report of the business's email provider. Each event is recorded in the transaction of its effect, so it takes effect once. */
export const receiveEvents = command({
  prepare: readEvents,
  async execute(ctx, { provider, events }) {
    for (const event of events) await applyEvent(ctx, provider, event);
    if (events.length > 0) await deleteOldMailEvents(ctx.db, ctx.businessId, ctx.now - KEPT_SECONDS);
    return SUCCESS;
  },
});

/** Sorted by address, the order in which rows are locked. Throws 400 if the report is not from the provider in the settings. */
async function readEvents(ctx: Steps, { provider, ...report }: Report): Promise<Received> {
  const settings = await mailEventsSecret(ctx, ctx.businessId);
  if (settings?.type.toLowerCase() !== provider) throw unsigned();
  const events = await ctx.newsletters.readReport[settings.type](report, settings.secret).catch((error: unknown) => {
    throw error instanceof ReportRefused ? unsigned() : error;
  });
  if (events.length > MAX_EVENTS) throw badRequest(`Send at most ${MAX_EVENTS} events in one request.`);
  const recent = events.filter(({ email, atSeconds }) => isEmail(email) && atSeconds > ctx.now - MAX_AGE_SECONDS);
  return { provider, events: recent.sort((a, b) => (emailKey(a.email) < emailKey(b.email) ? -1 : 1)) };
}

const unsigned = () => badRequest('The signature is missing or invalid.');

async function applyEvent(ctx: Command, provider: string, event: MailEvent): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  if (!(await insertMailEvent(tx, businessId, provider, event, now))) return;
  const { kind, email, atSeconds } = event;
  const key = emailKey(email);
  if (kind === 'DELIVERED') return clearSoftBounces(tx, businessId, key, atSeconds);
  if (kind === 'SOFT_BOUNCE' && (await countSoftBounce(tx, businessId, key, atSeconds)) < MAX_SOFT_BOUNCES) return;
  const reason = kind === 'COMPLAINT' ? kind : 'BOUNCE';
  const feedback = reason === 'COMPLAINT' ? 'COMPLAINED' : 'BOUNCED';
  await markFeedback(tx, businessId, { emailKey: key, feedback, atSeconds });
  const detail = event.detail.slice(0, MAX_DETAIL);
  const suppressed = await suppress(ctx, { email, reason, detail, provider: provider.toUpperCase(), atSeconds });
  if (suppressed && reason === 'BOUNCE') await bounceSubscriptions(ctx, key);
}
