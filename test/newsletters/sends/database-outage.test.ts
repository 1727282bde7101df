import assert from 'node:assert/strict';
import test from 'node:test';
import { createPool } from '../../../src/db/pool.ts';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok, runSends } from '../fixture.ts';

const SUBSCRIBERS = 400;
const CUTS = 10;

let onMessage: () => void = () => {};
let isOver = false;
const sink = await startSink({ keep: false, onMessage: () => onMessage() });
const h = await startHarness({ SMTP_URL: sink.url, MAIL_LEASE: '60' });
const direct = createPool(h.target, { max: 1, applicationName: 'test' });
test.after(() => Promise.all([sink.close(), direct.end()]));

/** Terminates the pool's connections as soon as they are opened. */
async function cutConnections(): Promise<void> {
  for (let cut = 0; cut < CUTS && !isOver; ) {
    const ended = await direct`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'souk'`;
    cut += ended.length;
  }
}

test('a database outage during a send loses no outcome, and every subscriber gets exactly one message', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(SUBSCRIBERS);
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  let cutting: Promise<void> | undefined;
  onMessage = () => {
    if (sink.messages.length === 50) cutting = cutConnections();
  };
  await runSends(h.service).catch(() => {});
  isOver = true;
  assert.ok(cutting);
  await cutting;
  const done = await eventually('all messages are sent', async () => {
    await runSends(h.service);
    const progress = await newsletter.progress(entryId, send.id);
    return progress.status === 'SENT' && progress;
  });
  assert.deepEqual([done.total, done.sent], [SUBSCRIBERS, SUBSCRIBERS]);
  const arrived = sink.byAddress();
  assert.equal(arrived.size, SUBSCRIBERS);
  const twice = [...arrived].filter(([, ids]) => ids.length > 1).map(([address]) => address);
  assert.deepEqual(twice, []);
});
