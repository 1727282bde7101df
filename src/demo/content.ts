import type { Command } from '../context/index.ts';
import { type ContentServices, createCollection, createEntry } from '../domains/content/index.ts';

const PUBLISHED = [{ status: 'PUBLISHED' }];

const POSTS = [
  {
    title: { en: 'Linen, and why it wrinkles', de: 'Leinen, und warum es knittert' },
    category: 'care',
    minutes: 4,
    body: '<h2>It is alive</h2><p>Linen fibres are stiff. That keeps you cool, and it is why a shirt shows where you sat. Iron it <strong>damp</strong>, or not at all.</p>',
  },
  {
    title: { en: 'A visit to the weaver', de: 'Besuch beim Weber' },
    category: 'people',
    minutes: 7,
    body: '<p>Forty looms, one room, and a radio. We spent a day where our cloth is made.</p><ul><li>08:00 warp</li><li>12:00 soup</li><li>17:00 twelve metres</li></ul>',
  },
  {
    title: { en: 'New: the summer coat', de: 'Neu: der Sommermantel' },
    category: 'news',
    minutes: 2,
    body: '<p>Unlined, with deep pockets. <a href="/">In the shop</a> from today.</p>',
  },
];

/** A blog with three entries. */
export async function seedContent(ctx: Command<ContentServices>): Promise<void> {
  const blog = await createCollection(ctx, {
    name: 'Blog',
    slug: 'blog',
    description: 'What we make, and who makes it.',
    statuses: PUBLISHED,
    blocks: [
      { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 200 } },
      { id: 'category', type: 'SELECT', label: 'Category', settings: { options: ['news', 'people', 'care'] } },
      { id: 'minutes', type: 'NUMBER', label: 'Minutes to read', settings: { min: 1, integer: true } },
      { id: 'body', type: 'TEXT', label: 'Text', settings: { variant: 'HTML' } },
      { id: 'author', type: 'RELATIONSHIP', label: 'Author', settings: { targetType: 'USER' } },
    ],
  });
  for (const post of POSTS) {
    await createEntry(ctx, {
      collectionId: blog.id,
      locale: 'en',
      statuses: PUBLISHED,
      blocks: Object.entries({ ...post, author: ctx.caller.userId }).map(([id, value]) => ({ id, value })),
    });
  }
}

/** A note on an order, which its customer can read. */
export async function seedOrderNote(ctx: Command<ContentServices>, orderId: string): Promise<void> {
  await createEntry(ctx, {
    owner: `order:${orderId}`,
    statuses: PUBLISHED,
    blocks: [{ id: 'note', type: 'TEXT', label: 'Note', value: 'Please ring twice; the bell is shy.' }],
  });
}
