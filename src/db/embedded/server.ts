import { once } from 'node:events';
import { totalmem } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { errorLine, oneLine } from './failures.ts';
import { clearLeftovers } from './leftovers.ts';
import { type Log, NAME, PORT, type Settings } from './names.ts';
import { type Runtime, spawnTied, workingDirectory } from './programs.ts';

/** Starts the server and restarts it whenever it exits, until the returned function stops it. */
export async function keepRunning(runtime: Runtime, folder: string, host: string, settings: Settings, log: Log) {
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
        server = startServer(runtime, folder, host, settings, log);
        return await server.ready;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const failure = oneLine(error);
        // Processes of a killed server that were not found may keep using its shared memory for a moment.
        if (isFirst && (failures > 6 || !failure.includes('still in use'))) throw error;
        if (failure !== lastFailure) log.error({}, `PostgreSQL failed to start: ${failure}`);
        lastFailure = failure;
      }
    }
  };
  const supervise = async () => {
    for (;;) {
      const startedAt = Date.now();
      const reason = await server.ended;
      if (stopping.signal.aborted) return;
      log.warn({}, `PostgreSQL exited (${reason}); restarting`);
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

/** An eighth of the memory, in bytes. PostgreSQL uses it only as it reads data. */
export const buffersMb = (memory: number) => Math.min(Math.max(Math.floor(memory / 8 / 1_048_576), 128), 1024);

function startServer(runtime: Runtime, folder: string, host: string, settings: Settings, log: Log) {
  const all: Settings = {
    cluster_name: NAME,
    listen_addresses: '',
    unix_socket_directories: `"${host}"`,
    unix_socket_permissions: '0700',
    port: String(PORT),
    max_connections: '100',
    shared_buffers: `${buffersMb(Math.min(process.constrainedMemory() || Infinity, totalmem()))}MB`,
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
  const child = spawnTied(runtime, folder, 'postgres', ['-D', workingDirectory(folder, runtime), ...flags]);
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
    // Orphaned processes may keep the log open, but its last lines have arrived by then.
    await Promise.race([closed, pause(200)]);
    failed(new Error(errorLine(output) ?? `it exited with ${reason}`));
    return reason;
  });
  return { child, ready, ended };
}

/** Logs errors of the server itself. Errors of statements and logins are reported to their clients. */
function reportLine(line: string, log: Log): void {
  const [start = '', type = '', state = '', level] = /^([^|]*)\|([^|]*)\|(ERROR|FATAL|PANIC): +/.exec(line) ?? [];
  if (!level) return;
  const text = line.slice(start.length);
  // Class 57 is operator intervention, such as a shutdown or a canceled autovacuum.
  const isOwn = !/client backend|parallel worker|walsender/.test(type) && !state.startsWith('57');
  if (level !== 'PANIC' && !isOwn) return;
  const message = `PostgreSQL ${type}: ${text}`;
  if (level === 'ERROR') log.warn({ state }, message);
  else log.error({ state }, message);
}
