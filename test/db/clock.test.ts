import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { createBroadcast } from '../../src/db/broadcast.ts';
import { startDatabaseClock } from '../../src/db/clock.ts';
import { createListener } from '../../src/db/listener.ts';
import { createPool } from '../../src/db/pool.ts';
import { testConfig } from '../config.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 2 });
after(async () => {
  await pool.end();
  await dropDatabase(target);
});

async function databaseMs(): Promise<number> {
  const [row] = await pool<[{ ms: number }]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  return row.ms;
}

test('a service uses the database clock, even if the clock of its machine is wrong', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  const log = pino({ level: 'error' });
  const service = await createService({ config: testConfig({}, '/tmp'), target, log, works: false });
  try {
    const before = await databaseMs();
    const { now } = service.contexts.system();
    assert.ok(now >= Math.floor(before / 1000) - 1 && now <= (await databaseMs()) / 1000, `${now} after ${before}`);
  } finally {
    await service.stop();
  }
});

test('the clock follows the database forward and backward', async () => {
  const clock = await startDatabaseClock(pool.db);
  const [start, sentAt] = [clock.ms(), performance.now()];
  clock.observe(start + 3_600_000, sentAt);
  assert.ok(clock.ms() >= start + 3_600_000);
  clock.observe(start, sentAt);
  assert.ok(clock.ms() < start + 3_600_000);
});

test('heartbeats correct the clock', async () => {
  const listener = createListener(target);
  const corrected = Promise.withResolvers<number>();
  const broadcast = createBroadcast(listener, { observe: corrected.resolve });
  const before = await databaseMs();
  await broadcast.start();
  const ms = await corrected.promise;
  await broadcast.stop();
  await listener.stop();
  assert.ok(ms >= Math.floor(before) && ms <= (await databaseMs()));
});
