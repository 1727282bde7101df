import type { Command } from '../context/index.ts';
import { addEntry, type Collection, type ContentServices, createCollection } from '../domains/content/index.ts';
import { at, DAY, HOUR, startOfDay } from './past.ts';

const PUBLISHED = [{ status: 'PUBLISHED' }];

/** Newest first. */
const POSTS = [
  {
    daysAgo: 4,
    title: { en: 'New: the rain jacket', de: 'Neu: die Regenjacke' },
    category: 'news',
    minutes: 2,
    body: '<p>Waxed cotton, taped seams, and deep pockets. <a href="/">In the shop</a> now.</p>',
  },
  {
    daysAgo: 11,
    title: { en: 'A visit to the weaver', de: 'Besuch beim Weber' },
    category: 'people',
    minutes: 7,
    body: '<p>Forty looms, one room, and a radio. We spent a day where our cloth is made.</p><ul><li>08:00 warp</li><li>12:00 soup</li><li>17:00 twelve meters of cloth</li></ul>',
  },
  {
    daysAgo: 19,
    title: { en: 'Why linen wrinkles', de: 'Warum Leinen knittert' },
    category: 'care',
    minutes: 4,
    body: '<h2>Stiff fibers</h2><p>Linen fibers are stiff. They keep the cloth off your skin, so you stay cool, but they crease when you sit down. Iron linen <strong>damp</strong>, or not at all.</p>',
  },
  {
    daysAgo: 27,
    title: { en: 'How to season a skillet', de: 'Eine Pfanne einbrennen' },
    category: 'care',
    minutes: 5,
    body: '<p>Wash it, dry it, rub it with a little linseed oil, and bake it upside down for an hour.</p><p>Do it three times. After that, <strong>every breakfast does it for you</strong>.</p>',
  },
  {
    daysAgo: 36,
    title: { en: 'Free shipping on orders of $100 or more', de: 'Kostenloser Versand ab 100 €' },
    category: 'news',
    minutes: 1,
    body: '<p>Standard shipping is now free on orders of $100 (or €100) or more. No code needed.</p>',
  },
  {
    daysAgo: 45,
    title: { en: 'The potter who fires on Fridays', de: 'Die Töpferin, die nur freitags den Ofen anheizt' },
    category: 'people',
    minutes: 6,
    body: '<p>Our mugs come from a kiln that is lit once a week. We asked Johanna why Friday.</p><blockquote><p>Because on Saturday I want to open it in peace.</p></blockquote>',
  },
  {
    daysAgo: 54,
    title: { en: 'How to mend wool socks', de: 'So stopfst du Wollsocken' },
    category: 'care',
    minutes: 8,
    body: '<p>To mend a hole in the heel, you need ten minutes and a darning egg. An orange works too.</p><ol><li>Run a thread around the hole.</li><li>Lay threads across it, close together.</li><li>Weave over and under until the hole is closed.</li></ol>',
  },
  {
    daysAgo: 63,
    title: { en: 'Why our candles smell like summer', de: 'Warum unsere Kerzen nach Sommer duften' },
    category: 'people',
    minutes: 4,
    body: '<p>We add no scent. The bees do, from the linden trees at the edge of town.</p>',
  },
  {
    daysAgo: 74,
    title: { en: 'Why knives need a wooden board', de: 'Warum Messer ein Holzbrett brauchen' },
    category: 'care',
    minutes: 3,
    body: '<p>Glass and stone are easy to clean, but they ruin an edge in a week. Wood is softer, and walnut is just soft enough.</p>',
  },
  {
    daysAgo: 88,
    title: { en: "We're open", de: 'Wir haben eröffnet' },
    category: 'news',
    minutes: 2,
    body: '<p>Twenty-four products, each made by someone we know. <a href="/">Take a look around</a> and tell us what you think.</p>',
  },
];

/** The blog collection, without entries. */
export const addBlog = (ctx: Command<ContentServices>): Promise<Collection> =>
  createCollection(ctx, {
    name: 'Blog',
    slug: 'blog',
    description: 'What we make and who makes it.',
    statuses: PUBLISHED,
    blocks: [
      { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 200 } },
      { id: 'category', type: 'SELECT', label: 'Category', settings: { options: ['news', 'people', 'care'] } },
      { id: 'minutes', type: 'NUMBER', label: 'Reading time in minutes', settings: { min: 1, integer: true } },
      { id: 'body', type: 'TEXT', label: 'Text', settings: { variant: 'HTML' } },
      { id: 'author', type: 'RELATIONSHIP', label: 'Author', settings: { targetType: 'USER' } },
    ],
  });

/** Publishes the posts, oldest first, each on its day. */
export async function writePosts(ctx: Command<ContentServices>, collectionId: string): Promise<void> {
  for (const { daysAgo, ...post } of POSTS.toReversed()) {
    await addEntry(at(ctx, startOfDay(ctx.now) - daysAgo * DAY + 8 * HOUR), {
      input: {
        collectionId,
        locale: 'en',
        statuses: PUBLISHED,
        blocks: Object.entries({ ...post, author: ctx.caller.userId }).map(([id, value]) => ({ id, value })),
      },
    });
  }
}

/** Adds a note to an order. Its customer can read it. */
export async function writeOrderNote(ctx: Command<ContentServices>, orderId: string): Promise<void> {
  await addEntry(ctx, {
    input: {
      owner: `order:${orderId}`,
      statuses: PUBLISHED,
      blocks: [{ id: 'note', type: 'TEXT', label: 'Note', value: 'Please ring twice. The doorbell is quiet.' }],
    },
  });
}
