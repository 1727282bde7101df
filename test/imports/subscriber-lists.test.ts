/** Subscriber files from other newsletter tools: only people who were subscribed there are subscribed here. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { countsOf, fixture, openShop } from './shop.ts';

const h = await shareHarness();

/** A business with a newsletter, and a method that imports files into it and lists the subscribers. */
async function openNewsletter() {
  const shop = await openShop(h);
  const { body } = await shop.call('POST', '/collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    statuses: [{ status: 'PUBLISHED' }],
    plans: [{ id: 'free', name: 'Free' }],
    blocks: [{ id: 'title', type: 'TEXT' }],
  });
  const query = `type=subscribers&collectionId=${body.id}`;
  return {
    ...shop,
    id: body.id as string,
    query,
    async imported(file: string | Buffer, consent = 'Sign-up form on the old site') {
      const dry = await shop.run(`${query}&consent=${encodeURIComponent(consent)}&dryRun=true`, file);
      const done = await shop.run(`${query}&consent=${encodeURIComponent(consent)}`, file);
      assert.equal(countsOf(dry), countsOf(done));
      assert.deepEqual(dry.warnings, done.warnings, 'the dry run reports the same');
      return done;
    },
    async states() {
      const { items } = await shop.get(`/collections/${body.id}/subscribers?limit=100`);
      return items.map(({ email, status }) => `${email} ${status}`).sort();
    },
  };
}

test('Substack subscribers with disabled email stay unsubscribed', async () => {
  const list = await openNewsletter();
  const done = await list.imported(fixture('substack-subscribers.csv'));
  assert.equal(done.format, 'substack-subscribers');
  assert.equal(countsOf(done), 'DONE +4 ~0 =0 -0 !1');
  assert.deepEqual([done.errors[0]!.row, done.errors[0]!.field], [6, 'email_disabled']);
  assert.deepEqual(await list.states(), [
    'DI@example.com UNSUBSCRIBED',
    'ada@example.com ACTIVE',
    'bo@example.com ACTIVE',
    'cy@example.com UNSUBSCRIBED',
  ]);
  assert.deepEqual(
    done.warnings.map(({ row, field, error }) => [row, field, error]),
    [
      [3, 'active_subscription', 'PAID_PLAN'],
      [5, 'active_subscription', 'PAID_PLAN'],
    ],
  );
});

test('Mailchimp contacts keep their unsubscribed and cleaned status, and others are left out', async () => {
  const list = await openNewsletter();
  const subscribed = await list.imported(fixture('mailchimp-subscribed.csv'));
  assert.equal(countsOf(subscribed), 'DONE +1 ~0 =0 -1 !0');
  assert.deepEqual(
    subscribed.warnings.map(({ row, error }) => [row, error]),
    [[3, 'NOT_SUBSCRIBED']],
  );
  // Nobody in these files gets emails, so no consent has to be stated.
  for (const file of ['mailchimp-unsubscribed.csv', 'mailchimp-cleaned.csv'])
    assert.equal(countsOf(await list.run(list.query, fixture(file))), 'DONE +1 ~0 =0 -0 !0');
  assert.deepEqual(await list.states(), [
    'ada@example.com ACTIVE',
    'cy@example.com UNSUBSCRIBED',
    'di@example.com BOUNCED',
  ]);
  const { items } = await list.get(`/collections/${list.id}/subscribers`);
  const ada = items.find(({ email }) => email === 'ada@example.com')!;
  const [row] = await h.pool`select name from subscriptions where id = ${ada.id}`;
  assert.equal(row!.name, 'Ada Lovelace');
  const consent = await list.get(`/collections/${list.id}/subscribers/${ada.id}/consent`);
  assert.equal(consent.at, Date.parse('2018-02-05T19:30:00Z') / 1000, 'the time of the confirmation');
});

test('beehiiv subscribers keep their status, and an unknown status subscribes no one', async () => {
  const list = await openNewsletter();
  const done = await list.imported(fixture('beehiiv-subscribers.csv'));
  assert.equal(countsOf(done), 'DONE +6 ~0 =0 -0 !1');
  assert.deepEqual([done.errors[0]!.row, done.errors[0]!.field], [8, 'status']);
  assert.deepEqual(await list.states(), [
    'ada@example.com ACTIVE',
    'bo@example.com ACTIVE',
    'cy@example.com UNSUBSCRIBED',
    'di@example.com UNSUBSCRIBED',
    'ed@example.com PENDING',
    'fi@example.com BOUNCED',
  ]);
  assert.equal(countsOf(await list.imported(fixture('beehiiv-subscribers.csv'))), 'DONE +0 ~0 =6 -0 !1');
});

test('subscription times are kept in every date format, and a paid tier is reported with its column', async () => {
  const times = [
    '2023-03-24 10:23:10 UTC',
    '2023-03-24 05:23:10 -0500',
    '2023-03-24T10:23:10.9Z',
    '3/24/2023 10:23:10 AM',
  ];
  const rows = times.map((time, i) => `p${i}@example.com,active,${time},premium,Ada,Lovelace`);
  const list = await openNewsletter();
  const header = 'email,status,created_at,subscription_tier,first_name,last_name';
  const done = await list.imported(`${header}\n${rows.join('\n')}\n`);
  assert.deepEqual(
    [done.notes, done.warnings.map(({ row, field, error }) => [row, field, error])],
    [[], times.map((_, i) => [i + 2, 'subscription_tier', 'PAID_PLAN'])],
  );
  const { items } = await list.get(`/collections/${list.id}/subscribers`);
  const names = await h.pool`select distinct name from subscriptions where business_id = ${list.businessId}`;
  assert.deepEqual(
    names.map(({ name }) => name),
    ['Ada Lovelace'],
  );
  for (const { id, email } of items) {
    const { at } = await list.get(`/collections/${list.id}/subscribers/${id}/consent`);
    assert.equal(at, Date.parse('2023-03-24T10:23:10Z') / 1000, email as string);
  }
});

test('Curated, TinyNews and Listmonk subscribers are recognized', async () => {
  const curated = await openNewsletter();
  const done = await curated.imported(fixture('curated-subscribers.csv'));
  assert.equal(countsOf(done), 'DONE +1 ~0 =0 -0 !1');
  assert.deepEqual([done.errors[0]!.row, done.errors[0]!.field], [3, 'Email Address']);

  const tiny = await openNewsletter();
  assert.equal(countsOf(await tiny.imported(fixture('tinynews-subscribers-1.csv'))), 'DONE +3 ~0 =0 -1 !0');
  const states = ['ada@example.com ACTIVE', 'bo@example.com UNSUBSCRIBED', 'cy@example.com UNSUBSCRIBED'];
  assert.deepEqual(await tiny.states(), states);
  const later = await openNewsletter();
  await later.imported(fixture('tinynews-subscribers-2.csv'));
  assert.deepEqual(await later.states(), states.slice(0, 2));

  const monk = await openNewsletter();
  const found = await monk.imported(fixture('listmonk-subscribers.csv'));
  assert.equal(found.format, 'listmonk-subscribers');
  assert.match(found.notes.join(), /unsubscribed from a single list/);
  assert.deepEqual(await monk.states(), states);
});

test('a list is imported only with a consent text from the caller, consent is stored only for active subscribers, and a missing date is reported', async () => {
  const list = await openNewsletter();
  const refused = await list.post(list.query, fixture('substack-subscribers.csv'));
  assert.deepEqual([refused.status, refused.body.details[0]!.field], [422, 'consent']);
  const withoutConsent = await list.run(list.query, 'email\nada@example.com\n');
  assert.deepEqual(
    [withoutConsent.failed, withoutConsent.errors[0]!.row, withoutConsent.errors[0]!.field],
    [1, 2, 'consent'],
  );
  const file = 'email,email_disabled,created_at\nada@example.com,false,\nbo@example.com,true,\n';
  const done = await list.imported(file);
  assert.deepEqual(
    done.warnings.map(({ row, field, error }) => [row, field, error]),
    [[2, 'created_at', 'NO_DATE']],
  );
  const { items } = await list.get(`/collections/${list.id}/subscribers`);
  const bo = items.find(({ email }) => email === 'bo@example.com')!;
  const { status } = await list.call('GET', `/collections/${list.id}/subscribers/${bo.id}/consent`);
  assert.equal(status, 404, 'no consent is stored for an unsubscribed address');
});

test('a file with an unrecognized unsubscribe column is rejected', async () => {
  const list = await openNewsletter();
  for (const column of ['unsubscribed_at', 'Opted Out', 'is_blocked', 'subscription status', 'Bounced']) {
    const { status, body } = await list.post(`${list.query}&consent=Form`, `email,${column}\na@example.com,yes\n`);
    assert.equal(status, 422, column);
    assert.match(body.details[0]!.message, /seems to contain the subscription status/);
  }
  await list.imported('email,status\nada@example.com,Unsubscribed\nbo@example.com,subscribed\n');
  assert.deepEqual(await list.states(), ['ada@example.com UNSUBSCRIBED', 'bo@example.com ACTIVE']);
});
