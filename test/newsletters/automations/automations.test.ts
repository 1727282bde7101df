import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { ok } from '../fixture.ts';
import { makeAutomations } from './fixture.ts';

const sink = await startSink();
const h = await shareHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());
test.beforeEach(() => {
  sink.messages.length = 0;
});

const DAY = 86_400;
const isVip = { field: 'subscriber.tag', op: 'is', value: 'vip' };
const sentTo = () => sink.messages.map(({ to }) => to).sort();
const subjects = () => sink.messages.map(({ raw }) => /^Subject: (.+)\r?$/im.exec(raw.toString())![1]!.trim());

test('a new subscriber gets each email after its delay, with links to unsubscribe and to view it in the browser', async () => {
  const a = await makeAutomations(h);
  const steps = [
    { id: 'hello', type: 'MAIL', entryId: await a.entry('Hello') },
    { id: 'mark', type: 'TAG', tag: 'Welcomed' },
    { id: 'more', type: 'MAIL', entryId: await a.entry('More'), delaySeconds: 2 * DAY },
  ];
  const { id } = await ok(a.create(steps));
  await a.subscribe('ada@example.com');
  await a.run();
  assert.deepEqual(subjects(), ['Hello']);
  assert.deepEqual(await a.people(id), ['ada@example.com ACTIVE more']);
  const [{ tags }] = await h.pool<
    [{ tags: string[] }]
  >`select tags from subscriptions where business_id = ${a.businessId}`;
  assert.deepEqual(tags, ['welcomed']);
  const raw = sink.messages[0]!.raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
  assert.match(raw, new RegExp(`^List-Unsubscribe:\\s+<${h.url}/unsubscribe/`, 'm'));
  const view = /(\/newsletter\/[^\s"]+)/.exec(raw)![1]!;
  assert.match(await (await fetch(h.url + view)).text(), /Hello/);
  h.clock.advance(2 * DAY - 60);
  await a.run();
  assert.equal(sink.messages.length, 1);
  h.clock.advance(61);
  await a.run();
  await a.run();
  assert.deepEqual(subjects(), ['Hello', 'More']);
  await a.login();
  assert.deepEqual(await a.people(id), ['ada@example.com COMPLETED']);
  const counts = await ok(a.call('GET', `/${id}/counts`));
  assert.deepEqual([counts.active, counts.completed, counts.exited], [0, 1, 0]);
  assert.deepEqual(counts.steps[0], { stepId: 'hello', waiting: 0, done: 1, exited: 0, sent: 1, failed: 0 });
  const sends = await h.call('GET', `${a.base}/entries/${steps[0]!.entryId}/sends`, { token: a.token });
  assert.deepEqual(sends.body.items, []);
});

test('a person enters a welcome automation once, and never before confirming, while suppressed or after unsubscribing', async () => {
  const a = await makeAutomations(h, { settings: { doubleOptIn: true } });
  const { id } = await ok(a.create([{ id: 'hello', type: 'MAIL', entryId: await a.entry() }]));
  await a.subscribe('pending@example.com');
  const body = { email: 'no@example.com' };
  await ok(h.call('POST', `${a.base}/suppressions`, { token: a.token, body }));
  const add = (email: string) =>
    h.call('POST', `${a.base}/collections/${a.collectionId}/subscribers`, {
      token: a.token,
      body: { email, planId: 'free', consent: { source: 'Form', at: 1 } },
    });
  await add('no@example.com');
  await add('left@example.com');
  await add('yes@example.com');
  const left = await a.subscriber('left@example.com');
  await a.tag(left.id, [], { status: 'UNSUBSCRIBED' });
  await a.run();
  assert.deepEqual(sentTo(), ['yes@example.com']);
  assert.deepEqual(await a.people(id), ['yes@example.com COMPLETED']);
  await h.pool`update subscriptions set status = 'PENDING' where business_id = ${a.businessId} and email_key = 'yes@example.com'`;
  await add('yes@example.com');
  await a.run();
  assert.equal(sink.messages.length, 1);
});

test('unsubscribing, a suppression and a deletion end the run immediately, and nothing more is sent', async () => {
  const a = await makeAutomations(h);
  const { id } = await ok(a.create([{ id: 'later', type: 'MAIL', entryId: await a.entry(), delaySeconds: DAY }]));
  for (const name of ['unsubscribes', 'suppressed', 'deleted', 'stopped', 'stays'])
    await a.subscribe(`${name}@example.com`);
  await a.run();
  await a.tag((await a.subscriber('unsubscribes@example.com')).id, [], { status: 'UNSUBSCRIBED' });
  await ok(h.call('POST', `${a.base}/suppressions`, { token: a.token, body: { email: 'suppressed@example.com' } }));
  const deleted = await a.subscriber('deleted@example.com');
  await ok(h.call('DELETE', `${a.base}/collections/${a.collectionId}/subscribers/${deleted.id}`, { token: a.token }));
  const stopped = await a.subscriber('stopped@example.com');
  await ok(a.call('POST', `/${id}/people/${stopped.id}/stop`));
  assert.equal((await a.call('POST', `/${id}/people/${stopped.id}/stop`)).status, 409);
  await a.run();
  const expected = [
    'deleted@example.com EXITED UNSUBSCRIBED',
    'stays@example.com ACTIVE later',
    'stopped@example.com EXITED STOPPED',
    'suppressed@example.com EXITED SUPPRESSED',
    'unsubscribes@example.com EXITED UNSUBSCRIBED',
  ];
  assert.deepEqual(await a.people(id), expected);
  h.clock.advance(DAY + 1);
  await a.run();
  assert.deepEqual(sentTo(), ['stays@example.com']);
});

test('someone who unsubscribes or is suppressed after their email was queued gets nothing', async () => {
  const a = await makeAutomations(h);
  await ok(a.create([{ id: 'hello', type: 'MAIL', entryId: await a.entry() }]));
  await a.subscribe('ada@example.com');
  await a.subscribe('bob@example.com');
  await h.numberEvents(a.businessId);
  await h.drain('automation-signals', 'automation-steps');
  await a.tag((await a.subscriber('ada@example.com')).id, [], { status: 'UNSUBSCRIBED' });
  await ok(h.call('POST', `${a.base}/suppressions`, { token: a.token, body: { email: 'bob@example.com' } }));
  await a.run();
  assert.deepEqual(sentTo(), []);
});

test('a step checks the subscription itself, before the event about its end is processed', async () => {
  const a = await makeAutomations(h);
  const { id } = await ok(a.create([{ id: 'mark', type: 'TAG', tag: 'seen', delaySeconds: 60 }]));
  await a.subscribe('ada@example.com');
  await a.subscribe('bob@example.com');
  await a.run();
  await a.tag((await a.subscriber('ada@example.com')).id, [], { status: 'UNSUBSCRIBED' });
  await ok(h.call('POST', `${a.base}/suppressions`, { token: a.token, body: { email: 'bob@example.com' } }));
  h.clock.advance(61);
  await h.drain('automation-steps');
  assert.deepEqual(await a.people(id), ['ada@example.com EXITED UNSUBSCRIBED', 'bob@example.com EXITED SUPPRESSED']);
  assert.equal(
    (await h.pool`select from subscriptions where business_id = ${a.businessId} and 'seen' = any(tags)`).length,
    0,
  );
});

test('two concurrent workers run each step once for each person', async () => {
  const a = await makeAutomations(h);
  const other = await h.secondNode();
  await ok(a.create([{ id: 'mail', type: 'MAIL', entryId: await a.entry() }]));
  await a.crowd(300);
  await h.pool`
    insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
    select business_id, 'subscription.created', 'subscription:' || id, '{"type": "SYSTEM"}', '', '{}', ${h.clock.seconds()}
    from subscriptions where business_id = ${a.businessId}`;
  await h.numberEvents(a.businessId);
  await Promise.all([h.drain('automation-signals'), other.service.jobs.drain('automation-signals')]);
  await Promise.all([h.drain('automation-steps'), other.service.jobs.drain('automation-steps')]);
  const people = await h.pool`select from deliveries where business_id = ${a.businessId}`;
  assert.equal(people.length, 300);
  await a.run();
  assert.equal(sink.messages.length, 300);
});

test('a paid issue goes only to people with the plan, an unpublished one to no one, and everyone continues', async () => {
  const a = await makeAutomations(h);
  const paid = await a.entry('Paid', { access: 'PLANS', planIds: ['club'] });
  const draft = await a.entry('Draft');
  const { id } = await ok(
    a.create([
      { id: 'paid', type: 'MAIL', entryId: paid },
      { id: 'draft', type: 'MAIL', entryId: draft },
      { id: 'last', type: 'TAG', tag: 'done' },
    ]),
  );
  await ok(
    h.call('PUT', `${a.base}/entries/${draft}`, { token: a.token, body: { statuses: [{ status: 'ARCHIVED' }] } }),
  );
  await a.subscribe('free@example.com');
  await a.subscribe('club@example.com');
  await h.pool`update subscriptions set plan_id = 'club' where business_id = ${a.businessId} and email_key = 'club@example.com'`;
  await a.run();
  assert.deepEqual(sentTo(), ['club@example.com']);
  assert.deepEqual(await a.people(id), ['club@example.com COMPLETED', 'free@example.com COMPLETED']);
});

test('only people who match the filter of a condition continue', async () => {
  const a = await makeAutomations(h);
  const { id } = await ok(
    a.create([
      { id: 'check', type: 'CONDITION', filter: isVip, delaySeconds: 60 },
      { id: 'mail', type: 'MAIL', entryId: await a.entry() },
    ]),
  );
  await a.subscribe('ada@example.com');
  await a.subscribe('bob@example.com');
  await a.run();
  await ok(a.tag((await a.subscriber('ada@example.com')).id, ['vip']));
  h.clock.advance(61);
  await a.run();
  assert.deepEqual(sentTo(), ['ada@example.com']);
  assert.deepEqual(await a.people(id, '?status=EXITED'), ['bob@example.com EXITED CONDITION']);
});

test('a paused automation keeps everyone at their step, lets no one enter, and continues when it is enabled', async () => {
  const a = await makeAutomations(h);
  const { id } = await ok(a.create([{ id: 'later', type: 'MAIL', entryId: await a.entry(), delaySeconds: 60 }]));
  await a.subscribe('ada@example.com');
  await a.run();
  await ok(a.change(id, { enabled: false }));
  await a.subscribe('meanwhile@example.com');
  h.clock.advance(120);
  await a.run();
  assert.deepEqual(sentTo(), []);
  assert.deepEqual(await a.people(id), ['ada@example.com ACTIVE later']);
  await ok(a.change(id, { enabled: true }));
  await a.run();
  assert.deepEqual(sentTo(), ['ada@example.com']);
});

test('people continue with edited steps: removed steps are left out, moved ones are not repeated', async () => {
  const a = await makeAutomations(h);
  const mail = async (id: string, delaySeconds = 0) => ({ id, type: 'MAIL', entryId: await a.entry(id), delaySeconds });
  const [one, two, three, four] = [
    await mail('one'),
    await mail('two', 60),
    await mail('three', 60),
    await mail('four', 60),
  ];
  const { id } = await ok(a.create([one, two, three]));
  await a.subscribe('ada@example.com');
  await a.run();
  assert.deepEqual(await a.people(id), ['ada@example.com ACTIVE two']);
  await ok(a.change(id, { steps: [three, one, four] }));
  assert.deepEqual(await a.people(id), ['ada@example.com ACTIVE four']);
  await ok(a.change(id, { steps: [four, one, three] }));
  for (let i = 0; i < 3; i++) {
    h.clock.advance(61);
    await a.run();
  }
  assert.deepEqual(subjects(), ['one', 'four', 'three']);
  assert.deepEqual(await a.people(id), ['ada@example.com COMPLETED']);
});

test('someone whose next step is removed does not repeat the step that takes its place', async () => {
  const a = await makeAutomations(h);
  const mail = async (id: string, delaySeconds = 0) => ({ id, type: 'MAIL', entryId: await a.entry(id), delaySeconds });
  const [one, two, three] = [await mail('one'), await mail('two'), await mail('three', 60)];
  const { id } = await ok(a.create([one, two, three]));
  await a.subscribe('ada@example.com');
  await a.run();
  assert.deepEqual(await a.people(id), ['ada@example.com ACTIVE three']);
  await ok(a.change(id, { steps: [two, one] }));
  assert.deepEqual(await a.people(id), ['ada@example.com ACTIVE one']);
  h.clock.advance(61);
  await a.run();
  // Emails of one run can arrive in any order.
  assert.deepEqual(subjects().sort(), ['one', 'two']);
  assert.deepEqual(await a.people(id), ['ada@example.com COMPLETED']);
});

test('a tag or a yearly date, in the time zone of the business, starts an automation', async () => {
  const a = await makeAutomations(h, {}, { profile: { timeZone: 'Pacific/Auckland' } });
  const entryId = await a.entry();
  const tagged = await ok(
    a.create([{ id: 'm', type: 'MAIL', entryId }], { trigger: { type: 'tag.added', tag: 'VIP' } }),
  );
  const trigger = { type: 'date', field: 'birthday', hour: 9 };
  const dated = await ok(a.create([{ id: 'm', type: 'MAIL', entryId }], { trigger }));
  await a.subscribe('ada@example.com');
  await a.subscribe('bob@example.com');
  const day = (offset: number) =>
    new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland' }).format((h.clock.seconds() + offset * DAY) * 1000);
  const ada = await a.subscriber('ada@example.com');
  await ok(a.tag(ada.id, ['vip'], { fields: { birthday: `1990-${day(2).slice(5)}` } }));
  await a.run();
  assert.deepEqual(await a.people(tagged.id), ['ada@example.com COMPLETED']);
  assert.deepEqual(await a.people(dated.id), []);
  for (let i = 0; i < 4; i++) {
    h.clock.advance(DAY);
    await a.run();
  }
  await a.login();
  assert.deepEqual(await a.people(dated.id), ['ada@example.com COMPLETED']);
  h.clock.advance(365 * DAY);
  await a.run();
  await a.login();
  assert.equal((await a.people(dated.id)).length, 2);
});

test('an automation with invalid steps is rejected, and an entry that it sends cannot be deleted', async () => {
  const a = await makeAutomations(h);
  const errorsOf = async (steps: object[], fields: object = {}) =>
    (await a.create(steps, fields)).body.details.map(
      ({ field, error }: { field: string; error: string }) => `${field} ${error}`,
    );
  assert.deepEqual(await errorsOf([{ type: 'MAIL' }, { type: 'TAG' }]), [
    'steps[0].entryId REQUIRED',
    'steps[1].tag REQUIRED',
  ]);
  assert.deepEqual(await errorsOf([{ type: 'MAIL', entryId: 'ent_1' }]), ['steps[0].entryId NOT_FOUND']);
  const draft = await a.entry('Draft', { statuses: [] });
  assert.deepEqual(await errorsOf([{ type: 'MAIL', entryId: draft }]), ['steps[0].entryId NOT_PUBLISHED']);
  const many = Array.from({ length: 51 }, () => ({ type: 'TAG', tag: 'x' }));
  assert.equal((await a.create(many)).status, 422);
  const entryId = await a.entry();
  const { id } = await ok(a.create([{ type: 'MAIL', entryId }]));
  const remove = () => h.call('DELETE', `${a.base}/entries/${entryId}`, { token: a.token });
  assert.equal((await remove()).status, 409);
  await ok(a.call('DELETE', `/${id}`));
  assert.equal((await a.call('GET', `/${id}`)).status, 404);
  assert.equal((await remove()).status, 200);
  await a.run();
  assert.equal((await h.pool`select from automations where business_id = ${a.businessId}`).length, 0);
});
