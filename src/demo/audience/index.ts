import type { AppServices, Command, Steps } from '../../context/index.ts';
import type { Collection } from '../../domains/content/index.ts';
import { composeMail, readSource } from '../../domains/newsletters/index.ts';
import type { SentIssue } from '../newsletters.ts';
import { insertRows } from '../rows.ts';
import type { Book } from '../sales/book.ts';
import { createAudience } from './book.ts';
import type { PlannedSubscriber } from './plan.ts';
import { sendIssue } from './sends.ts';
import { changesOf, withStats } from './stats.ts';

type Plan = {
  newsletter: Collection;
  book: Book;
  subscribers: readonly PlannedSubscriber[];
  issues: readonly SentIssue[];
};

/** Simulates subscriptions, sends and unsubscribes in chronological order. Adds their events to the book's event log. */
export async function buildAudience(ctx: Steps<AppServices>, { newsletter, book, subscribers, issues }: Plan) {
  const audience = createAudience(ctx, newsletter, book);
  const ids = new Map<PlannedSubscriber, string>();
  const sent: ReturnType<typeof sendIssue>[] = [];

  const join = async (each: PlannedSubscriber) => ids.set(each, await audience.join(each));
  const send = ({ id: entryId, at }: SentIssue) => {
    const leaving = subscribers.filter((each) => each.leaving?.how === 'BOUNCE' && each.leaving.at === at);
    const bouncing = new Set(leaving.map((each) => ids.get(each)!));
    const issue = { businessId: ctx.businessId, collectionId: newsletter.id, entryId };
    sent.push(sendIssue(issue, at, { audience, log: book.log, bouncing, userId: ctx.caller.userId }));
  };
  const timeline = [
    ...subscribers.map((each) => ({ at: each.at, act: () => join(each) as unknown })),
    ...subscribers.flatMap((each) => {
      const { leaving, person } = each;
      if (leaving?.how !== 'UNSUBSCRIBE') return [];
      return { at: leaving.at, act: () => audience.unsubscribe(ids.get(each)!, leaving.at, person.ip) };
    }),
    ...issues.map((issue) => ({ at: issue.at, act: () => send(issue) })),
  ].sort((a, b) => a.at - b.at);
  for (const { act } of timeline) await act();
  return { ...audience.rows, sent };
}

/** Inserts subscriptions and sends. The entries of the issues must exist. */
export async function insertAudience(
  ctx: Command<AppServices>,
  { subscriptions, payments, agreements, charges, sent: bare }: Awaited<ReturnType<typeof buildAudience>>,
): Promise<void> {
  const { db: tx } = ctx;
  const { sent, hits } = withStats(bare, subscriptions, ctx.now);
  const sends = [];
  for (const { send } of sent) {
    const { content } = composeMail(ctx, await readSource(ctx, send.entryId));
    sends.push({ ...send, content, dueAt: send.scheduledAt });
  }
  await insertRows(tx, 'subscriptions', [...subscriptions.values()]);
  await insertRows(tx, 'sends', sends);
  await insertRows(
    tx,
    'deliveries',
    sent.flatMap(({ deliveries }) => deliveries),
  );
  await insertRows(
    tx,
    'delivery_batches',
    sent.map(({ batch }) => batch),
  );
  await insertRows(tx, 'send_hits', hits);
  await insertRows(tx, 'subscription_changes', changesOf(subscriptions));
  await insertRows(tx, 'payments', payments);
  await insertRows(tx, 'agreements', agreements);
  await insertRows(tx, 'agreement_charges', charges);
}
