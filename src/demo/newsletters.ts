import type { AppServices, Command } from '../context/index.ts';
import { addEntry, type Collection, type ContentServices, createCollection } from '../domains/content/index.ts';
import { addSubscriber, type NewsletterServices } from '../domains/newsletters/index.ts';
import { newId } from '../shared/ids.ts';
import { at, DAY, HOUR, startOfDay } from './past.ts';

const PUBLISHED = [{ status: 'PUBLISHED' }];

/** Subscribers that staff add. */
export const SUBSCRIBERS = [
  { email: 'ada@example.com', name: 'Ada', planId: 'free' },
  { email: 'grace@example.com', name: 'Grace', planId: 'club' },
];

type Issue = { subject: string; body: string };

const SENT_ISSUES: (Issue & { daysAgo: number })[] = [
  {
    daysAgo: 77,
    subject: 'Hello from the new shop',
    body: '<p>Hi {{subscriber.name}},</p><p>The shop is open! We have 24 products, each made by someone we know. Use the code <strong>WELCOME10</strong> to get 10% off your first order.</p><p><a href="/">Take a look around</a></p>',
  },
  {
    daysAgo: 47,
    subject: 'Fresh from the kiln',
    body: '<p>Hi {{subscriber.name}},</p><p>We fired the kiln again on Friday. Sea blue and sand mugs are back, and charcoal is available while it lasts.</p><p><a href="/">Shop mugs</a></p>',
  },
  {
    daysAgo: 17,
    subject: 'Linen, washed and folded',
    body: '<p>Hi {{subscriber.name}},</p><p>The new linen shirts are here, washed twice and folded once. Buy two and shipping is free.</p><p><a href="/">Shop shirts</a></p>',
  },
];

const NEXT_ISSUE: Issue = {
  subject: 'The wool blankets are back',
  body: '<p>Hi {{subscriber.name}},</p><p>Our weaver has caught up, and the plum and stone blankets are in stock again.</p><p><a href="/">Shop blankets</a></p>',
};

export type SentIssue = Issue & { id: string; at: number };

/** Oldest first. `at` is the time of the send. */
export const planIssues = (now: number): SentIssue[] =>
  SENT_ISSUES.map(({ daysAgo, ...issue }) => ({
    ...issue,
    id: newId('ent'),
    at: startOfDay(now) - daysAgo * DAY + 9.5 * HOUR,
  }));

/** The newsletter, with a free and a paid plan. */
export const addNewsletter = (ctx: Command<ContentServices>): Promise<Collection> =>
  createCollection(ctx, {
    name: 'Letter from the shop',
    slug: 'letter',
    type: 'NEWSLETTER',
    description: "What's new, once a month.",
    settings: { tracking: { clicks: true } },
    statuses: PUBLISHED,
    blocks: [
      { id: 'subject', type: 'TEXT', label: 'Subject', required: true, settings: { maxLength: 200 } },
      { id: 'body', type: 'TEXT', label: 'Text', required: true, settings: { variant: 'HTML' } },
    ],
    plans: [
      { id: 'free', name: 'Free', features: ['The monthly letter'] },
      {
        id: 'club',
        name: 'Club',
        price: { amount: 500, currency: 'usd', interval: 'MONTHLY' },
        features: ['The monthly letter', 'Early access to limited editions'],
      },
    ],
  });

/** Writes the issues that were sent and one that is ready to send. */
export async function writeIssues(
  ctx: Command<AppServices>,
  newsletter: Collection,
  issues: readonly SentIssue[],
): Promise<void> {
  for (const issue of issues) await writeIssue(at(ctx, issue.at - HOUR), newsletter.id, issue);
  await writeIssue(at(ctx, startOfDay(ctx.now) - 8 * HOUR), newsletter.id, NEXT_ISSUE);
}

/** Adds the newest subscribers. */
export async function addSubscribers(ctx: Command<NewsletterServices>, collectionId: string): Promise<void> {
  for (const subscriber of SUBSCRIBERS) {
    await addSubscriber(ctx, { collectionId, ...subscriber, consent: { source: 'Demo', at: ctx.now } });
  }
}

async function writeIssue(
  ctx: Command<ContentServices>,
  collectionId: string,
  { id, subject, body }: Issue & { id?: string },
): Promise<void> {
  const blocks = [
    { id: 'subject', value: subject },
    { id: 'body', value: body },
  ];
  await addEntry(ctx, { input: { collectionId, locale: 'en', statuses: PUBLISHED, blocks }, kept: id ? { id } : {} });
}
