import assert from 'node:assert/strict';
import test from 'node:test';
import { CONNECTIONS } from '../../../src/domains/newsletters/sends/batches/work-on-send.ts';
import { type Json, startHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { ok } from '../fixture.ts';
import { createWorkers, UNTIMED } from '../sends/workers.ts';
import { makeAutomations } from './fixture.ts';

const PEOPLE = 1000;
const MAILS = 3;
/** `KILLS=20` for a longer run. */
const KILLS = Number(process.env.KILLS ?? 4);
const KILL_AT = Array.from({ length: KILLS }, (_, i) => 1 + Math.floor((i * (PEOPLE * MAILS - 100)) / KILLS));

let onMessage: (message: { messageId: string }) => void = () => {};
const sink = await startSink({ keep: false, onMessage: (message) => onMessage(message) });
const settings = { SMTP_URL: sink.url, MAIL_LEASE: '2', PUBLIC_URL: 'http://localhost:3000' };
const h = await startHarness(settings);
const workers = createWorkers(h, settings);
test.after(async () => {
  await workers.killAll();
  await sink.close();
});

test(
  'when workers are killed, everyone goes through each of the five steps once, and only messages in flight may arrive twice',
  UNTIMED,
  async () => {
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
    const arrived = new Set<string>();
    onMessage = ({ messageId }) => {
      arrived.add(messageId);
      if (kills[0] === undefined || arrived.size < kills[0]) return;
      kills.shift();
      workers.replace();
    };
    await Promise.all([workers.start(), workers.start()]);
    const isDone = async () => {
      const [row] = await h.pool<[{ count: number }]>`
      select count(*)::int from sends where business_id = ${a.businessId} and open`;
      return arrived.size === PEOPLE * MAILS && row.count === 0;
    };
    await workers.waitUntil(isDone, sink.messages);

    const counts = () => ok(a.call('GET', `/${id}/counts`));
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
    await workers.killAll();
  },
);
