import assert from 'node:assert/strict';
import test from 'node:test';
import { checkFilter, type Filter } from '../../../src/domains/newsletters/segments/filter.ts';
import { protectSegment } from '../../../src/domains/newsletters/segments/queries.ts';
import { sendEntry } from '../../../src/domains/newsletters/sends/send-entry.ts';
import { rateLimited } from '../../../src/shared/errors.ts';
import { shareHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { jobContext, makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';

const sink = await startSink();
const h = await shareHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

const DAY = 86_400;
const FIELDS = ['subscriber.email', 'subscriber.name', 'subscriber.tag', 'subscriber.fields.city', 'customer.country'];

/** A person in this test. The table rows are created from it. */
type Person = {
  email: string;
  name: string;
  tags: string[];
  city: string | null;
  plan: string;
  country: string | null;
  bought: string | null;
  ageDays: number;
};

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

/** People who differ in all fields of a filter, without randomness. */
const PEOPLE: Person[] = Array.from({ length: 60 }, (_, i) => ({
  email: `person${i}@${pick(['example.com', 'example.org'], i)}`,
  name: pick(['Ada', 'Bob', 'Grace Ada', ''], i),
  tags: i % 3 === 0 ? ['vip'] : i % 7 === 0 ? ['press', 'vip'] : [],
  city: pick(['Rome', 'rome', null], i),
  plan: pick(['free', 'club'], i >> 1),
  country: i % 4 === 0 ? pick(['DE', 'FR'], i >> 2) : null,
  bought: i % 5 === 0 ? pick(['Coffee', 'Tea'], i) : null,
  ageDays: i,
}));

async function audience(): Promise<{ newsletter: Newsletter; productOf: Record<string, string> }> {
  const newsletter = await makeNewsletter(h);
  const { businessId, collectionId } = newsletter;
  const now = h.clock.seconds();
  const productOf: Record<string, string> = {};
  for (const category of ['Coffee', 'Tea']) {
    const { token } = await h.member(businessId, 'CATALOG_WRITE');
    const body = { name: category, category, variants: [] };
    productOf[category] = (await ok(h.call('POST', `${newsletter.base}/products`, { token, body }))).id;
  }
  for (const [i, { email, name, tags, city, plan, country, bought, ageDays }] of PEOPLE.entries()) {
    const at = now - ageDays * DAY + 3600;
    const id = String(i).padStart(26, '0');
    await h.pool`
      insert into subscriptions (business_id, id, collection_id, email, email_key, name, plan_id, status, tags, fields, created_at, updated_at)
      values (${businessId}, ${`sub_${id}`}, ${collectionId}, ${email}, ${email}, ${name}, ${plan}, 'ACTIVE', ${tags},
        ${h.pool.json(city === null ? {} : { city })}, ${at}, ${at})`;
    if (country !== null) {
      await h.pool`
        insert into customers (business_id, id, email, email_key, addresses, created_at, updated_at)
        values (${businessId}, ${`cust_${id}`}, ${email}, ${email}, ${h.pool.json([{ country }])}, ${at}, ${at})`;
    }
    if (bought !== null) {
      const doc = { total: 500, market: 'us', currency: 'usd', lines: [{ productId: productOf[bought] }] };
      await h.pool`
        insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, doc, doc_bytes, total,
          market, currency, is_abandoned,
          bought, created_at, updated_at)
        values (${businessId}, ${`ord_${id}`}, ${i + 1}, 'CONFIRMED', 'PAID', 'usr_1', ${email}, true, 500, ${h.pool.json(doc)}, 0, 500, 'us', 'usd', false,
          ${h.pool.json([productOf[bought]])}, ${at}, ${at})`;
    }
  }
  return { newsletter, productOf };
}

const { newsletter, productOf } = await audience();

const count = async (filter: Filter) =>
  (await ok(h.call('POST', `${newsletter.base}/segments/count`, { token: newsletter.token, body: { filter } }))).count;

const lower = (text: string | null) => text?.toLowerCase() ?? null;
const since =
  (days: number) =>
  ({ ageDays }: Person) =>
    ageDays <= days;

/** Each filter, and the same question asked of the people in memory. */
const CASES: [Filter, (person: Person) => boolean][] = [
  [{ field: 'subscriber.email', op: 'contains', value: 'EXAMPLE.org' }, ({ email }) => email.endsWith('org')],
  [{ field: 'subscriber.name', op: 'is', value: 'ada' }, ({ name }) => name === 'Ada'],
  [{ field: 'subscriber.name', op: 'contains', value: 'Ada' }, ({ name }) => name.includes('Ada')],
  [{ field: 'subscriber.tag', op: 'is', value: 'VIP' }, ({ tags }) => tags.includes('vip')],
  [{ field: 'subscriber.tag', op: 'isNot', value: 'vip' }, ({ tags }) => !tags.includes('vip')],
  [{ field: 'subscriber.tag', op: 'in', value: ['press', 'none'] }, ({ tags }) => tags.includes('press')],
  [{ field: 'subscriber.fields.city', op: 'is', value: 'Rome' }, ({ city }) => lower(city) === 'rome'],
  [{ field: 'subscriber.newsletter', op: 'is', value: newsletter.collectionId }, () => true],
  [{ field: 'subscriber.plan', op: 'is', value: 'club' }, ({ plan }) => plan === 'club'],
  [{ field: 'subscriber.joinedAt', op: 'after', days: 10 }, since(10)],
  [{ field: 'customer.country', op: 'is', value: 'de' }, ({ country }) => country === 'DE'],
  [{ field: 'customer.orders', op: 'atLeast', value: 1 }, ({ bought }) => bought !== null],
  [{ field: 'customer.spent', op: 'atMost', value: 499 }, ({ bought }) => bought === null],
  [{ field: 'order.product', op: 'is', value: productOf.Tea! }, ({ bought }) => bought === 'Tea'],
  [
    { field: 'order.category', op: 'is', value: 'coffee', days: 30 },
    (person) => person.bought === 'Coffee' && since(30)(person),
  ],
];

test('each condition, and every combination with all, any and not, matches the expected people', async () => {
  for (const [filter, isMatch] of CASES) {
    assert.equal(await count(filter), PEOPLE.filter(isMatch).length, JSON.stringify(filter));
  }
  for (let i = 0; i < CASES.length; i++) {
    const [[a, isA], [b, isB], [c, isC]] = [CASES[i]!, pick(CASES, i + 3), pick(CASES, i + 7)];
    const filter = { any: [{ all: [a, { not: b }] }, c] };
    const expected = PEOPLE.filter((person) => (isA(person) && !isB(person)) || isC(person)).length;
    assert.equal(await count(filter), expected, JSON.stringify(filter));
  }
});

test('a send to a segment reaches the subscribers who are in it when the send starts, and no one else', async () => {
  sink.messages.length = 0;
  const { base, token } = newsletter;
  const filter: Filter = { field: 'subscriber.tag', op: 'is', value: 'press' };
  const segment = await ok(h.call('POST', `${base}/segments`, { token, body: { name: 'Press', filter } }));
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId, { segmentId: segment.id, scheduledAt: h.clock.seconds() + 100 }));
  assert.equal(send.recipients, PEOPLE.filter(({ tags }) => tags.includes('press')).length);
  assert.equal((await h.call('DELETE', `${base}/segments/${segment.id}`, { token })).status, 409);
  const changed = { filter: { all: [filter, { field: 'subscriber.plan', op: 'is', value: 'club' }] } };
  await ok(h.call('PUT', `${base}/segments/${segment.id}`, { token, body: changed }));
  h.clock.advance(101);
  await runSends(h.service);
  const expected = PEOPLE.filter(({ tags, plan }) => tags.includes('press') && plan === 'club').map(
    ({ email }) => email,
  );
  assert.deepEqual([...sink.byAddress().keys()].sort(), expected.sort());
  const unknown = await newsletter.send(await newsletter.entry(), { segmentId: 'seg_none' });
  assert.equal(unknown.status, 422);
});

test('sends to the same segment do not wait for each other', async () => {
  const { base, token, businessId } = newsletter;
  const filter: Filter = { field: 'subscriber.tag', op: 'is', value: 'press' };
  const { id } = await ok(h.call('POST', `${base}/segments`, { token, body: { name: 'Shared', filter } }));
  const scheduledAt = h.clock.seconds() + 100;
  const first = await newsletter.entry();
  await h.pool.transaction(async (tx) => {
    // Like a send that is counting its recipients.
    await protectSegment(tx, businessId, id);
    await ok(newsletter.send(first, { segmentId: id, scheduledAt }));
  });
});

test('a send to a segment counts its recipients as a scan, of which only a few run at once', async () => {
  const { base, token, businessId } = newsletter;
  const filter: Filter = { field: 'subscriber.tag', op: 'is', value: 'press' };
  const { id } = await ok(h.call('POST', `${base}/segments`, { token, body: { name: 'Counted', filter } }));
  const entryId = await newsletter.entry();
  const ctx = Object.create(jobContext(h.service, businessId), {
    scan: { value: async () => Promise.reject(rateLimited(1)) },
  });
  await assert.rejects(sendEntry.prepare(ctx, { entryId, segmentId: id }), { kind: 'RATE_LIMITED' });
  await sendEntry.prepare(ctx, { entryId });
});

test('a filter with too many conditions or levels, an unknown field or an invalid value is rejected before it is used', () => {
  const condition = { field: 'subscriber.tag', op: 'is', value: 'vip' };
  const nested = (levels: number): unknown => (levels === 0 ? condition : { all: [nested(levels - 1)] });
  const refused: unknown[] = [
    {},
    [],
    'all',
    { all: [] },
    { ...condition, all: [condition] },
    { ...condition, field: 'subscriber.password' },
    { ...condition, field: '__proto__' },
    { ...condition, field: "subscriber.fields.a' or true" },
    { ...condition, op: 'like' },
    { ...condition, op: 'in' },
    { ...condition, value: 'x'.repeat(201) },
    { field: 'subscriber.joinedAt', op: 'after', value: 'yesterday' },
    { ...condition, days: 0 },
    { all: Array(51).fill(condition) },
    nested(5),
    nested(500),
  ];
  for (const filter of refused) assert.notEqual(checkFilter(filter).length, 0, JSON.stringify(filter).slice(0, 100));
  assert.deepEqual(checkFilter(nested(4)), []);
});

test('another business and members without SUBSCRIBER_READ see neither a segment nor its people', async () => {
  const { base, token } = newsletter;
  const body = { name: 'All', filter: { field: FIELDS[0]!, op: 'contains', value: '@' } };
  const { id } = await ok(h.call('POST', `${base}/segments`, { token, body }));
  const people = await ok(h.call('GET', `${base}/segments/${id}/people?limit=2`, { token }));
  assert.deepEqual(people.items[0], {
    email: 'person0@example.com',
    name: 'Ada',
    isCustomer: true,
    isSuppressed: false,
  });
  const other = await makeNewsletter(h);
  for (const path of ['', '/count', '/people']) {
    assert.equal((await h.call('GET', `${other.base}/segments/${id}${path}`, { token: other.token })).status, 404);
    const { token: writer } = await h.member(newsletter.businessId, 'CONTENT_WRITE');
    assert.equal((await h.call('GET', `${base}/segments/${id}${path}`, { token: writer })).status, 403);
  }
});
