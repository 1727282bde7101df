import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool } from '../../../src/db/pool.ts';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok, sweep } from '../fixture.ts';

const SUBSCRIBERS = 400;
const AWAY_MS = 1500;

let onMessage: () => void = () => {};
const sink = await startSink({ keep: false, onMessage: () => onMessage() });
const h = await startHarness({ SMTP_URL: sink.url, MAIL_LEASE: '10' });
const direct = createPool(h.target, { max: 1, applicationName: 'test' });
test.after(() => Promise.all([sink.close(), direct.end()]));

/** Ends every connection of the pool again and again, as soon as it is made. Returns how many there were. */
async function cutConnections(): Promise<number> {
  let count = 0;
  const endAt = performance.now() + AWAY_MS;
  while (performance.now() < endAt) {
    const cut = await direct`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'souk'`;
    count += cut.length;
    await pause(5);
  }
  return count;
}

test('a database that is away during a send loses no outcome: every subscriber gets exactly one message', async () => {
  const letters = await makeNewsletter(h);
  await letters.crowd(SUBSCRIBERS);
  const entryId = await letters.entry();
  const send = await ok(letters.send(entryId));
  let cut: Promise<number> | null = null;
  onMessage = () => {
    if (sink.messages.length === 50) cut = cutConnections();
  };
  await h.drain('newsletter-send').catch(() => {});
  assert.ok((await cut)! > 1);
  const done = await eventually('everything is sent', async () => {
    await sweep(h.service);
    await h.drain('newsletter-send');
    const progress = await letters.progress(entryId, send.id);
    return progress.status === 'SENT' && progress;
  });
  assert.deepEqual([done.total, done.sent], [SUBSCRIBERS, SUBSCRIBERS]);
  const arrived = sink.byAddress();
  assert.equal(arrived.size, SUBSCRIBERS);
  const twice = [...arrived].filter(([, ids]) => ids.length > 1).map(([address]) => address);
  assert.deepEqual(twice, []);
});
