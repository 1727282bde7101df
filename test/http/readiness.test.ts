import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { divideConnections } from '../../src/db/connections.ts';
import { createPool } from '../../src/db/pool.ts';
import { caller } from '../call.ts';
import { testConfig } from '../config.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { startHarness } from '../harness.ts';
import { eventually } from '../service.ts';

const options = { timeout: 30_000 };

/** A proxy for PostgreSQL that can freeze all traffic, including new connections. */
async function startProxy({ host, port }: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let frozen = false;
  const proxy = createServer((client) => {
    const server = connectSocket(`${host}/.s.PGSQL.${port}`);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => sockets.delete(from) && to.destroy());
      from.on('data', (bytes) => to.write(bytes));
      if (frozen) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    setFrozen: (isFrozen: boolean) => {
      frozen = isFrozen;
      for (const socket of sockets) isFrozen ? socket.pause() : socket.resume();
    },
    close: () => proxy.close(),
  };
}

/** Sends several probes at once, twice. */
async function assertProbes(call: ReturnType<typeof caller>, ready: number): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const probes = ['/healthz', '/readyz', '/readyz', '/metrics'].map((path) => call('GET', path));
    assert.deepEqual(
      (await Promise.all(probes)).map(({ status }) => status),
      [200, ready, ready, 200],
    );
  }
}

test('probes respond while the database is unresponsive and after it recovers', options, async () => {
  const target = await cloneDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'souk-ready-'));
  const proxy = await startProxy(target);
  const service = await createService({
    config: testConfig({}, folder),
    target: { ...target, host: '127.0.0.1', port: proxy.port },
    log: pino({ level: 'silent' }),
    works: false,
  });
  try {
    const call = caller(await service.listen());
    await assertProbes(call, 200);
    proxy.setFrozen(true);
    await assertProbes(call, 503);
    proxy.setFrozen(false);
    await assertProbes(call, 200);
  } finally {
    proxy.setFrozen(false);
    await service.stop();
    proxy.close();
    await dropDatabase(target);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('probes respond while every connection in the pool is in use', options, async () => {
  const h = await startHarness({ DATABASE_POOL: '5' });
  const connections = divideConnections(5).pool;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: taken, resolve: isTaken } = Promise.withResolvers<void>();
  let waiting = connections;
  const transactions = Array.from({ length: connections }, () =>
    h.service.contexts.system().transaction(async ({ db }) => {
      await db`select 1`;
      if (--waiting === 0) isTaken();
      await released;
    }),
  );
  await taken;
  try {
    await assertProbes(h.call, 200);
  } finally {
    release();
  }
  await Promise.all(transactions);
  await assertProbes(h.call, 200);
});

test('a service with a read-only database is not ready', options, async () => {
  const h = await startHarness();
  const ready = async () => (await h.call('GET', '/readyz')).status;
  const { database } = h.target;
  const admin = createPool({ ...h.target, database: 'postgres' }, { max: 1 });
  const disconnectAll = () =>
    admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${database}`;
  await admin.text(`alter database ${database} set default_transaction_read_only = on`);
  await disconnectAll();
  await eventually('the service is not ready', async () => (await ready()) === 503, 5000);
  await admin.text(`alter database ${database} reset all`);
  await disconnectAll();
  await eventually('the service is ready again', async () => (await ready()) === 200, 5000);
  await admin.end();
});
