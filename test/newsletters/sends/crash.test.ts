import assert from 'node:assert/strict';
import test from 'node:test';
import { SMTP_CONNECTIONS } from '../../../src/providers/mail/smtp.ts';
import { startHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { addsUp, makeNewsletter, ok, runSends } from '../fixture.ts';
import { createWorkers, UNTIMED } from './workers.ts';

const SUBSCRIBERS = 5000;
const KILL_AT = [700, 1900, 3300];

let onMessage: () => void | Promise<void> = () => {};
const sink = await startSink({ keep: false, onMessage: () => onMessage() });
const settings = { SMTP_URL: sink.url, MAIL_LEASE: '2', PUBLIC_URL: 'http://localhost:3000' };
const h = await startHarness({ ...settings, MAIL_LEASE: '60' });
const workers = createWorkers(h, settings);
test.after(async () => {
  await workers.killAll();
  await sink.close();
});
test.beforeEach(() => {
  sink.messages.length = 0;
  onMessage = () => {};
});

test(
  'with two workers and three kills, every subscriber gets the issue, and only messages in flight may arrive twice, with the same Message-ID',
  UNTIMED,
  async () => {
    const newsletter = await makeNewsletter(h);
    await newsletter.crowd(SUBSCRIBERS);
    const entryId = await newsletter.entry();
    const kills = [...KILL_AT];
    onMessage = () => {
      if (kills[0] === undefined || sink.messages.length < kills[0]) return;
      kills.shift();
      workers.replace();
    };
    await Promise.all([workers.start(), workers.start()]);
    const send = await ok(newsletter.send(entryId));
    const progress = () => newsletter.progress(entryId, send.id);
    await workers.waitUntil(async () => (await progress()).status !== 'SENDING', sink.messages);
    const done = await progress();
    assert.deepEqual([done.status, done.total, done.sent], ['SENT', SUBSCRIBERS, SUBSCRIBERS]);
    assert.ok(addsUp(done));
    assert.equal(kills.length, 0);
    assert.equal(sink.byAddress().size, SUBSCRIBERS);
    const twice = [...sink.byAddress().values()].filter((ids) => ids.length > 1);
    assert.ok(twice.length <= KILL_AT.length * SMTP_CONNECTIONS, `${twice.length} arrived twice`);
    assert.ok(twice.every((ids) => ids.length === 2 && new Set(ids).size === 1));
    await workers.killAll();
  },
);

test('when a worker stalls past its lease, another takes over and only messages in flight arrive twice', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(400);
  const other = await h.startNode();
  const awake = Promise.withResolvers<void>();
  let takenOver: Promise<unknown> | null = null;
  const takeOver = async () => {
    await h.pool`update delivery_batches set lease_until = now() - interval '1 s'`;
    await runSends(other.service);
  };
  onMessage = () => {
    if (sink.messages.length === 100) awake.resolve();
    if (sink.messages.length > SMTP_CONNECTIONS) return;
    if (sink.messages.length === SMTP_CONNECTIONS) takenOver = takeOver();
    return awake.promise;
  };
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await runSends(h.service);
  await takenOver;
  const done = await newsletter.progress(entryId, send.id);
  assert.deepEqual([done.status, done.sent], ['SENT', 400]);
  assert.equal(sink.byAddress().size, 400);
  assert.equal(sink.messages.length, 400 + SMTP_CONNECTIONS);
});

test('an email during which three workers died has failed, with the reason, and the others are sent', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(3);
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await h.service.jobs.drain('newsletter-start');
  await h.pool`update delivery_batches set owner = 'a dead worker', lease_until = now() - interval '1 s'
    where send_id = ${send.id}`;
  const [suspect] = await h.pool<{ email: string }[]>`
    update deliveries set status = 'ATTEMPTING', attempts = 3, interruptions = 2
    where send_id = ${send.id} and subscription_id = (select min(subscription_id) from deliveries where send_id = ${send.id})
    returning email`;
  await runSends(h.service);
  const done = await newsletter.progress(entryId, send.id);
  assert.deepEqual([done.status, done.sent, done.failed], ['SENT', 2, 1]);
  const [failed] = await h.pool<{ email: string; error: string }[]>`
    select email, error from deliveries where send_id = ${send.id} and status = 'FAILED'`;
  assert.equal(failed!.email, suspect!.email);
  assert.match(failed!.error, /stopped 3 times/);
});

test('a stopping worker finishes messages in flight, releases its batches and leaves no unknown outcomes', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(400);
  const entryId = await newsletter.entry();
  const worker = await workers.start();
  const stopped = new Promise<void>((resolve) => {
    onMessage = () => {
      if (sink.messages.length === 50) worker.send('stop');
    };
    worker.once('exit', () => resolve());
  });
  const send = await ok(newsletter.send(entryId));
  await stopped;
  assert.ok(sink.messages.length < 400);
  const states = await h.pool`
    select distinct owner from delivery_batches where send_id = ${send.id}`;
  assert.deepEqual(
    states.map(({ owner }) => owner),
    [null],
  );
  await runSends(h.service);
  assert.equal((await newsletter.progress(entryId, send.id)).status, 'SENT');
  assert.equal(sink.messages.length, 400);
});
