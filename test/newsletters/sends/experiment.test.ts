import assert from 'node:assert/strict';
import test from 'node:test';
import { bestOf } from '../../../src/domains/newsletters/sends/choose-winner.ts';
import { shareHarness } from '../../harness.ts';
import { addsUp, makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';

const h = await shareHarness();
const run = () => runSends(h.service);
const TRACKED = { settings: { tracking: { clicks: true } } };
const SUBJECTS = ['First', 'Second for {{subscriber.name}}'];
const HOUR = 3600;

const experiment = (fields: object = {}) => ({
  experiment: { share: 0.4, subjects: SUBJECTS, metric: 'CLICKS', after: HOUR, ...fields },
});

async function begin(people = 10, fields: object = {}) {
  const newsletter = await makeNewsletter(h, TRACKED);
  await newsletter.crowd(people);
  const entryId = await newsletter.entry('Base subject');
  const { id } = await ok(newsletter.send(entryId, experiment(fields)));
  await run();
  return { newsletter, entryId, id, progress: () => newsletter.progress(entryId, id) };
}

const mailsOf = async (sendId: string) =>
  (await h.mailbox()).filter((mail) => mail.kind === 'mail' && mail.messageId?.includes(sendId));

/** Sorted. */
const subjectsOf = async (sendId: string) =>
  (await mailsOf(sendId)).map((mail) => (mail.kind === 'mail' ? mail.subject.replace(/ for .*/, '') : '')).sort();

const click = (sendId: string, variant: number) => h.pool`
  update deliveries set clicked_at = 1 where send_id = ${sendId} and variant = ${variant}`;

const choose = ({ base, token }: Newsletter, entryId: string, id: string, variant: number) =>
  h.call('POST', `${base}/entries/${entryId}/sends/${id}/winner`, { token, body: { variant } });

async function later(newsletter: Newsletter, seconds = HOUR + 1): Promise<void> {
  h.clock.advance(seconds);
  await newsletter.login();
  await run();
}

test('part of the audience tests the subjects, and the rest get the one with the highest click rate', async () => {
  const { newsletter, id, progress } = await begin();
  assert.deepEqual(await subjectsOf(id), ['First', 'First', 'Second', 'Second']);
  const testing = await progress();
  assert.deepEqual([testing.status, testing.sent, testing.experiment?.winner], ['SENDING', 4, null]);
  await click(id, 1);
  await run();
  assert.equal((await progress()).sent, 4, 'the rest waits');
  await later(newsletter);
  const done = await progress();
  assert.deepEqual([done.status, done.sent, done.experiment?.winner], ['SENT', 10, 1]);
  assert.deepEqual(await subjectsOf(id), ['First', 'First', ...Array(8).fill('Second')]);
});

test('without clicks, with a tie, or if no member chooses, the rest get the first subject', async () => {
  const { newsletter, id, progress } = await begin(10, { metric: 'MANUAL' });
  await click(id, 1);
  await later(newsletter);
  const done = await progress();
  assert.deepEqual([done.status, done.sent, done.experiment?.winner], ['SENT', 10, 0]);
  assert.equal(bestOf([]), 0);
  assert.equal(bestOf([0, 1].map((variant) => ({ variant, sent: 5, people: 0 }))), 0);
  assert.equal(bestOf([0, 1].map((variant) => ({ variant, sent: 5, people: 3 }))), 0);
  assert.equal(
    bestOf([
      { variant: 0, sent: 10, people: 3 },
      { variant: 2, sent: 5, people: 2 },
    ]),
    2,
  );
});

test('content versions are tested like subject lines: each person in the test group gets one version, in the browser too, and everyone else gets the winner', async () => {
  const newsletter = await makeNewsletter(h, TRACKED);
  await newsletter.crowd(10);
  const body = (text: string, path: string) => ({
    blocks: [
      { id: 'title', type: 'TEXT', value: `Subject of ${text}` },
      { id: 'body', type: 'TEXT', value: `<p>${text} <a href="https://shop.example/${path}">Look</a></p>` },
    ],
  });
  const entryId = await newsletter.entry('', body('Alpha', 'both'));
  const draft = { ...body('Beta', 'beta'), statuses: [{ status: 'DRAFT' }] };
  const other = await newsletter.entry('', draft);
  const contents = { subjects: undefined, alternatives: [other] };
  const { id } = await ok(newsletter.send(entryId, experiment(contents)));
  await run();
  const versionsOf = async () =>
    (await mailsOf(id)).map((mail) => (mail.kind === 'mail' ? mail.text.match(/Alpha|Beta/g)?.join() : ''));
  assert.deepEqual((await versionsOf()).sort(), ['Alpha,Alpha', 'Alpha,Alpha', 'Beta,Beta', 'Beta,Beta']);
  const remove = await h.call('DELETE', `${newsletter.base}/entries/${other}`, { token: newsletter.token });
  assert.equal(remove.status, 409, 'a tested entry can’t be deleted');
  await click(id, 1);
  await later(newsletter);
  const done = await newsletter.progress(entryId, id);
  assert.deepEqual([done.status, done.sent, done.experiment?.winner], ['SENT', 10, 1]);
  assert.equal((await versionsOf()).filter((text) => text === 'Beta,Beta').length, 8);
  const path = `${newsletter.base}/entries/${entryId}/sends/${id}/stats` as const;
  const stats = await ok(h.call('GET', path, { token: newsletter.token }));
  assert.deepEqual(
    stats.variants.map(({ subject, entryId: of, sent, clicked }) => [subject, of, sent, clicked]),
    [
      ['Subject of Alpha', entryId, 2, 0],
      ['Subject of Beta', other, 2, 2],
    ],
  );
  for (const mail of await mailsOf(id)) {
    if (mail.kind !== 'mail') continue;
    const [version] = /Alpha|Beta/.exec(mail.text)!;
    assert.match(mail.subject, new RegExp(version));
    const view = await fetch(h.url + new URL(/http\S+\/newsletter\/\S+/.exec(mail.text)![0]).pathname);
    assert.match(await view.text(), new RegExp(`<p[^>]*>${version} `), 'the browser shows the version that was sent');
    const link = /href="http[^"]+(\/v1\/mail\/c\/[^"]+)"/.exec(mail.html!)![1]!;
    const target = await fetch(h.url + link, { redirect: 'manual' });
    assert.equal(target.headers.get('location'), `https://shop.example/${version === 'Alpha' ? 'both' : 'beta'}`);
  }
});

test('an alternative must be another issue of the newsletter with the same access', async () => {
  const newsletter = await makeNewsletter(h, TRACKED);
  const entryId = await newsletter.entry();
  const paid = await newsletter.entry('Paid', { access: 'PLANS', planIds: ['club'] });
  const foreign = await (await makeNewsletter(h)).entry();
  const errorsOf = async (id: string, fields: object) =>
    ((await newsletter.send(id, experiment(fields))).body.details ?? []).map(({ field, error }) => `${field} ${error}`);
  const field = 'experiment.alternatives[0]';
  for (const id of [foreign, entryId]) {
    assert.deepEqual(await errorsOf(entryId, { subjects: undefined, alternatives: [id] }), [`${field} NOT_FOUND`]);
  }
  assert.deepEqual(await errorsOf(entryId, { subjects: undefined, alternatives: [paid] }), [`${field} ACCESS_DIFFERS`]);
  assert.deepEqual(await errorsOf(paid, { subjects: undefined, alternatives: [entryId] }), [`${field} ACCESS_DIFFERS`]);
  const other = await newsletter.entry();
  assert.deepEqual(await errorsOf(entryId, { alternatives: [other] }), ['experiment INVALID_VALUE']);
  assert.deepEqual(await errorsOf(entryId, { subjects: undefined }), ['experiment INVALID_VALUE']);
  const body = { ...experiment({ subjects: undefined, alternatives: [other] }), scheduledAt: h.clock.seconds() + 60 };
  const { id } = await ok(newsletter.send(entryId, body));
  const update = { body: { access: 'PLANS', planIds: ['club'] }, token: newsletter.token };
  await ok(h.call('PUT', `${newsletter.base}/entries/${other}`, update));
  await later(newsletter, 61);
  const failed = await newsletter.progress(entryId, id);
  assert.deepEqual([failed.status, failed.error], ['FAILED', 'ACCESS_DIFFERS']);
});

test('a member can choose before the end, once, and only a subject of the experiment', async () => {
  const { newsletter, entryId, id, progress } = await begin();
  assert.equal((await choose(newsletter, entryId, id, 2)).status, 422);
  const [first, second] = await Promise.all([0, 1].map((variant) => choose(newsletter, entryId, id, variant)));
  assert.deepEqual([first!.status, second!.status].sort(), [200, 409]);
  const winner = first!.status === 200 ? 0 : 1;
  assert.equal((await choose(newsletter, entryId, id, winner)).status, 200);
  await run();
  const done = await progress();
  assert.deepEqual([done.status, done.sent, done.experiment?.winner], ['SENT', 10, winner]);
});

test('choosing a winner while a batch is released never leaves the remaining subscribers waiting', async () => {
  const { newsletter, entryId, id, progress } = await begin(3);
  for (let i = 0; i < 5; i++) {
    const next = await newsletter.entry();
    const send = await ok(newsletter.send(next, experiment()));
    await h.service.jobs.drain('newsletter-start');
    await Promise.all([run(), choose(newsletter, next, send.id, 1)]);
    await run();
    assert.equal((await newsletter.progress(next, send.id)).status, 'SENT');
  }
  await ok(newsletter.cancel(entryId, id));
  await run();
  assert.equal((await progress()).status, 'CANCELLED');
});

test('subscribers who unsubscribe or are suppressed during the test don’t get the winner', async () => {
  const { newsletter, id, progress } = await begin();
  const rest = await h.pool<{ subscriptionId: string; email: string }[]>`
    select subscription_id, email from deliveries where send_id = ${id} and variant is null order by 1`;
  const [left, complained] = rest;
  await h.pool`update subscriptions set status = 'UNSUBSCRIBED'
    where business_id = ${newsletter.businessId} and id = ${left!.subscriptionId}`;
  const body = { email: complained!.email, reason: 'COMPLAINT' };
  await ok(h.call('POST', `${newsletter.base}/suppressions`, { token: newsletter.token, body }));
  await later(newsletter);
  const done = await progress();
  assert.deepEqual([done.status, done.sent, done.skipped], ['SENT', 8, 2]);
  const reached = await mailsOf(id);
  assert.ok(!reached.some(({ to }) => to === left!.email || to === complained!.email));
});

test('a send can be canceled before the test, during it and after it', async () => {
  for (const phase of ['BEFORE', 'DURING', 'AFTER'] as const) {
    const newsletter = await makeNewsletter(h, TRACKED);
    await newsletter.crowd(10);
    const entryId = await newsletter.entry();
    const { id } = await ok(newsletter.send(entryId, experiment()));
    if (phase !== 'BEFORE') await run();
    if (phase === 'AFTER') await ok(choose(newsletter, entryId, id, 1));
    await ok(newsletter.cancel(entryId, id));
    await run();
    await later(newsletter);
    const done = await newsletter.progress(entryId, id);
    assert.equal(done.status, 'CANCELLED');
    assert.ok(addsUp(done), JSON.stringify(done));
    assert.equal(done.sent, phase === 'BEFORE' ? 0 : 4);
    assert.equal((await choose(newsletter, entryId, id, 0)).status, 409);
  }
});

test('an experiment needs a metric, 2 to 4 subjects and known variables, and cannot use local time', async () => {
  const newsletter = await makeNewsletter(h);
  const entryId = await newsletter.entry();
  const errorsOf = async (body: object) =>
    ((await newsletter.send(entryId, body)).body.details ?? []).map(({ field, error }) => `${field} ${error}`);
  assert.deepEqual(await errorsOf(experiment()), ['experiment.metric NOT_TRACKED']);
  assert.deepEqual(await errorsOf(experiment({ metric: 'OPENS' })), ['experiment.metric NOT_TRACKED']);
  const unknown = experiment({ metric: 'MANUAL', subjects: ['A', 'B {{nothing}}'] });
  assert.deepEqual(await errorsOf(unknown), ['experiment.subjects[1] UNKNOWN_VARIABLE']);
  assert.equal((await newsletter.send(entryId, experiment({ metric: 'MANUAL', subjects: ['A'] }))).status, 422);
  const local = { ...experiment({ metric: 'MANUAL' }), localTime: true };
  assert.deepEqual(await errorsOf(local), ['scheduledAt REQUIRED', 'experiment NOT_ALLOWED']);
});
