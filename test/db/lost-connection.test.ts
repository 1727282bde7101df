import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import test, { after } from 'node:test';
import { isDatabaseAway } from '../../src/db/errors.ts';
import { createPool } from '../../src/db/pool.ts';
import { cloneDatabase, dropDatabase } from '../harness.ts';
import { eventually } from '../service.ts';

const options = { timeout: 30_000 };
const target = await cloneDatabase('template1');
const clients = new Set<Socket>();

/** When set, a client that sends this text is cut off. */
let fatal: { text: string; cut: (client: Socket) => void } | null = null;

/** PostgreSQL behind a proxy that a test can cut. */
const proxy = createServer((client) => {
  clients.add(client);
  client.on('data', (bytes) => {
    if (fatal && bytes.includes(fatal.text)) fatal.cut(client);
  });
  const server = connectSocket(`${target.host}/.s.PGSQL.${target.port}`);
  client.on('error', () => {}).on('close', () => server.destroy());
  server.on('error', () => {}).on('close', () => client.destroy());
  client.pipe(server).pipe(client);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');

/** In the two ways in which a connection ends: politely, and with a reset. */
const CUTS = {
  end: (client: Socket) => client.end(),
  reset: (client: Socket) => client.resetAndDestroy(),
};

const { port } = proxy.address() as AddressInfo;
const pool = createPool({ ...target, host: '127.0.0.1', port }, { max: 2 });
const direct = createPool(target, { max: 1 });
after(async () => {
  await Promise.all([pool.end(), direct.end()]);
  proxy.close();
  await dropDatabase(target);
});
await direct`create table notes (text text)`;

/** Also ends what still sleeps on the other side, so that the next test does not mistake it for its own. */
async function cutAll(how: keyof typeof CUTS): Promise<void> {
  for (const client of clients) CUTS[how](client);
  clients.clear();
  await direct`select pg_terminate_backend(pid, 5000) ${sleepers()}`;
}

const sleepers = () =>
  direct`from pg_stat_activity where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`;

test.beforeEach(() => direct`truncate notes`);

/** Once the loss of all is noticed, every connection of the pool answers, with its own answer. */
const assertWell = () => eventually('the pool is well', useAll, 10_000);

async function useAll(): Promise<true> {
  for (let i = 0; i < 6; i++) {
    const [[a], [b]] = await Promise.all([
      pool.transaction((tx) => tx<[{ n: number }]>`select ${i}::int as n`),
      pool<[{ n: number }]>`select ${i + 100}::int as n`,
    ]);
    assert.deepEqual([a.n, b.n], [i, i + 100]);
  }
  return true;
}

const refused = (work: PromiseLike<unknown>) => assert.rejects(Promise.resolve(work), (error) => isDatabaseAway(error));

for (const how of Object.keys(CUTS) as (keyof typeof CUTS)[]) {
  test(`statements that lose their connection (${how}) are refused, and the pool goes on`, options, async () => {
    await assertWell();
    const ended = Promise.all([refused(pool`select pg_sleep(10)`), refused(pool`select pg_sleep(10)`)]);
    await eachSleeps(2);
    await cutAll(how);
    await ended;
    await assertWell();
  });

  test(`a transaction that loses its connection (${how}) in a statement leaves nothing behind`, options, async () => {
    for (let i = 0; i < 5; i++) {
      await assertWell();
      const lost = pool.transaction(async (tx) => {
        await tx`insert into notes values ('lost')`;
        await tx`select pg_sleep(10)`;
      });
      const ended = refused(lost);
      await eachSleeps(1);
      await cutAll(how);
      await ended;
    }
    await assertWell();
    assert.deepEqual([...(await direct`select * from notes`)], []);
  });

  test(`a transaction that goes on after it lost its connection (${how}) writes nothing`, options, async () => {
    await assertWell();
    const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
    const { promise: tried, resolve: hasTried } = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
    const ended = refused(
      pool.transaction(async (tx) => {
        await tx`insert into notes values ('before')`;
        hasBegun();
        await pause;
        hasTried(await Promise.allSettled([tx`insert into notes values ('after')`, tx`commit`]));
      }),
    );
    await begun;
    await cutAll(how);
    await assertWell();
    const other = pool.transaction(async (tx) => {
      await tx`insert into notes values ('other')`;
      goOn();
      for (const { status } of await tried) assert.equal(status, 'rejected');
      throw new Error('taken back');
    });
    await assert.rejects(other, /taken back/);
    await ended;
    assert.deepEqual([...(await direct`select * from notes`)], []);
    await assertWell();
  });

  test(`a reserved connection that is lost (${how}) refuses, and is not given to anybody else`, options, async () => {
    await assertWell();
    const reserved = await pool.reserve();
    const ended = refused(reserved`select pg_sleep(10)`);
    await eachSleeps(1);
    await cutAll(how);
    await ended;
    await refused(reserved`select 1`);
    reserved.release();
    await assertWell();
  });
}

for (const how of Object.keys(CUTS) as (keyof typeof CUTS)[]) {
  test(
    `a connection that is lost (${how}) before it is ready refuses who waits for it, and no more`,
    options,
    async () => {
      const fresh = createPool({ ...target, host: '127.0.0.1', port }, { max: 1 });
      fatal = { text: 'set time zone', cut: CUTS[how] };
      await refused(fresh`select 1`);
      await refused(fresh.reserve());
      await refused(fresh.probe());
      await refused(fresh.transaction((tx) => tx`select 1`));
      fatal = null;
      assert.deepEqual([...(await fresh`select 1 as one`)], [{ one: 1 }]);
      await fresh.end();
    },
  );
}

test('a server that falls silent is given up, and the next connection works', options, async () => {
  await assertWell();
  const reserved = await pool.reserve();
  reserved.client.silenceMs = 300;
  for (const client of clients) client.unpipe();
  await refused(reserved`select 1`);
  reserved.release(true);
  await cutAll('reset');
  await assertWell();
});

async function eachSleeps(count: number): Promise<void> {
  for (;;) {
    const [row] = await direct<[{ count: number }]>`select count(*) ${sleepers()}`;
    if (row.count >= count) return;
  }
}
