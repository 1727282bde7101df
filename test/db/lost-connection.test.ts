import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import test, { after } from 'node:test';
import { isDatabaseUnavailable } from '../../src/db/errors.ts';
import { createPipeline } from '../../src/db/pipeline.ts';
import { createPool } from '../../src/db/pool.ts';
import { createSharedConnections } from '../../src/db/shared-connections.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { eventually } from '../service.ts';

const options = { timeout: 30_000 };
const target = await cloneDatabase('template1');
const clients = new Set<Socket>();

/** If set, a client that sends this text is disconnected. */
let fatal: { text: string; cut: (client: Socket) => void } | null = null;

/** PostgreSQL behind a proxy that tests can interrupt. */
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

/** The two ways in which a connection ends: gracefully, and with a reset. */
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

/** Also terminates statements still sleeping on the server, so that the next test does not count them. */
async function cutAll(how: keyof typeof CUTS): Promise<void> {
  for (const client of clients) CUTS[how](client);
  clients.clear();
  await direct`select pg_terminate_backend(pid, 5000) ${sleepers()}`;
}

const sleepers = () =>
  direct`from pg_stat_activity where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`;

test.beforeEach(() => direct`truncate notes`);

/** Once the pool has noticed all lost connections, each of its connections works and gets its own result. */
const assertPoolWorks = () => eventually('the pool works', useAll, 10_000);

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

const refused = (work: PromiseLike<unknown>) =>
  assert.rejects(Promise.resolve(work), (error) => isDatabaseUnavailable(error));

for (const how of Object.keys(CUTS) as (keyof typeof CUTS)[]) {
  test(`statements that lose their connection (${how}) are rejected, and the pool keeps working`, options, async () => {
    await assertPoolWorks();
    const ended = Promise.all([refused(pool`select pg_sleep(10)`), refused(pool`select pg_sleep(10)`)]);
    await sleepOnEach(2);
    await cutAll(how);
    await ended;
    await assertPoolWorks();
  });

  test(`a transaction that loses its connection (${how}) during a statement has no effect`, options, async () => {
    for (let i = 0; i < 5; i++) {
      await assertPoolWorks();
      const lost = pool.transaction(async (tx) => {
        await tx`insert into notes values ('lost')`;
        await tx`select pg_sleep(10)`;
      });
      const ended = refused(lost);
      await sleepOnEach(1);
      await cutAll(how);
      await ended;
    }
    await assertPoolWorks();
    assert.deepEqual([...(await direct`select * from notes`)], []);
  });

  test(`a transaction that continues after losing its connection (${how}) writes nothing`, options, async () => {
    await assertPoolWorks();
    const { promise: pause, resolve: proceed } = Promise.withResolvers<void>();
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const { promise: tried, resolve: hasTried } = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
    const ended = refused(
      pool.transaction(async (tx) => {
        await tx`insert into notes values ('before')`;
        begin();
        await pause;
        hasTried(await Promise.allSettled([tx`insert into notes values ('after')`, tx`commit`]));
      }),
    );
    await began;
    await cutAll(how);
    await assertPoolWorks();
    const other = pool.transaction(async (tx) => {
      await tx`insert into notes values ('other')`;
      proceed();
      for (const { status } of await tried) assert.equal(status, 'rejected');
      throw new Error('taken back');
    });
    await assert.rejects(other, /taken back/);
    await ended;
    assert.deepEqual([...(await direct`select * from notes`)], []);
    await assertPoolWorks();
  });

  test(`a reserved connection that is lost (${how}) rejects statements and is not reused`, options, async () => {
    await assertPoolWorks();
    const reserved = await pool.reserve();
    const ended = refused(reserved`select pg_sleep(10)`);
    await sleepOnEach(1);
    await cutAll(how);
    await ended;
    await refused(reserved`select 1`);
    reserved.release();
    await assertPoolWorks();
  });
}

for (const how of Object.keys(CUTS) as (keyof typeof CUTS)[]) {
  test(`a connection that is lost (${how}) before it is ready only rejects its own caller`, options, async () => {
    const fresh = createPool({ ...target, host: '127.0.0.1', port }, { max: 1 });
    fatal = { text: 'set time zone', cut: CUTS[how] };
    await refused(fresh`select 1`);
    await refused(fresh.reserve());
    await refused(fresh.probe());
    await refused(fresh.transaction((tx) => tx`select 1`));
    fatal = null;
    assert.deepEqual([...(await fresh`select 1 as one`)], [{ one: 1 }]);
    await fresh.end();
  });
}

test('a connection to an unresponsive server is closed, and the next connection works', options, async () => {
  await assertPoolWorks();
  const reserved = await pool.reserve();
  reserved.client.silenceMs = 300;
  for (const client of clients) client.unpipe();
  await refused(reserved`select 1`);
  reserved.release(true);
  await cutAll('reset');
  await assertPoolWorks();
});

test(
  'a statement on a connection that the server has closed is rejected as lost, and the next one works',
  options,
  async () => {
    const own = createPool(target, { max: 1, applicationName: 'own' });
    const attempts = {
      statement: () => own`select 1`,
      transaction: () => own.transaction((tx) => tx`select 1`),
      pipeline: () => createPipeline(own)('a', (tx) => [tx`select 1`]),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      const { client, release } = await own.reserve();
      client.socket.pause();
      release();
      await direct`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'own'`;
      await assert.rejects(Promise.resolve(attempt()), /Connection terminated: write E/, name);
      await attempt();
    }
    await own.end();
  },
);

test('any socket error means that the connection is lost', options, async () => {
  const reserved = await pool.reserve();
  const lost = refused(reserved`select pg_sleep(10)`);
  reserved.client.socket.destroy(Object.assign(new Error('bad record'), { code: 'EPROTO' }));
  await lost;
  reserved.release(true);
  await cutAll('reset');
  await assertPoolWorks();
});

test('after a statement loses a shared connection, the next one runs on a new connection', options, async () => {
  const shared = createSharedConnections({ ...target, host: '127.0.0.1', port }, { max: 1 });
  await shared.db`select 1`;
  for (const how of Object.keys(CUTS) as (keyof typeof CUTS)[]) {
    fatal = { text: 'last words', cut: CUTS[how] };
    await refused(shared.db`select 'last words'`);
    fatal = null;
    assert.deepEqual([...(await shared.db`select 1 as one`)], [{ one: 1 }]);
  }
  await shared.end();
});

async function sleepOnEach(count: number): Promise<void> {
  for (;;) {
    const [row] = await direct<[{ count: number }]>`select count(*) ${sleepers()}`;
    if (row.count >= count) return;
  }
}
