import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import pino from 'pino';
import { startEmbedded } from '../../src/db/embedded/index.ts';
import { isDatabaseUnavailable } from '../../src/db/errors.ts';
import { createPipeline } from '../../src/db/pipeline.ts';
import { createPool } from '../../src/db/pool.ts';
import { eventually } from '../service.ts';

const base = mkdtempSync(join(tmpdir(), 'souk-crash-'));
// An asynchronous commit stays in memory for this long, so that a crash reliably loses it.
const settings = { wal_writer_delay: '10s', bgwriter_delay: '10s' };
const server = await startEmbedded({ dataDir: join(base, 'data'), log: pino({ level: 'silent' }), settings });
const { stop: _, ...target } = server;
const pool = createPool(target, { max: 2 });
after(async () => {
  await pool.end();
  await server.stop();
  rmSync(base, { recursive: true, force: true });
});

const FLUSH = Buffer.from('select pg_logical_emit_message');

/** A proxy that kills PostgreSQL after the response to the commit and before it forwards the flush. */
async function startKillingProxy(): Promise<string> {
  const proxy = createServer((client) => {
    const upstream = createConnection(`${target.host}/.s.PGSQL.${target.port}`);
    let isHeld = false;
    client.on('data', (bytes) => {
      const at = bytes.indexOf(FLUSH);
      if (at < 0) return void upstream.write(bytes);
      isHeld = true;
      // The message starts with its type and length.
      upstream.write(bytes.subarray(0, at - 5));
    });
    upstream.on('data', (bytes) => {
      client.write(bytes);
      if (isHeld && bytes.includes('COMMIT')) process.kill(postmaster(), 'SIGKILL');
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => {}).on('close', () => [client, upstream].forEach((each) => void each.destroy()));
    }
  });
  const folder = mkdtempSync(join(base, 'proxy-'));
  await new Promise<void>((resolve) => proxy.listen(join(folder, `.s.PGSQL.${target.port}`), resolve));
  after(() => proxy.close());
  return folder;
}

const postmaster = () => Number(readFileSync(join(base, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0]);

test('a transaction that PostgreSQL loses in a crash between commit and flush is not reported as committed', {
  timeout: 60_000,
}, async () => {
  await pool`create table written (id int)`;
  await pool`checkpoint`;
  const behindProxy = createPool({ ...target, host: await startKillingProxy() }, { max: 2 });
  const pipeline = createPipeline(behindProxy);
  await assert.rejects(
    pipeline('a', (tx) => [tx`insert into written values (${1})`]),
    isDatabaseUnavailable,
  );
  await behindProxy.end();
  const [row] = await eventually('PostgreSQL is back', () => pool<{ count: number }[]>`select count(*) from written`);
  assert.equal(row!.count, 0, 'the crash must lose the commit for this test to be meaningful');
});
