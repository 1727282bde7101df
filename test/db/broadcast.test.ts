import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import pino from 'pino';
import { type Broadcast, createBroadcast, createCache } from '../../src/db/broadcast.ts';
import { createListener } from '../../src/db/listener.ts';
import { createMirror } from '../../src/db/mirror.ts';
import { createPool } from '../../src/db/pool.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { eventually } from '../service.ts';

type Value = { id: string; read: number };

const target = await cloneDatabase();
const admin = createPool({ ...target, database: 'postgres' }, { max: 1 });
const pool = createPool(target, { max: 4 });
const [here, there] = await Promise.all([startBroadcast(), startBroadcast()]);
after(async () => {
  await Promise.all([pool.end(), admin.end()]);
  await dropDatabase(target);
});

async function startBroadcast(): Promise<Broadcast> {
  const listener = createListener(target);
  const broadcast = createBroadcast(listener);
  await broadcast.start();
  after(async () => {
    await broadcast.stop();
    await listener.stop();
  });
  await until(() => broadcast.isLive());
  return broadcast;
}

/** A cache in which each read creates a new value. */
function countingCache(broadcast: Broadcast, maxEntries = 10) {
  const cache = createCache<Value>(broadcast, { subjectOf: ({ id }) => `thing:${id}`, maxEntries });
  let reads = 0;
  const get = (id: string, during: () => Promise<unknown> = async () => {}) =>
    cache.get(id, async () => {
      const value = { id, read: ++reads };
      await during();
      return value;
    });
  return { get, cache };
}

const publish = (id: string) => pool.transaction((tx) => here.publish(tx, `thing:${id}`));

function until(isSo: () => boolean): Promise<true> {
  return eventually('the broadcast is as expected', async () => isSo() || null, 10_000);
}

/** Resolves when both nodes have received it. Anything published before has then arrived too. */
async function published(id: string): Promise<void> {
  const heard = [here, there].map(
    (broadcast) =>
      new Promise<void>((resolve) => broadcast.subscribe((subject) => subject === `thing:${id}` && resolve())),
  );
  await publish(id);
  await Promise.all(heard);
}

test('a notification drops the entry on every node, and only that entry', async () => {
  const [mine, theirs] = [countingCache(here), countingCache(there)];
  const before = await Promise.all([mine.get('a'), mine.get('b'), theirs.get('a')]);
  assert.deepEqual(await Promise.all([mine.get('a'), mine.get('b'), theirs.get('a')]), before);
  await published('a');
  assert.equal(mine.cache.peek('a'), undefined);
  assert.equal(theirs.cache.peek('a'), undefined);
  assert.deepEqual(await mine.get('b'), before[1]);
  assert.notDeepEqual(await theirs.get('a'), before[2]);
});

test('a transaction that rolls back sends no notification', async () => {
  const { get } = countingCache(there);
  const before = await get('kept');
  await assert.rejects(
    pool.transaction(async (tx) => {
      await here.publish(tx, 'thing:kept');
      throw new Error('no');
    }),
  );
  await published('fence');
  assert.deepEqual(await get('kept'), before);
});

test('a value whose read started before the notification is not cached', async () => {
  const { get, cache } = countingCache(there);
  const old = await get('raced', () => published('raced'));
  assert.equal(cache.peek('raced'), undefined);
  assert.notDeepEqual(await get('raced'), old);
});

test('a value published here is dropped before the commit, and not cached again until its own notification arrives', async () => {
  const { get, cache } = countingCache(here);
  await get('mine');
  await pool.transaction(async (tx) => {
    await here.publish(tx, 'thing:mine');
    assert.equal(cache.peek('mine'), undefined);
    await get('mine');
    assert.equal(cache.peek('mine'), undefined, 'it may have been read before the commit');
  });
  await published('fence');
  // Not immediately if the process stalled for so long that it no longer trusts its cache.
  await eventually('it is cached again', async () => (await get('mine')) === cache.peek('mine'), 10_000);
});

test('a full cache drops its oldest entries', async () => {
  const { get, cache } = countingCache(here, 2);
  for (const id of ['x', 'y', 'z']) await get(id);
  assert.deepEqual([cache.peek('x'), cache.peek('y')?.id, cache.peek('z')?.id], [undefined, 'y', 'z']);
});

test('while notifications may be lost the cache is cleared and bypassed, and it works again afterward', {
  timeout: 30_000,
}, async () => {
  const { get, cache } = countingCache(there);
  const before = await get('lost');
  await admin.text(`alter database ${target.database} allow_connections false`);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${target.database}`;
  await until(() => !there.isLive());
  assert.equal(cache.peek('lost'), undefined);
  const [second, third] = [await get('lost'), await get('lost')];
  assert.ok(second!.read > before!.read && third!.read > second!.read);
  await admin.text(`alter database ${target.database} allow_connections true`);
  await until(() => there.isLive() && here.isLive());
  assert.equal(cache.peek('lost'), undefined);
  const fresh = await get('lost');
  assert.deepEqual(await get('lost'), fresh);
  await published('lost');
  assert.equal(cache.peek('lost'), undefined);
});

test('a process whose event loop was blocked does not use its cache', async () => {
  const { get, cache } = countingCache(here);
  await until(() => here.isLive());
  await get('still');
  const stop = performance.now() + 1100;
  while (performance.now() < stop);
  assert.equal(here.isLive(), false);
  assert.equal(cache.peek('still'), undefined);
});

test('after notifications were lost during a database outage, data in memory is reloaded until that succeeds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const resets: (() => void)[] = [];
  const failures = [new Error('the database is down'), new Error('the database is down')];
  let stored = 'before';
  const mirror = createMirror(
    {
      broadcast: { subscribe: () => () => {}, onReset: (forget) => void resets.push(forget) },
      log: pino({ enabled: false }),
    },
    {
      name: 'values',
      empty: '',
      isAbout: () => false,
      read: async () => {
        if (stored === 'after' && failures.length > 0) throw failures.pop();
        return stored;
      },
    },
  );
  await mirror.start(pool);
  assert.equal(mirror.get(), 'before');
  stored = 'after';
  resets[0]!();
  for (let failed = 0; failed < 2; failed++) {
    await setImmediate();
    t.mock.timers.tick(1000);
  }
  await setImmediate();
  assert.equal(mirror.get(), 'after');
});
