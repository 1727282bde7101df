/**
 * A real PgBouncer in transaction mode in front of PostgreSQL. Run with `PGBOUNCER_BIN=/path/to/pgbouncer npm run
 * test:pgbouncer`; for a version before 1.21, also set `DATABASE_PREPARE=off`.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { caller, type Json } from '../call.ts';
import { blocksIn, readPage } from '../docs/markdown.ts';
import { eventually, type ServiceProcess, startService } from '../service.ts';
import { PGBOUNCER_BIN, startPgBouncer } from './pgbouncer.ts';
import { createPostgres, type Server } from './postgres.ts';
import { offer } from './shop.ts';

const STARTS = Number(process.env.PGBOUNCER_STARTS ?? 20);
const PREPARE = process.env.DATABASE_PREPARE ?? 'on';
const UNITS = 20;
const BUYERS = 40;
/** Longer than the service waits for an unresponsive server, so that a hanging request shows up as 503. */
const TIMEOUT_MS = 60_000;

const options = { skip: PGBOUNCER_BIN ? false : 'PGBOUNCER_BIN is not set' };
const tour = blocksIn(readPage('docs/start/tour.md'), 'sh')
  .map(({ code }) => code)
  .join('\n');

let server: Server;
let admin: Pool;
const folder = mkdtempSync(join(tmpdir(), 'souk-pooled-'));

before(async () => {
  if (!PGBOUNCER_BIN) return;
  server = await createPostgres();
  await server.start();
  admin = createPool({ url: server.url() }, { max: 1 });
  await admin.text('create role souk superuser login');
});
after(async () => {
  await admin?.end();
  await server?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const settingsOf = (pooled: string, database: string, more: Record<string, string> = {}) => ({
  PORT: '0',
  DATA_DIR: join(folder, database),
  DATABASE_URL: pooled,
  SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
  DATABASE_PREPARE: PREPARE,
  DEMO: '1',
  LOG_LEVEL: 'error',
  LIMIT_CHECKOUT: '1000000/1000000',
  ...more,
});

/** More buyers than units, so that transactions abort while others follow them. */
async function sellOut(shop: ServiceProcess): Promise<string> {
  const { buy } = await offer(shop, UNITS);
  const responses = await Promise.all(Array.from({ length: BUYERS }, async () => (await buy()).status));
  assert.equal(responses.filter((status) => status === 200).length, UNITS, String(responses));
  assert.ok(
    responses.every((status) => status === 200 || status === 422),
    String(responses),
  );
  return `${UNITS} of ${BUYERS} bought`;
}

/** Runs until its newsletter has arrived. */
async function playTour(shop: ServiceProcess, name: string): Promise<void> {
  const cwd = join(folder, `${name}-tour`);
  mkdirSync(cwd);
  const env = { PATH: process.env.PATH, ...shop.exports };
  const run = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', tour], { cwd, env, timeout: TIMEOUT_MS });
  assert.match((await run).stdout, /^PAID$/m);
  await eventually('the newsletter in the mailbox', async () => {
    const { body } = await caller(shop.url!)('GET', '/dev/mailbox', { headers: { accept: 'application/json' } });
    return body.items.some((item: Json) => item.subject === 'Hello you');
  });
}

test(`the tour and a sell-out work after each of ${STARTS} fresh starts`, {
  ...options,
  timeout: 1_200_000,
}, async (t) => {
  for (let start = 1; start <= STARTS; start++) {
    const database = `souk_${start}`;
    await admin.text(`create database ${database} owner souk`);
    const pgbouncer = await startPgBouncer(server, { poolSize: 5 });
    const settings = settingsOf(pgbouncer.url(database), database, {
      DATABASE_DIRECT_URL: server.url('souk', database),
    });
    // Two processes that migrate at once, as in every deployment.
    const [shop, worker] = await Promise.all([startService('start', settings), startService('worker', settings)]);
    const call = caller(shop.url!);
    assert.equal((await call('GET', '/readyz')).status, 200);
    const outcome = await sellOut(shop);
    await playTour(shop, database);
    for (const each of [shop, worker]) assert.doesNotMatch(each.output(), /Unexpected error/);
    await Promise.all([shop.stop(), worker.stop()]);
    await pgbouncer.stop();
    await admin.text(`drop database ${database} with (force)`);
    t.diagnostic(`start ${start}: ${outcome}`);
  }
});

test('notifications pass between processes, and no session keeps settings of the service', options, async () => {
  await admin.text('create database news owner souk');
  const pgbouncer = await startPgBouncer(server, { poolSize: 3 });
  const settings = settingsOf(pgbouncer.url('news'), 'news', { DATABASE_DIRECT_URL: server.url('souk', 'news') });
  const shop = await startService('start', settings);
  const other = await startService('start', { ...settings, DEMO: '0' });
  const { body: guest } = await caller(shop.url!)('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
  const me = async (url: string) => (await caller(url)('GET', '/v1/users/me', { token: guest.accessToken })).status;
  assert.deepEqual([await me(shop.url!), await me(other.url!)], [200, 200]);
  await caller(shop.url!)('POST', '/v1/users/logout', { token: guest.accessToken });
  await eventually('the other process rejects the token', async () => (await me(other.url!)) === 401, 1500);
  const pooled = createPool({ url: pgbouncer.url('news'), isPooled: true }, { max: 1 });
  const reserved = await pooled.reserve();
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
    const [row] = await reserved.text<[{ value: string }]>(`select current_setting('${name}') as value`);
    assert.equal(row.value, '0', name);
  }
  reserved.release();
  await pooled.end();
  await Promise.all([shop.stop(), other.stop()]);
  await pgbouncer.stop();
});

test('a pooler in transaction mode without a direct URL prevents startup with a one-line error', options, async () => {
  await admin.text('create database refused owner souk');
  const pgbouncer = await startPgBouncer(server);
  await assert.rejects(
    startService('start', settingsOf(pgbouncer.url('refused'), 'refused')),
    /DATABASE_URL points to a pooler in transaction mode\. Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself\./,
  );
  await pgbouncer.stop();
});

test('a pooler in session mode needs no further configuration', options, async () => {
  await admin.text('create database session owner souk');
  const pgbouncer = await startPgBouncer(server, { mode: 'session', poolSize: 60 });
  const shop = await startService('start', settingsOf(pgbouncer.url('session'), 'session'));
  await sellOut(shop);
  await shop.stop();
  await pgbouncer.stop();
});
