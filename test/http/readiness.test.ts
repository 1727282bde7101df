import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { createPool } from '../../src/db/pool.ts';
import { testConfig } from '../config.ts';
import { caller, cloneDatabase, dropDatabase, startHarness } from '../harness.ts';
import { eventually } from '../service.ts';

const options = { timeout: 30_000 };

/** PostgreSQL behind a proxy that can stop to pass anything on, in either direction and for new connections too. */
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
    freeze: (freezes: boolean) => {
      frozen = freezes;
      for (const socket of sockets) freezes ? socket.pause() : socket.resume();
    },
    close: () => proxy.close(),
  };
}

async function timed<T>(work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work;
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs < 2000, `${Math.round(tookMs)} ms`);
  return result;
}

/** Several at a time, and again when those are answered. */
async function assertAnswers(call: ReturnType<typeof caller>, ready: number): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const asked = ['/healthz', '/readyz', '/readyz', '/metrics'].map((path) => timed(call('GET', path)));
    assert.deepEqual(
      (await Promise.all(asked)).map(({ status }) => status),
      [200, ready, ready, 200],
    );
  }
}

test('probes are answered within 2 seconds while the database hangs, and when it is back', options, async () => {
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
    await assertAnswers(call, 200);
    proxy.freeze(true);
    await assertAnswers(call, 503);
    proxy.freeze(false);
    await assertAnswers(call, 200);
  } finally {
    proxy.freeze(false);
    await service.stop();
    proxy.close();
    await dropDatabase(target);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('probes are answered within 2 seconds while every connection of the pool is taken', options, async () => {
  const h = await startHarness({ DATABASE_POOL: '2' });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: taken, resolve: isTaken } = Promise.withResolvers<void>();
  let waiting = 2;
  const transactions = Array.from({ length: 2 }, () =>
    h.pool.transaction(async (tx) => {
      await tx`select 1`;
      if (--waiting === 0) isTaken();
      await released;
    }),
  );
  await taken;
  try {
    await assertAnswers(h.call, 200);
  } finally {
    release();
  }
  await Promise.all(transactions);
  await assertAnswers(h.call, 200);
});

test('a service whose server takes no writes is not ready', options, async () => {
  const h = await startHarness();
  const ready = async () => (await h.call('GET', '/readyz')).status;
  const { database } = h.target;
  const admin = createPool({ ...h.target, database: 'postgres' }, { max: 1 });
  const cutOff = () => admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${database}`;
  await admin.text(`alter database ${database} set default_transaction_read_only = on`);
  await cutOff();
  await eventually('it is not ready', async () => (await ready()) === 503, 5000);
  await admin.text(`alter database ${database} reset all`);
  await cutOff();
  await eventually('it is ready again', async () => (await ready()) === 200, 5000);
  await admin.end();
});
