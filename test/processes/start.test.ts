import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { after, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createPool } from '../../src/db/pool.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { eventually } from '../service.ts';

const options = { timeout: 60_000 };
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'souk-start-'));
const target = await cloneDatabase();
const children = new Set<ChildProcess>();
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await dropDatabase(target);
  rmSync(folder, { recursive: true, force: true });
});

const databaseUrl = ({ host, user, password, database } = target) =>
  `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`;

function run(settings: Record<string, string>, command = 'start') {
  const child = spawn(process.execPath, [main, command], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl(),
      LOG_LEVEL: 'error',
      SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  return { child, ended, stderr: text(child.stderr) };
}

/** Starts the service and resolves when it has printed its URL. */
async function serve(settings: Record<string, string> = {}) {
  const { child, ended, stderr } = run(settings);
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    const [, url] = /is running at\s+(\S+)\n/.exec(output) ?? [];
    if (url) return { child, ended, url, port: Number(new URL(url).port), output };
  }
  throw new Error(`It did not start: ${await stderr}`);
}

/** The output of a failed start, which must be one line with a nonzero exit code. */
async function refusal(settings: Record<string, string>, command?: string): Promise<string> {
  const { ended, stderr, child } = run(settings, command);
  child.stdout.resume();
  assert.equal(await ended, 1);
  const output = await stderr;
  assert.match(output, /^souk: [^\n]+\n$/);
  return output.slice('souk: '.length, -1);
}

// Most of the time they wait for processes to start and stop.
describe('the process', { concurrency: 3 }, () => {
  test('an invalid setting or command causes a one-line error and exit code 1', options, async () => {
    assert.equal(await refusal({ PORT: 'http' }), 'PORT must be a whole number from 0 to 65535, not "http".');
    assert.match(await refusal({ NODE_ENV: 'production', SECRET_KEY: '' }), /^SECRET_KEY is required/);
    assert.match(
      await refusal({ SECRET_KEY: 'x'.repeat(32) }),
      /SECRET_KEY differs from the one it was encrypted with\.$/,
    );
    assert.match(await refusal({ DATA_DIR: '/dev/null', SECRET_KEY: '' }), /^DATA_DIR can't be used: /);
    assert.match(await refusal({}, 'dance'), /^Unknown command "dance"/);
    assert.match(await refusal({ HOST: '203.0.113.1' }), /^HOST 203\.0\.113\.1 is not an address of this machine\./);
  });

  test(
    'in production, starting on an empty database prints the setup link for the first account',
    options,
    async (t) => {
      const empty = await cloneDatabase();
      t.after(() => dropDatabase(empty));
      const { child, ended, url, output } = await serve({ NODE_ENV: 'production', DATABASE_URL: databaseUrl(empty) });
      const [link = ''] = /http\S+\/setup\?token=\S+/.exec(output) ?? [];
      assert.ok(link.startsWith(url), output);
      assert.match(await (await fetch(link)).text(), /action="\/setup"/);
      child.kill('SIGTERM');
      assert.equal(await ended, 0);
    },
  );

  test('a port in use causes a one-line error, for one process and for several', options, async (t) => {
    const squatter = createServer().listen(0, '127.0.0.1');
    t.after(() => squatter.close());
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    for (const WORKERS of ['1', '2']) {
      assert.equal(
        await refusal({ PORT: String(port), WORKERS }),
        `PORT ${port} on 127.0.0.1 is already in use. Set PORT to a free port.`,
      );
    }
  });

  test('a database that is unreachable, rejects the login or is too old causes a one-line error', options, async () => {
    assert.match(
      await refusal({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }),
      /^Can't connect to the database: .*ECONNREFUSED/,
    );
    assert.match(
      await refusal({ DATABASE_URL: databaseUrl({ ...target, user: 'stranger', password: 'wrong' }) }),
      /^Can't connect to the database: (password authentication failed|role "stranger" does not exist)/,
    );
    const old = await cloneDatabase('template1');
    const admin = createPool(old, { max: 1 });
    await admin.text(`create schema old;
    create function old.current_setting(text) returns text language sql as $$ select '140011' $$;
    alter database ${old.database} set search_path = old, pg_catalog, public`);
    await admin.end();
    assert.equal(await refusal({ DATABASE_URL: databaseUrl(old) }), 'PostgreSQL 15 or newer is required.');
    await dropDatabase(old);
  });

  test('on SIGTERM requests in flight complete, and the process exits with 0 within 10 seconds', options, async () => {
    const { child, ended, port, url } = await serve();
    const socket = connectSocket(port, '127.0.0.1');
    socket.setEncoding('utf8');
    const body = '{"provider":"NOBODY"}';
    socket.write(
      `POST /v1/users/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    const stuck = connectSocket(port, '127.0.0.1')
      .on('error', () => {})
      .unref();
    stuck.write(
      'POST /v1/users/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    );
    await fetch(`${url}/healthz`);
    child.kill('SIGTERM');
    while (
      await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    );
    socket.end(body.slice(5));
    assert.match(await text(socket), /^HTTP\/1\.1 4\d\d .*"error":"/s);
    assert.equal(await ended, 0);
  });

  // pg-boss counts its jobs every 30 to 60 seconds.
  test('several processes serve one port and share their metrics', { ...options, timeout: 180_000 }, async () => {
    const { child, ended, url } = await serve({ WORKERS: '2', SMTP_URL: 'smtp://127.0.0.1:1', LOG_LEVEL: 'silent' });
    const hits = 40;
    const calls = () =>
      Promise.all(Array.from({ length: hits }, () => fetch(`${url}/healthz`, { headers: { connection: 'close' } })));
    assert.ok((await calls()).every(({ ok }) => ok));
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const counted = /http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} (\d+)/.exec(
      metrics,
    );
    assert.equal(Number(counted?.[1]), hits);
    const body = JSON.stringify({ email: 'ada@example.com' });
    const requested = await fetch(`${url}/v1/users/login/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    assert.equal(requested.status, 200);
    // The metrics are cached for a second. Both processes count the same email.
    const queued = await eventually(
      'the email in the metrics',
      async () => {
        const text = await (await fetch(`${url}/metrics`)).text();
        return Number(/^jobs\{queue="mail",state="waiting"\} (\d+)$/m.exec(text)?.[1]);
      },
      120_000,
    );
    assert.equal(queued, 1);
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
    await assert.rejects(fetch(`${url}/healthz`));
  });

  test(
    'a separate worker runs, answers probes only, logs the signal that stops it, and exits with 0',
    options,
    async () => {
      const { child, ended } = run({ LOG_LEVEL: 'info', WORKER_PORT: '0' }, 'worker');
      let output = '';
      for await (const chunk of child.stdout) {
        output += chunk;
        const [, url] = /probes at (\S+)\.\n/.exec(String(chunk)) ?? [];
        if (!url) continue;
        const statuses = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/v1/users/me'].map(
          async (path) => (await fetch(url + path)).status,
        );
        assert.deepEqual(await Promise.all(statuses), [200, 200, 200, 404, 404]);
        child.kill('SIGTERM');
      }
      assert.match(output, /"signal":"SIGTERM"/);
      assert.equal(await ended, 0);
    },
  );

  test(
    'a Ctrl-C that arrives twice, from the terminal and from npm, still stops the process gracefully',
    options,
    async () => {
      const { child, ended } = await serve();
      child.kill('SIGINT');
      await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGINT');
      assert.equal(await ended, 0);
    },
  );

  test('--help lists every setting', options, async () => {
    const { child, ended } = run({}, '--help');
    const output = await text(child.stdout);
    assert.equal(await ended, 0);
    for (const name of ['PORT', 'DATABASE_URL', 'SMTP_URL', 'WORKERS'])
      assert.match(output, new RegExp(`^  ${name} `, 'm'));
  });
});
