import type { FastifyInstance } from 'fastify';
import type { Pool } from '../../src/db/pool.ts';
import { compileBlockSchema } from '../../src/shared/blocks/index.ts';
import { type Bench, plainLine, type Row, ratioLine } from '../types.ts';
import { bearer } from './accounts.ts';

const ENTRIES = 1000;

const SCHEMA = [
  { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 200 } },
  { id: 'teaser', type: 'TEXT', label: 'Teaser', settings: { maxLength: 500 } },
  { id: 'body', type: 'TEXT', label: 'Body', settings: { maxLength: 20_000 } },
  { id: 'views', type: 'NUMBER', label: 'Views', settings: { min: 0, integer: true } },
  { id: 'rating', type: 'NUMBER', label: 'Rating', settings: { min: 0, max: 5 } },
  { id: 'featured', type: 'BOOLEAN', label: 'Featured' },
  { id: 'date', type: 'DATE', label: 'Date' },
  { id: 'place', type: 'GEO_LOCATION', label: 'Place' },
  { id: 'topic', type: 'SELECT', label: 'Topic', settings: { options: ['news', 'guides', 'people'] } },
  { id: 'tags', type: 'MULTI_SELECT', label: 'Tags', settings: { options: ['a', 'b', 'c', 'd'] } },
] as const;

const valuesOf = (i: number) => [
  { id: 'title', type: 'TEXT', value: { en: `Entry ${i}`, de: `Eintrag ${i}` } },
  { id: 'teaser', type: 'TEXT', value: 'A short text that makes people read on.' },
  { id: 'body', type: 'TEXT', value: 'Some words of a longer text. '.repeat(40) },
  { id: 'views', type: 'NUMBER', value: i },
  { id: 'rating', type: 'NUMBER', value: 4.5 },
  { id: 'featured', type: 'BOOLEAN', value: i % 2 === 0 },
  { id: 'date', type: 'DATE', value: 1_760_000_000 + i },
  { id: 'place', type: 'GEO_LOCATION', value: { latitude: 48.2, longitude: 16.4 } },
  { id: 'topic', type: 'SELECT', value: 'guides' },
  { id: 'tags', type: 'MULTI_SELECT', value: ['a', 'c'] },
];

async function seedEntries({ call, pool, shop }: Bench): Promise<{ collectionId: string; ids: string[] }> {
  const base = `/v1/businesses/${shop.businessId}`;
  const statuses = [{ status: 'PUBLISHED' }];
  const { items } = await call<{ items: { id: string; slug: string }[] }>('GET', `${base}/collections`);
  const known = items.find((each) => each.slug === 'bench-blog');
  const body = { name: 'Blog', slug: 'bench-blog', type: 'COLLECTION', blocks: SCHEMA, statuses };
  const collection = known ?? (await call<{ id: string }>('POST', `${base}/collections`, { body }));
  const collectionId = collection.id;
  const owner = `collection:${collectionId}`;
  const ids = (
    await pool<{ id: string }[]>`
      select id from entries where business_id = ${shop.businessId} and owner = ${owner} limit ${ENTRIES}`
  ).map(({ id }) => id);
  while (ids.length < ENTRIES) {
    const batch = Array.from({ length: 8 }, (_, i) =>
      call<{ id: string }>('POST', `${base}/entries`, {
        body: { collectionId, locale: 'en', blocks: valuesOf(ids.length + i), statuses },
      }),
    );
    for (const { id } of await Promise.all(batch)) ids.push(id);
  }
  await pool`analyze`;
  return { collectionId, ids };
}

export const entryGet: Row = {
  name: 'entry-get',
  async run(bench) {
    const { ids } = await seedEntries(bench);
    const { businessId, guestToken } = bench.shop;
    const path = (id: string) => `/v1/businesses/${businessId}/entries/${id}`;
    const result = await bench.compare(
      { server: 'souk', requests: ids.map((id) => ({ method: 'GET', path: path(id), headers: bearer(guestToken) })) },
      { server: 'bare', requests: ids.map((id) => ({ method: 'GET', path: `/entries/${businessId}/${id}` })) },
    );
    return [ratioLine('GET one entry', 0.75, result)];
  },
};

export const entryList: Row = {
  name: 'entry-list',
  async run(bench) {
    const { collectionId } = await seedEntries(bench);
    const { businessId, guestToken } = bench.shop;
    const path = `/v1/businesses/${businessId}/entries?limit=20&collectionId=${collectionId}`;
    const result = await bench.compare(
      { server: 'souk', requests: [{ method: 'GET', path, headers: bearer(guestToken) }] },
      { server: 'bare', requests: [{ method: 'GET', path: `/entries-of/${businessId}/collection:${collectionId}` }] },
    );
    return [ratioLine('GET list of 20 entries', 0.75, result)];
  },
};

const COLD_ENTRIES = 6000;

/** More entries than fit in the cache, requested in turn. */
export const entryCold: Row = {
  name: 'entry-cold',
  async run(bench) {
    const { businessId, guestToken } = bench.shop;
    const [first] = (await seedEntries(bench)).ids;
    const rows = await bench.pool<{ id: string }[]>`
      insert into entries (business_id, id, owner, status, doc, search, created_at)
      select business_id, 'ent_' || lpad(n::text, 26, '0'), owner, status, doc, search, 0
      from entries, generate_series(1, ${COLD_ENTRIES}::int) n where business_id = ${businessId} and id = ${first}
      on conflict do nothing returning id`;
    await bench.pool`analyze`;
    const path = (id: string) => `/v1/businesses/${businessId}/entries/${id}`;
    const result = await bench.compare(
      {
        server: 'souk',
        requests: rows.map(({ id }) => ({ method: 'GET', path: path(id), headers: bearer(guestToken) })),
      },
      { server: 'bare', requests: rows.map(({ id }) => ({ method: 'GET', path: `/entries/${businessId}/${id}` })) },
    );
    return [ratioLine('GET one entry, not in memory', 0.5, result)];
  },
};

export const blockCheck: Row = {
  name: 'block-check',
  async run() {
    const check = compileBlockSchema([...SCHEMA] as never);
    const values = valuesOf(1) as never;
    const times = 20_000;
    for (let i = 0; i < times; i++) check(values, 'blocks' as never);
    const startedAt = performance.now();
    for (let i = 0; i < times; i++) check(values, 'blocks' as never);
    const micros = ((performance.now() - startedAt) * 1000) / times;
    return [
      plainLine({
        operation: 'Validation of an entry with 10 blocks',
        ours: `${micros.toFixed(1)} µs`,
        goal: '< 100 µs',
        met: micros < 100,
      }),
    ];
  },
};

export function bareContent(app: FastifyInstance, pool: Pool): void {
  app.get('/entries/:businessId/:id', async (request, reply) => {
    const { businessId, id } = request.params as { businessId: string; id: string };
    const [row] = await pool`select doc::text as doc from entries where business_id = ${businessId} and id = ${id}`;
    return reply.type('application/json').send(row!.doc);
  });
  app.get('/entries-of/:businessId/:owner', async (request, reply) => {
    const { businessId, owner } = request.params as { businessId: string; owner: string };
    const rows = await pool`
      select doc::text as doc from entries where business_id = ${businessId} and owner = ${owner} and status = 'PUBLISHED'
      order by created_at desc, id desc limit 20`;
    return reply.type('application/json').send(`{"items":[${rows.map((row) => row.doc).join(',')}],"cursor":null}`);
  });
}
