import assert from 'node:assert/strict';
import test from 'node:test';
import { createScans } from '../../../src/db/scan.ts';
import type { Fragment } from '../../../src/db/sql.ts';
import { FILTER_FIELDS, type Filter, fieldType } from '../../../src/domains/newsletters/segments/filter.ts';
import { matches } from '../../../src/domains/newsletters/segments/match.ts';
import { countPeople, hasOneNewsletter, listPeople } from '../../../src/domains/newsletters/segments/queries.ts';
import { isIn } from '../../../src/domains/newsletters/segments/sets.ts';
import { shareHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok, runSends } from '../fixture.ts';
import { DAY, isInAudience, meets, type Order, type Person, type Subscription } from './oracle.ts';

const sink = await startSink();
const h = await shareHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

/** The same numbers in every run. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    is: (share: number) => next() < share,
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    some: <T>(list: readonly T[], share: number): T[] => list.filter(() => next() < share),
  };
}

const { below, is, pick, some } = createRandom(34);
const now = h.clock.seconds();
const PEOPLE = 250;
const TAGS = ['vip', 'press', 'old'];
const CITIES = ['Rome', 'ROME', 'Oslo'];
const COUNTRIES = ['DE', 'de', 'FR'];
const STATUSES = ['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'PENDING', 'PAST_DUE', 'UNSUBSCRIBED', 'BOUNCED'];
const PAYMENTS = ['PAID', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED', 'PENDING', 'FAILED'];
const CATEGORIES = ['Coffee', 'coffee', 'Tea', 'Mugs'];

const weekly = await makeNewsletter(h);
const { businessId, base, token } = weekly;
const { id: daily } = await ok(
  h.call('POST', `${base}/collections`, {
    token,
    body: {
      name: 'Daily',
      type: 'NEWSLETTER',
      blocks: [],
      plans: [
        { id: 'free', name: 'Free' },
        { id: 'club', name: 'Club' },
      ],
    },
  }),
);
const NEWSLETTERS = [weekly.collectionId, daily as string];

const categoryOf: Record<string, string> = {};
for (const [i, category] of CATEGORIES.entries()) categoryOf[`prod_${String(i).padStart(26, '0')}`] = category;
/** The last one no longer exists. */
const PRODUCTS = [...Object.keys(categoryOf), 'prod_deleted0000000000000000000'];
const world = { now, categoryOf };

const timeAgo = () => now - below(120) * DAY - below(1000);
const subscription = (newsletter: string): Subscription => ({
  newsletter,
  status: pick(STATUSES),
  plan: pick(['free', 'club']),
  name: pick(['Ada', 'Bob', 'Grace Ada', '']),
  tags: some(TAGS, 0.3),
  fields: is(0.5) ? { city: pick(CITIES) } : {},
  referrals: below(4),
  at: timeAgo(),
});
const order = (): Order => {
  const paid = pick([0, 500, 1000]);
  const paymentStatus = pick(PAYMENTS);
  const refunded =
    paymentStatus === 'REFUNDED' ? paid : paymentStatus === 'PARTIALLY_REFUNDED' ? Math.min(paid, 300) : 0;
  // Orders with five or more products are in the index of large orders. 90 are too many for the column.
  const products = Array.from({ length: pick([1, 2, 2, 4, 5, 6, 90]) }, () => pick(PRODUCTS));
  return { paymentStatus, paid, refunded, products, at: timeAgo() };
};
const people: Person[] = Array.from({ length: PEOPLE }, (_, i) => ({
  email: `person${i}@${pick(['example.com', 'example.org'])}`,
  subscriptions: is(0.8) ? some(NEWSLETTERS, 0.7).map(subscription) : [],
  customer: is(0.4)
    ? {
        name: pick(['Ada', 'Bob', '']),
        tags: some(['Vip', 'Wholesale'], 0.4),
        countries: some(COUNTRIES, 0.4),
        at: timeAgo(),
      }
    : null,
  orders: is(0.5) ? Array.from({ length: below(4) }, order) : [],
}));
const suppressed = new Set(people.filter(() => is(0.1)).map(({ email }) => email));

let last = 0;
const idOf = (kind: string) => `${kind}_${String(++last).padStart(26, '0')}`;

/** `newsletterOf` maps newsletters to the owner's newsletters. */
async function insertPeople(
  owner: string,
  newsletterOf: (id: string) => string,
  list: readonly Person[],
): Promise<void> {
  const json = (rows: readonly object[]) => h.pool.json(rows);
  const subscriptions = list.flatMap(({ email, subscriptions }) =>
    subscriptions.map((each) => ({ ...each, id: idOf('sub'), email, newsletter: newsletterOf(each.newsletter) })),
  );
  await h.pool`
    insert into subscriptions (business_id, id, collection_id, email, email_key, name, plan_id, status, tags, fields, referrals, created_at, updated_at)
    select ${owner}, r.id, r.newsletter, r.email, r.email, r.name, r.plan, r.status, r.tags, r.fields, r.referrals, r.at, r.at
    from jsonb_to_recordset(${json(subscriptions)}::jsonb) as r (id text, newsletter text, email text, name text, plan text, status text,
      tags text[], fields jsonb, referrals int, at bigint)`;
  const customers = list.flatMap(({ email, customer }) =>
    customer
      ? [{ ...customer, id: idOf('cust'), email, addresses: customer.countries.map((country) => ({ country })) }]
      : [],
  );
  await h.pool`
    insert into customers (business_id, id, email, email_key, name, tags, addresses, created_at, updated_at)
    select ${owner}, r.id, r.email, r.email, r.name, r.tags, r.addresses, r.at, r.at
    from jsonb_to_recordset(${json(customers)}::jsonb) as r (id text, email text, name text, tags text[], addresses jsonb, at bigint)`;
  const orders = list.flatMap(({ email, orders }) =>
    orders.map(({ products, ...each }) => {
      const doc = {
        total: each.paid,
        market: 'us',
        currency: 'usd',
        lines: products.map((productId) => ({ productId })),
      };
      return { ...each, id: idOf('ord'), number: last, email, doc };
    }),
  );
  await h.pool`
    insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, refunded,
      doc, doc_bytes, total, market, currency, is_abandoned, bought, created_at, updated_at)
    select ${owner}, r.id, r.number, 'CONFIRMED', r."paymentStatus", 'usr_1', r.email, true, r.paid, r.refunded,
      r.doc, 0, r.paid, 'us', 'usd', false, jsonb_path_query_array(r.doc, '$.lines[*].productId'), r.at, r.at
    from jsonb_to_recordset(${json(orders)}::jsonb) as r (id text, number bigint, email text, "paymentStatus" text, paid bigint,
      refunded bigint, doc jsonb, at bigint)`;
}

for (const [id, category] of Object.entries(categoryOf)) {
  await h.pool`
    insert into products (business_id, id, slug, status, category, name_key, doc, created_at)
    values (${businessId}, ${id}, ${id}, 'PUBLISHED', ${category}, ${id}, '{}', 1)`;
}
await insertPeople(businessId, (id) => id, people);
await h.pool`
  insert into suppressions (business_id, id, email, email_key, reason, created_at)
  select ${businessId}, 'sup_' || email, email, email, 'COMPLAINT', 1 from unnest(${[...suppressed]}::text[]) email`;
// Another business has the same people, with different data.
const other = await makeNewsletter(h);
const others = people.map(({ email }, i) => {
  const { subscriptions, customer, orders } = people[(i + 1) % PEOPLE]!;
  const first = subscriptions.slice(0, 1).map((each) => ({ ...each, newsletter: other.collectionId }));
  return { email, subscriptions: first, customer, orders };
});
await insertPeople(other.businessId, (id) => id, others);
await h.pool`analyze subscriptions, customers, orders, suppressions, products`;

const VALUES: Readonly<Record<string, readonly string[]>> = {
  'subscriber.email': ['example.org', 'person1', 'person7@example.com'],
  'subscriber.name': ['ada', 'Bob'],
  'subscriber.newsletter': NEWSLETTERS,
  'subscriber.plan': ['free', 'club'],
  'subscriber.status': ['active', 'PAST_DUE', 'BOUNCED'],
  'subscriber.tag': ['VIP', 'press', 'none'],
  'subscriber.fields.city': ['rome', 'Oslo'],
  'customer.name': ['ada', 'Bob'],
  'customer.tag': ['vip', 'wholesale'],
  'customer.country': ['De', 'FR'],
  'order.product': PRODUCTS,
  'order.category': ['COFFEE', 'Tea', 'none'],
};
const FIELDS = [...FILTER_FIELDS, 'subscriber.fields.city'];

function randomCondition(): Filter {
  const field = pick(FIELDS);
  const type = fieldType(field);
  if (type === 'date') {
    const op = pick(['before', 'after']);
    return is(0.5) ? { field, op, days: 1 + below(100) } : { field, op, value: timeAgo() };
  }
  if (type === 'number') return { field, op: pick(['is', 'atLeast', 'atMost']), value: pick([0, 0, 1, 2, 500, 1200]) };
  const values = VALUES[field]!;
  const days = field.startsWith('order.') && is(0.6) ? { days: 1 + below(100) } : {};
  const op = pick(type === 'text' ? ['is', 'isNot', 'contains', 'in'] : ['is', 'isNot', 'in']);
  return { field, op, value: op === 'in' ? [pick(values), pick(values)] : pick(values), ...days };
}

function randomFilter(levels: number): Filter {
  if (levels === 0 || is(0.3)) return randomCondition();
  const kind = pick(['all', 'any', 'not'] as const);
  if (kind === 'not') return { not: randomFilter(levels - 1) };
  const parts = Array.from({ length: 1 + below(3) }, () => randomFilter(levels - 1));
  return kind === 'all' ? { all: parts } : { any: parts };
}

const filters = [
  ...FIELDS.flatMap(() => [randomCondition(), randomCondition()]),
  ...Array.from({ length: 120 }, () => randomFilter(3)),
];

const scan = createScans();
const emailsOf = (rows: readonly { email: string }[]) => rows.map(({ email }) => email).sort();
const picked = (filter: Filter) => people.filter((person) => isInAudience(person) && meets(person, filter, world));

/** A business with two newsletters, and one with a single newsletter, where conditions on subscribers need no joins. */
const BUSINESSES = {
  'two newsletters': { id: businessId, collectionId: weekly.collectionId, list: people, world, filters },
  'one newsletter': {
    id: other.businessId,
    collectionId: other.collectionId,
    list: others,
    world: { now, categoryOf: {} },
    filters: JSON.parse(JSON.stringify(filters).replaceAll(weekly.collectionId, other.collectionId)) as Filter[],
  },
};

for (const [name, { id, collectionId, list, world, filters }] of Object.entries(BUSINESSES)) {
  test(`every filter counts and lists the same people as an independent implementation, with ${name}`, async () => {
    let found = 0;
    for (const filter of filters) {
      const expected = emailsOf(list.filter((person) => isInAudience(person) && meets(person, filter, world)));
      found += expected.length;
      const text = JSON.stringify(filter);
      const count = await scan(h.pool, id, (db) => countPeople(db, id, filter, now));
      assert.equal(count, expected.length, text);
      const page = { after: null, limit: PEOPLE + 1, nowSeconds: now };
      assert.deepEqual(emailsOf(await listPeople(h.pool, id, filter, page)), expected, text);
      // Reading a page scans more and more people until it is full.
      const few = await listPeople(h.pool, id, filter, { after: expected[1] ?? null, limit: 5, nowSeconds: now });
      assert.deepEqual(emailsOf(few), expected.slice(expected.length > 1 ? 2 : 0).slice(0, 5), text);
    }
    assert.ok(found > filters.length * 10, 'the filters find people');
  });

  test(`a condition matches the same people in the whole audience and among a few people, with ${name}`, async () => {
    const isSingle = await hasOneNewsletter(h.pool, id);
    assert.equal(isSingle, name === 'one newsletter');
    for (const filter of filters) {
      const scope = { businessId: id, collectionId, nowSeconds: now, isSingle };
      const listed = (condition: Fragment) => h.pool`
        select s.id from subscriptions s
        where s.business_id = ${id} and s.collection_id = ${collectionId} and s.status = 'ACTIVE' and (${condition})
        order by s.id`;
      const whole = await listed(isIn(h.pool, 's', filter, scope));
      assert.deepEqual(whole, await listed(matches(h.pool, 's', filter, now)), JSON.stringify(filter));
    }
  });
}

test('a send to a segment reaches its active subscribers, and no one who is suppressed, unsubscribed or unconfirmed', async () => {
  const broad = filters.filter((filter) => picked(filter).length > 40).slice(0, 3);
  assert.equal(broad.length, 3);
  for (const filter of broad) {
    sink.messages.length = 0;
    const { id: segmentId } = await ok(h.call('POST', `${base}/segments`, { token, body: { name: 'Some', filter } }));
    const expected = picked(filter).filter(
      ({ email, subscriptions }) =>
        !suppressed.has(email) &&
        subscriptions.some(({ newsletter, status }) => newsletter === weekly.collectionId && status === 'ACTIVE'),
    );
    const entryId = await weekly.entry();
    const send = await ok(weekly.send(entryId, { segmentId }));
    assert.equal(send.recipients, expected.length, JSON.stringify(filter));
    await runSends(h.service);
    assert.deepEqual([...sink.byAddress().keys()].sort(), emailsOf(expected), JSON.stringify(filter));
    // The frozen audience contains no one who is then skipped.
    const { total, sent } = await weekly.progress(entryId, send.id);
    assert.deepEqual([total, sent], [expected.length, expected.length]);
  }
});
