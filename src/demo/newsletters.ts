import type { Command } from '../context/index.ts';
import { type ContentServices, createCollection, createEntry } from '../domains/content/index.ts';
import { addSubscriber, type NewsletterServices } from '../domains/newsletters/index.ts';

const PUBLISHED = [{ status: 'PUBLISHED' }];

const SUBSCRIBERS = [
  { email: 'ada@example.com', name: 'Ada', planId: 'free' },
  { email: 'grace@example.com', name: 'Grace', planId: 'club' },
];

/** A newsletter with a free and a paid plan, two subscribers, and an issue that is ready to be sent. */
export async function seedNewsletters(ctx: Command<ContentServices & NewsletterServices>): Promise<void> {
  const letter = await createCollection(ctx, {
    name: 'Letter from the shop',
    slug: 'letter',
    type: 'NEWSLETTER',
    description: 'What is new, once a month.',
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
        features: ['The monthly letter', 'First choice of small runs'],
      },
    ],
  });
  for (const subscriber of SUBSCRIBERS) {
    await addSubscriber(ctx, { collectionId: letter.id, ...subscriber, consent: { source: 'Demo', at: ctx.now } });
  }
  await createEntry(ctx, {
    collectionId: letter.id,
    locale: 'en',
    statuses: PUBLISHED,
    blocks: [
      { id: 'subject', value: 'The wool blankets are back' },
      {
        id: 'body',
        value:
          '<p>Dear {{subscriber.name}},</p><p>the looms have caught up, and plum and stone are on the shelf again. <a href="/">Have a look</a>.</p>',
      },
    ],
  });
}
