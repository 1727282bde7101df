/** Ghost posts keep their content, or the import reports what was lost. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { countsOf, openShop } from './shop.ts';

const h = await shareHarness();

const FULL = [
  { id: 'title', type: 'TEXT', required: true },
  { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
  { id: 'excerpt', type: 'TEXT' },
  { id: 'tags', type: 'MULTI_SELECT', settings: { options: ['News', 'Food'] } },
  { id: 'author', type: 'TEXT' },
  { id: 'canonical', type: 'TEXT' },
];

async function openBlog(blocks: object[] = FULL, fields: object = {}) {
  const shop = await openShop(h);
  const { body } = await shop.call('POST', '/collections', { name: 'Blog', blocks, ...fields });
  const query = `type=entries&collectionId=${body.id}`;
  return {
    ...shop,
    query,
    /** Imports a document with these posts and the tables of `data`. */
    async imported(posts: object[], data: object = {}) {
      const all = posts.map((post, i) => ({
        id: `p${i + 1}`,
        uuid: `u-${i + 1}`,
        status: 'published',
        lexical: null,
        ...post,
      }));
      const file = JSON.stringify({ db: [{ meta: { version: '5.80.0' }, data: { posts: all, ...data } }] });
      const dry = await shop.run(`${query}&dryRun=true`, file, 'application/json');
      const done = await shop.run(query, file, 'application/json');
      assert.deepEqual([countsOf(dry), dry.warnings, dry.notes], [countsOf(done), done.warnings, done.notes]);
      const again = await shop.run(query, file, 'application/json');
      assert.equal(again.unchanged, done.created, 'a second import changes nothing');
      return done;
    },
    async entries() {
      const { items } = await shop.get(`/entries?collectionId=${body.id}&limit=100`);
      return items
        .map((entry: Json) => ({
          ...entry,
          status: entry.statuses.at(-1).status,
          values: Object.fromEntries(entry.blocks.map(({ id, value }: Json) => [id, value])),
        }))
        .sort((a: Json, b: Json) => (a.values.title < b.values.title ? -1 : 1));
    },
  };
}

const warningsIn = ({ warnings }: Json) => warnings.map(({ row, field, error }: Json) => `${row} ${field} ${error}`);

test('posts for members and paying members keep their access and their free part', async () => {
  const plans = [
    { id: 'free', name: 'Free' },
    { id: 'gold', name: 'Gold', price: { amount: 500, currency: 'eur', interval: 'MONTHLY' } },
  ];
  const blog = await openBlog(FULL, { type: 'NEWSLETTER', plans });
  const paywall = { root: { type: 'root', children: [{ type: 'paywall' }, { type: 'paragraph', children: [] }] } };
  const done = await blog.imported([
    { title: 'a', slug: 'kept', html: '<p>Free</p><!--members-only--><p>Rest</p>', visibility: 'members' },
    { title: 'b', lexical: JSON.stringify(paywall), visibility: 'paid' },
    { title: 'c', html: '<p>Text</p>', visibility: 'tiers' },
  ]);
  assert.deepEqual(warningsIn(done), ['3 visibility RESTRICTED']);
  const [members, paid, tiers] = await blog.entries();
  assert.deepEqual([members.status, members.access, members.slug], ['PUBLISHED', 'SUBSCRIBERS', 'kept']);
  assert.equal(members.values.body, '<p>Free</p><hr data-paywall /><p>Rest</p>');
  assert.deepEqual([paid.status, paid.access, paid.planIds], ['PUBLISHED', 'PLANS', ['gold']]);
  assert.deepEqual([tiers.status, tiers.access], ['DRAFT', 'PUBLIC']);
});

test('in a collection without subscribers, posts for members become drafts, so that guests never read them', async () => {
  const blog = await openBlog();
  const visibilities = ['public', 'members', 'paid', 'tiers'];
  const posts = visibilities.map((visibility) => ({ title: visibility, html: '<p>Text</p>', visibility }));
  const done = await blog.imported(posts);
  assert.deepEqual(warningsIn(done), ['2 visibility RESTRICTED', '3 visibility RESTRICTED', '4 visibility RESTRICTED']);
  const entries = await blog.entries();
  assert.deepEqual(
    entries.map(({ status, values }: Json) => `${values.title} ${status}`),
    ['members DRAFT', 'paid DRAFT', 'public PUBLISHED', 'tiers DRAFT'],
  );
});

test('a file written for Ghost’s importer keeps the access of its posts', async () => {
  const blog = await openBlog();
  const post = { title: 'A', slug: 'a', html: '<p>A</p>', status: 'published', visibility: 'paid' };
  const file = JSON.stringify({ meta: { version: '5.0' }, data: { posts: [{ id: 1, ...post }] } });
  const { format, warnings } = await blog.run(blog.query, file, 'application/json');
  assert.equal(format, 'ghost-posts');
  const message = 'Only paying members could read this post. It was imported as a draft.';
  assert.deepEqual(
    warnings.map((each: Json) => each.message),
    [message],
  );
  assert.equal((await blog.entries())[0].status, 'DRAFT');
  const strapi = JSON.stringify({ data: [{ id: 1, documentId: 'a', ...post }] });
  const dry = await blog.run(`${blog.query}&dryRun=true`, strapi, 'application/json');
  assert.equal(dry.format, 'strapi-entries', 'entries of Strapi can have the same fields');
});

test('a scheduled post is published at its time', async () => {
  const blog = await openBlog();
  const at = h.clock.seconds() + 86_400;
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  await blog.imported([
    { title: 'Later', html: '<p>Text</p>', status: 'scheduled', published_at: iso(at), created_at: iso(at - 90_000) },
    { title: 'Was due', html: '<p>Text</p>', status: 'scheduled', published_at: iso(at - 90_000) },
  ]);
  const [later, due] = await blog.entries();
  assert.deepEqual(
    [later.status, later.scheduled.map(({ status, timestamp }: Json) => [status, timestamp])],
    ['DRAFT', [['PUBLISHED', at]]],
  );
  assert.equal(later.createdAt, at - 90_000);
  assert.equal(due.status, 'PUBLISHED');
});

test('tags, authors and the canonical URL of every post are imported, or reported as left out', async () => {
  const tables = {
    tags: [
      { id: 't1', name: 'News' },
      { id: 't2', name: 'Food' },
      { id: 't3', name: 'Other' },
    ],
    posts_tags: [
      { post_id: 'p1', tag_id: 't2', sort_order: 1 },
      { post_id: 'p1', tag_id: 't1', sort_order: 0 },
      { post_id: 'p2', tag_id: 't3', sort_order: 0 },
    ],
    users: [{ id: '1', name: 'Ada' }],
    posts_authors: [{ post_id: 'p1', author_id: '1', sort_order: 0 }],
    posts_meta: [{ id: 'm1', post_id: 'p2', og_title: 'Open' }],
  };
  const posts = [
    { title: 'A', html: '<p>1</p>', canonical_url: 'https://old.example/a', custom_excerpt: 'Short' },
    { title: 'B', html: '<p>2</p>', featured: 1 },
  ];
  const blog = await openBlog();
  const done = await blog.imported(posts, tables);
  assert.deepEqual(warningsIn(done), ['2 tags DROPPED']);
  assert.deepEqual(done.notes, ['Ignored fields: og_title, featured.'], 'of every record, not only the first');
  const [a] = await blog.entries();
  assert.deepEqual(a.values, {
    title: 'A',
    body: '<p>1</p>',
    excerpt: 'Short',
    tags: ['News', 'Food'],
    author: 'Ada',
    canonical: 'https://old.example/a',
  });
  const bare = await openBlog(FULL.slice(0, 2));
  const dropped = await bare.imported(posts, tables);
  assert.deepEqual(warningsIn(dropped).sort(), [
    '1 authors DROPPED',
    '1 canonical_url DROPPED',
    '1 custom_excerpt DROPPED',
    '1 tags DROPPED',
    '2 tags DROPPED',
  ]);
  assert.match(dropped.warnings.find(({ field }) => field === 'tags')!.message, /“News, Food” was left out/);
});

test('pages, and Markdown that is not converted, are reported for each post', async () => {
  const blog = await openBlog();
  const card = { type: 'markdown', markdown: '**Soup**' };
  const lexical = { root: { type: 'root', children: [card] } };
  const mobiledoc = { version: '0.3.1', markups: [], atoms: [], cards: [['markdown', card]], sections: [[10, 0]] };
  const done = await blog.imported([
    { title: 'A', html: null, lexical: JSON.stringify(lexical) },
    { title: 'B', html: null, mobiledoc: JSON.stringify(mobiledoc) },
    { title: 'C', html: '<p>About</p>', type: 'page' },
    { title: 'D', html: '<p>News</p>', type: 'post' },
  ]);
  assert.deepEqual(warningsIn(done), ['1 lexical MARKDOWN', '2 mobiledoc MARKDOWN', '3 type PAGE']);
});

test('posts that exist only as Lexical or Mobiledoc are converted', async () => {
  const blog = await openBlog();
  const text = (value: string, format = 0) => ({ type: 'extended-text', text: value, format });
  const lexical = {
    root: {
      type: 'root',
      children: [
        { type: 'extended-heading', tag: 'h3', children: [text('Soup & bread')] },
        {
          type: 'paragraph',
          children: [text('Very ', 3), { type: 'link', url: 'https://x.example/?a=1&b=2', children: [text('good')] }],
        },
        { type: 'list', listType: 'number', tag: 'ol', children: [{ type: 'listitem', children: [text('Cut')] }] },
        { type: 'image', src: 'https://x.example/a.jpg', alt: 'A bowl', caption: 'Hot' },
        { type: 'signup', header: 'Join' },
      ],
    },
  };
  const mobiledoc = {
    version: '0.3.1',
    markups: [['strong'], ['a', ['href', 'https://x.example']]],
    atoms: [['soft-return', '', {}]],
    cards: [
      ['hr', {}],
      ['signup', {}],
    ],
    sections: [
      [
        1,
        'p',
        [
          [0, [0], 1, 'Bold'],
          [1, [], 0, 0],
          [0, [1], 1, 'link'],
        ],
      ],
      [3, 'ul', [[[0, [], 0, 'Item']]]],
      [10, 0],
      [10, 1],
    ],
  };
  const done = await blog.imported([
    { title: 'A', html: null, lexical: JSON.stringify(lexical) },
    { title: 'B', html: null, mobiledoc: JSON.stringify(mobiledoc) },
  ]);
  assert.deepEqual(warningsIn(done), ['1 lexical DROPPED', '2 mobiledoc DROPPED']);
  const [a, b] = await blog.entries();
  assert.equal(
    a.values.body,
    '<h3>Soup &amp; bread</h3><p><em><strong>Very </strong></em><a href="https://x.example/?a=1&amp;b=2" rel="noopener noreferrer">good</a></p>' +
      '<ol><li>Cut</li></ol><figure><img src="https://x.example/a.jpg" alt="A bowl" /><figcaption>Hot</figcaption></figure>',
  );
  assert.equal(
    b.values.body,
    '<p><strong>Bold</strong><br /><a href="https://x.example" rel="noopener noreferrer">link</a></p><ul><li>Item</li></ul><hr />',
  );
});

test('embeds become links, and images without the URL of the blog are reported for each post', async () => {
  const blog = await openBlog();
  const done = await blog.imported([
    { title: 'A', html: '<p>Plain</p>' },
    {
      title: 'B',
      html: '<p>See</p><figure><iframe width="200" src="https://www.youtube.com/embed/x?y=1" allowfullscreen></iframe></figure><img src="__GHOST_URL__/content/images/a.jpg"><a href="__GHOST_URL__/about/">About</a>',
      feature_image: '__GHOST_URL__/content/images/b.jpg',
    },
  ]);
  assert.deepEqual(warningsIn(done), ['2 html EMBED', '2 html NO_URL', '2 html NO_URL', '2 feature_image NO_URL']);
  const [, b] = await blog.entries();
  assert.equal(
    b.values.body,
    '<p>See</p><figure><p><a href="https://www.youtube.com/embed/x?y=1" rel="noopener noreferrer">https://www.youtube.com/embed/x?y=1</a></p></figure><a href="/about/" rel="noopener noreferrer">About</a>',
  );
});

test('a post that would be imported without its text is rejected', async () => {
  const blog = await openBlog();
  const done = await blog.imported([
    { title: 'Nothing', html: null },
    { title: 'Only a script', html: '<script>x()</script>' },
    { title: 'Broken', html: null, lexical: '{"root":' },
    { title: 'Unwritten', html: null, status: 'draft' },
  ]);
  assert.deepEqual(
    done.errors.map(({ row, field, error }) => [row, field, error]),
    [
      [1, 'html', 'NO_TEXT'],
      [2, 'html', 'NO_TEXT'],
      [3, 'html', 'NO_TEXT'],
    ],
  );
  assert.equal(done.created, 1);
  const titles = await openBlog(FULL.slice(0, 1));
  const none = await titles.imported([{ title: 'A', html: '<p>Text</p>' }]);
  assert.match(none.errors[0]!.message, /no field for the text/);
  const plain = await openBlog([FULL[0]!, { id: 'body', type: 'TEXT' }]);
  assert.deepEqual(warningsIn(await plain.imported([{ title: 'A', html: '<p>One <b>two</b></p>' }])), [
    '1 html NO_FORMATTING',
  ]);
  assert.equal((await plain.entries())[0].values.body, 'One two');
});
