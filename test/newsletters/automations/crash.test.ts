import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { CONNECTIONS } from '../../../src/domains/newsletters/sends/batches/work-on-send.ts';
import { type Json, startHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { ok } from '../fixture.ts';
import { makeAutomations } from './fixture.ts';

const PEOPLE = 1000;
const MAILS = 3;
/** `KILLS=20` for a longer run. */
const KILLS = Number(process.env.KILLS ?? 4);
const KILL_AT = Array.from({ length: KILLS }, (_, i) => 1 + Math.floor((i * (PEOPLE * MAILS - 100)) / KILLS));

let onMessage: () => void = () => {};
const sink = await startSink({ keep: false, onMessage: () => onMessage() });
const settings = { SMTP_URL: sink.url, MAIL_LEASE: '2', PUBLIC_URL: 'http://localhost:3000' };
const h = await startHarness(settings);
const workers = new Set<ChildProcess>();
test.after(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await sink.close();
});

async function startWorker(): Promise<ChildProcess> {
  const worker = fork(new URL('../sends/worker.ts', import.meta.url), {
    env: {
      ...process.env,
      SOUK_TEST_WORKER: JSON.stringify({ target: h.target, settings, folder: h.config.dataDir }),
    },
  });
  workers.add(worker);
  await once(worker, 'message');
  return worker;
}

test('when workers are killed, everyone passes each of five steps once, and only messages in flight may arrive twice', {
  timeout: 60_000 * (2 + KILLS),
}, async () => {
  const a = await makeAutomations(h);
  const mail = async (id: string) => ({ id, type: 'MAIL', entryId: await a.entry(id) });
  const filter = { field: 'subscriber.tag', op: 'is', value: 'seen' };
  const steps = [
    await mail('first'),
    { id: 'tag', type: 'TAG', tag: 'seen' },
    await mail('second'),
    { id: 'check', type: 'CONDITION', filter },
    await mail('third'),
  ];
  const { id } = await ok(a.create(steps));
  await a.crowd(PEOPLE);
  await h.pool`
    insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
    select business_id, 'subscription.created', 'subscription:' || id, '{"type": "SYSTEM"}', '', '{}', ${h.clock.seconds()}
    from subscriptions where business_id = ${a.businessId}`;

  const kills = [...KILL_AT];
  const running: ChildProcess[] = [];
  const replacements: Promise<unknown>[] = [];
  const finished = new Promise<void>((resolve) => {
    onMessage = () => {
      const arrived = new Set(sink.messages.map(({ messageId }) => messageId)).size;
      if (arrived === PEOPLE * MAILS) resolve();
      const victim = kills[0] !== undefined && arrived >= kills[0] ? running.shift() : undefined;
      if (!victim) return;
      kills.shift();
      victim.kill('SIGKILL');
      workers.delete(victim);
      replacements.push(startWorker().then((worker) => running.push(worker)));
    };
  });
  for (let i = 0; i < 2; i++) running.push(await startWorker());
  await finished;
  await Promise.all(replacements);

  const counts = () => ok(a.call('GET', `/${id}/counts`));
  for (let open = true; open; ) {
    const [row] = await h.pool<[{ count: number }]>`
      select count(*)::int from sends where business_id = ${a.businessId} and open`;
    open = row.count > 0;
  }
  const { active, completed, exited, steps: each } = await counts();
  assert.deepEqual([active, completed, exited], [0, PEOPLE, 0]);
  assert.deepEqual(
    (each as Json[]).map(({ stepId, done, sent }) => `${stepId} ${done} ${sent}`),
    ['first 1000 1000', 'tag 1000 0', 'second 1000 1000', 'check 1000 0', 'third 1000 1000'],
  );
  const tagged = await h.pool`
    select from subscriptions where business_id = ${a.businessId} and tags = '{seen}' and version = 2`;
  assert.equal(tagged.length, PEOPLE);
  const byPerson = [...sink.byAddress().values()];
  assert.equal(byPerson.length, PEOPLE);
  assert.ok(byPerson.every((ids) => new Set(ids).size === MAILS));
  const twice = sink.messages.length - PEOPLE * MAILS;
  assert.ok(twice <= KILLS * CONNECTIONS, `${twice} arrived twice`);
  assert.equal(kills.length, 0);
  for (const worker of running) {
    const gone = once(worker, 'exit');
    worker.kill('SIGKILL');
    await gone;
  }
});
