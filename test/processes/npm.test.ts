import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../../scripts/start-flags.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const options = { timeout: 60_000 };
const cwd = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'souk-npm-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves when npm has printed `sign`. Remaining processes are killed after the test. */
async function npm(t: TestContext, args: string[], settings: Record<string, string>, sign: RegExp) {
  const { PATH, HOME } = process.env;
  const child = spawn('npm', args, {
    cwd,
    env: { PATH, HOME, DATA_DIR: folder, PORT: '0', DEMO: '0', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = once(child, 'close');
  t.after(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {}
  });
  let output = '';
  const found = new Promise<RegExpExecArray>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const match = sign.exec(output);
      if (match) resolve(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    closed.then(() => reject(new Error(`It did not start: ${output}`)));
  });
  return {
    match: await found,
    /** Signals only npm. Resolves when npm and all processes that write to its output have exited. */
    async terminate() {
      child.kill('SIGTERM');
      const [code] = await closed;
      return code;
    },
  };
}

const isRefused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(false));
    socket.on('error', () => resolve(true)).unref();
  });

describe('a SIGTERM to npm itself', { concurrency: 2 }, () => {
  test('stops the service that npm start started, with exit code 0 and a free port', options, async (t) => {
    const { match, terminate } = await npm(t, ['start'], {}, /is running at\s+http:\/\/127\.0\.0\.1:(\d+)\n/);
    const port = Number(match[1]);
    assert.equal(await isRefused(port), false);
    assert.equal(await terminate(), 0);
    assert.equal(await isRefused(port), true);
  });

  test('stops the worker that npm run worker started, with exit code 0', options, async (t) => {
    const target = await cloneDatabase();
    t.after(() => dropDatabase(target));
    const { host, user, password, database } = target;
    const settings = {
      DATABASE_URL: `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`,
      SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
    };
    const { terminate } = await npm(t, ['run', 'worker'], settings, /worker is running/);
    assert.equal(await terminate(), 0);
  });
});

test('the worker and the image start with the flags of npm start', () => {
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
  const { worker } = JSON.parse(read('package.json')).scripts;
  assert.ok(worker.includes(` node ${START_FLAGS.join(' ')} src/main.ts worker`));
  const [, entrypoint] = /^ENTRYPOINT (.*)$/m.exec(read('Dockerfile')) ?? [];
  assert.deepEqual(JSON.parse(entrypoint!), ['node', ...START_FLAGS, 'src/main.ts']);
});
