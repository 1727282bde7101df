/**
 * An export contains everything that can be imported, even records that newer rules would reject, and a truncated file is
 * detected.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { completed, countsOf, openShop } from './shop.ts';

const h = await shareHarness();

/** A business whose records break rules that were tightened after they were saved. */
async function openOldShop() {
  const shop = await openShop(h);
  const post = async (path: string, body: object): Promise<Json> => {
    const response = await shop.call('POST', path, body);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const blog = await post('/collections', {
    name: 'Blog',
    statuses: [{ status: 'PUBLISHED' }],
    blocks: [
      { id: 'title', type: 'TEXT' },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
      { id: 'size', type: 'TEXT' },
      { id: 'kind', type: 'SELECT', settings: { options: ['a', 'b'] } },
      { id: 'gone', type: 'TEXT' },
    ],
  });
  const entry = await post('/entries', {
    collectionId: blog.id,
    status: 'PUBLISHED',
    blocks: [
      { id: 'title', value: 'A long title' },
      { id: 'body', value: '<p>Text &amp; <b>more</b></p>' },
      { id: 'size', value: 'large' },
      { id: 'kind', value: 'b' },
      { id: 'gone', value: 'a < b' },
    ],
  });
  const tightened = await shop.call('PUT', `/collections/${blog.id}`, {
    blocks: [
      { id: 'title', type: 'TEXT', settings: { maxLength: 3 } },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
      { id: 'size', type: 'NUMBER' },
      { id: 'kind', type: 'SELECT', settings: { options: ['a'] } },
      { id: 'added', type: 'TEXT', required: true },
    ],
  });
  assert.equal(tightened.status, 200, JSON.stringify(tightened.body));
  const newsletter = await post('/collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    statuses: [{ status: 'PUBLISHED' }],
    plans: [
      { id: 'old', name: 'Old' },
      { id: 'new', name: 'New' },
    ],
    blocks: [{ id: 'title', type: 'TEXT' }],
  });
  const people = [
    'email,planId,status,consent,tags,fields.city,timeZone,doNotTrack',
    'ada@example.com,old,ACTIVE,Form,"VIP, press",Rome,Europe/Rome,true',
    'bo@example.com,old,UNSUBSCRIBED,,,,,',
  ].join('\n');
  await shop.run(`type=subscribers&collectionId=${newsletter.id}`, people);
  await h.pool`update subscriptions set consent = null where business_id = ${shop.businessId}`;
  await shop.call('PUT', `/collections/${newsletter.id}`, { plans: [{ id: 'new', name: 'New' }] });
  const [ada] = await h.pool`
    select tags, fields, time_zone, do_not_track from subscriptions where business_id = ${shop.businessId} and email_key = 'ada@example.com'`;
  assert.deepEqual(
    { ...ada },
    {
      tags: ['press', 'vip'],
      fields: { city: 'Rome' },
      timeZone: 'Europe/Rome',
      doNotTrack: true,
    },
  );
  await h.pool`update subscriptions set referrals = 3 where business_id = ${shop.businessId} and email_key = 'ada@example.com'`;
  await post('/segments', { name: 'VIPs', filter: { field: 'subscriber.tag', op: 'is', value: 'vip' } });
  await post('/suppressions', { email: 'gone@example.com', reason: 'COMPLAINT', detail: 'Spam button' });
  const form = { collectionId: newsletter.id, name: 'Footer', heading: 'Letters', tags: ['blog'], fields: ['city'] };
  await post('/forms', form);
  const trigger = { type: 'subscription.confirmed', collectionId: newsletter.id };
  await post('/automations', { name: 'Welcome', enabled: false, trigger, steps: [{ type: 'TAG', tag: 'new' }] });
  const sender = await shop.call('PUT', '/sender', { address: 'hello@linen.example' });
  assert.equal(sender.status, 200, JSON.stringify(sender.body));
  await post('/products', { name: 'No variants' });

  // A guest without any details, and someone whose account has the email of another record.
  const guest = await h.guest();
  await h.pool`update users set name = '' where id = ${guest.userId}`;
  const { body: user } = await h.call('GET', '/v1/users/me', { token: shop.token });
  await shop.run('type=customers', `email,name\n${user.email},Typed\n`);
  for (const userId of [guest.userId, shop.userId])
    await h.pool`
      insert into customers (business_id, id, user_id, created_at, updated_at)
      values (${shop.businessId}, ${`cust_${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`}, ${userId}, 1, 1)`;
  return { ...shop, entry, blog };
}

test('importing an export again leaves every record unchanged, even records that newer rules would reject', async () => {
  const shop = await openOldShop();
  const types = { products: 1, customers: 3, subscribers: 2, entries: 1, [`entries&collectionId=${shop.blog.id}`]: 1 };
  for (const [type, count] of Object.entries(types)) {
    for (const format of ['csv', 'ndjson']) {
      const again = await shop.run(`type=${type}`, await shop.download(`/exports?type=${type}&format=${format}`));
      const about = `${type} as ${format}: ${JSON.stringify(again.errors)}`;
      assert.equal(countsOf(again), `DONE +0 ~0 =${count} -0 !0`, about);
    }
  }
  const changed = await shop.run(
    'type=entries',
    (await shop.download('/exports?type=entries&format=ndjson')).replace('A long title', 'Another title'),
  );
  assert.equal(changed.failed, 1, 'a change has to fit the schema');
});

test('importing an export recreates the business, with guests and with entries that no longer match their schema', async () => {
  const shop = await openOldShop();
  const out = await shop.download('/export');
  const empty = await openShop(h, { configs: {} });
  const done = await empty.run('type=business', out, 'application/x-ndjson');
  assert.deepEqual([done.status, done.errors], ['DONE', []]);
  assert.deepEqual((await empty.get(`/entries/${shop.entry.id}`)).blocks, shop.entry.blocks);
  const recordsOf = (text: string, kind: string): Json[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((record) => record.kind === kind)
      .map(({ data: { businessId: _, userId: __, email: ___, ...data } }) => data);
  const warnings = done.warnings.map(({ field, error }) => `${field} ${error}`);
  assert.ok(warnings.includes('address DROPPED'), 'the private key of the sender is not part of the export');
  assert.doesNotMatch(out, /PRIVATE KEY|privateKey|private_key/);
  const again = await empty.download('/export');
  const kinds = [
    'entry',
    'collection',
    'customer',
    'subscription',
    'product',
    'segment',
    'form',
    'automation',
    'sender',
  ];
  for (const kind of kinds) {
    assert.notEqual(recordsOf(out, kind).length, 0, `the export has records of kind ${kind}`);
    assert.deepEqual(recordsOf(again, kind), recordsOf(out, kind), kind);
  }
  assert.equal((await empty.post('type=business', out, 'application/x-ndjson')).status, 409, 'a second import');
  const [suppressed] = (await empty.get('/suppressions')).items as Json[];
  assert.deepEqual([suppressed?.email, suppressed?.reason], ['gone@example.com', 'COMPLAINT']);
  const harmful = out.replace('<p>Text', '<p><img src=x onerror=alert(1)>Text');
  const third = await openShop(h, { configs: {} });
  await third.run('type=business', harmful);
  assert.doesNotMatch(JSON.stringify(await third.get(`/entries/${shop.entry.id}`)), /onerror/, 'still sanitized');
});

test('a business export ends with an end marker and a record count, and a truncated file is rejected', async () => {
  const shop = await openOldShop();
  const out = await shop.download('/export');
  const lines = out.trim().split('\n');
  assert.deepEqual(JSON.parse(lines.at(-1)!), { kind: 'end', data: { records: lines.length - 1 } });
  const empty = await openShop(h, { configs: {} });
  const cuts = [
    out.slice(0, Math.floor(out.length / 2)),
    lines.slice(0, -1).join('\n'),
    [...lines.slice(0, 3), ...lines.slice(4)].join('\n'),
    out.slice(0, -5),
  ];
  for (const file of cuts) {
    const { status, body } = await empty.post('type=business', file);
    assert.deepEqual([status, body.details?.[0]?.error], [422, 'CUT_OFF']);
  }
  const old = lines.slice(0, -1).join('\n').replace('"version":2', '"version":1');
  const done = await empty.run('type=business', old);
  assert.deepEqual([done.status, done.errors], ['DONE', []]);
  assert.match(done.notes.join(), /doesn't write an end marker/);
  const unknown = completed([lines[0]!, JSON.stringify({ kind: 'giftCard', data: { id: 'x' } })]);
  const newer = await (await openShop(h, { configs: {} })).run('type=business', unknown);
  assert.deepEqual([newer.skipped, newer.warnings[0]!.row, newer.warnings[0]!.error], [1, 2, 'UNSUPPORTED']);
});

test('errors name the row and the column of the file', async () => {
  const shop = await openOldShop();
  const errorsIn = ({ errors }: Json) => errors.map(({ row, field }: Json) => `${row} ${field}`);
  const customers = [
    'First Name,Last Name,Email,Accepts Email Marketing,Default Address Zip,Phone,Tags,Note',
    `Ada,,ada@example.com,no,${'1'.repeat(300)},,,`,
    `${'x'.repeat(300)},,bo@example.com,no,,,,`,
    'Cy,,cy@example.com,no,,not a phone,,',
    `Di,,di@example.com,no,,,${'t'.repeat(80)},`,
    'Ed,,no address,no,,,,',
  ].join('\n');
  assert.deepEqual(errorsIn(await shop.run('type=customers', customers)), [
    '2 Default Address Zip',
    '3 First Name',
    '4 Phone',
    '5 Tags',
    '6 Email',
  ]);
  const entries = [
    'id,collection,status,blocks.title,blocks.added',
    'ent_00000000000000000000000001,blog,PUBLISHED,Too long,x',
    'ent_00000000000000000000000002,blog,PUBLISHED,ok,',
  ].join('\n');
  assert.deepEqual(errorsIn(await shop.run('type=entries', entries)), ['2 blocks.title', '3 blocks.added']);
  const subscribers = ['email,name,planId,consent', 'a@example.com,www.x.example,new,F', 'b@example.com,B,none,F'];
  const done = await shop.run('type=subscribers&collectionId=letters', subscribers.join('\n'));
  assert.deepEqual(errorsIn(done), ['2 name', '3 planId']);
});
