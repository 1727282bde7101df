/** Runs the service: as one process, as HTTP children of a primary, or as a worker. */
import cluster, { type Worker } from 'node:cluster';
import { createServer } from 'node:net';
import pino, { type Logger } from 'pino';
import { createService, hostInUrl, type Service } from './app.ts';
import { BUNDLE_NAMES, type BundleName, type Bundles, createBundles, watchBundles } from './bundles/index.ts';
import type { Config } from './config.ts';
import { distribute } from './db/distribute.ts';
import type { DemoSecrets } from './demo/index.ts';
import { writeDemoLogin } from './demo/login-file.ts';
import { firstAccountLink, resetFactors } from './domains/accounts/index.ts';
import { serveClusterMetrics } from './http/cluster-metrics.ts';
import { type Database, openDatabase, prepareDatabase, type Targets } from './open-database.ts';
import { startWatchdog } from './watchdog/index.ts';

const STOP_WITHIN_MS = 9500;
/** Under npm, Ctrl-C arrives twice: from the terminal and forwarded by npm. */
const SAME_SIGNAL_MS = 1000;
const TARGETS_VARIABLE = 'SOUK_DATABASE_TARGETS';

export async function runStart(config: Config): Promise<void> {
  const log = await createLog(config);
  await run(config, log, createBundles(config));
}

/** One process that rebuilds its pages when their sources change. */
export async function runDev(config: Config): Promise<void> {
  if (config.production) throw new Error('souk dev is for development only. Unset NODE_ENV or run souk start.');
  const log = await createLog(config);
  await run({ ...config, workers: 1 }, log, await watchBundles(log));
}

async function run(config: Config, log: Logger, bundles: Bundles): Promise<void> {
  warm(config, log, bundles, FIRST_BUNDLES);
  const database = await openDatabase(config, log);
  try {
    await prepareDatabase(database.targets);
    if (config.workers > 1) await runPrimary(config, log, database);
    else await runSingle(config, log, database, bundles);
    startWatchdog();
    warm(config, log, bundles, BUNDLE_NAMES);
  } catch (error) {
    if (isStopping) return unlessStopping(error);
    await database.stop();
    throw error;
  }
}

/** The bundles of the first page, built while the database starts. Building the others now would slow down startup. */
const FIRST_BUNDLES: readonly BundleName[] = ['site', 'storefront'];

/** Builds browser bundles ahead of the first request. Only the pages wait for them. */
function warm({ production }: Config, log: Logger, bundles: Bundles, names: readonly BundleName[]): void {
  if (production) return;
  for (const name of names) {
    bundles.get(name).catch((error) => log.error({ err: error }, `Failed to build the ${name} bundle`));
  }
}

async function runSingle(config: Config, log: Logger, database: Database, bundles: Bundles): Promise<void> {
  const service = await createService({ config, ...database.targets, log, works: true, bundles });
  stopOnSignal(log, [() => service.stop(), () => database.stop()]);
  const demo = await seed(service, config);
  const address = await listen(service, config);
  await service.work();
  printStart(config, address, demo, await firstLink(service, config));
}

async function runPrimary(given: Config, log: Logger, database: Database): Promise<void> {
  const config = { ...given, port: await probePort(given) };
  const service = await createService({ config, ...database.targets, log, works: true });
  const demo = await seed(service, config);
  const variables = { PORT: String(config.port), [TARGETS_VARIABLE]: JSON.stringify(database.targets) };
  const fork = () => cluster.fork({ ...process.env, ...variables });
  let stopping = false;
  stopOnSignal(log, [
    async () => {
      stopping = true;
      const children = Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);
      await Promise.all([service.stop(), ...children.map(stopChild)]);
    },
    () => database.stop(),
  ]);
  serveClusterMetrics();
  await Promise.all(Array.from({ length: config.workers }, fork).map(untilListening));
  cluster.on('exit', (child) => {
    if (stopping) return;
    log.error({ pid: child.process.pid }, 'HTTP process exited; starting a new one');
    setTimeout(fork, 500);
  });
  await service.work();
  const address = `http://${hostInUrl(config.host)}:${config.port}`;
  printStart(config, address, demo, await firstLink(service, config));
}

export async function runHttpChild(config: Config): Promise<void> {
  const log = await createLog(config);
  const targets = JSON.parse(process.env[TARGETS_VARIABLE] ?? 'null') as Targets;
  const service = await createService({ config, ...targets, log, works: false });
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit(0));
  stopOnSignal(log, [() => service.stop()], ['SIGTERM']);
  await listen(service, config);
  startWatchdog();
}

export async function runWorker(config: Config): Promise<void> {
  if (!config.database) throw new Error('A separate worker requires DATABASE_URL.');
  const log = await createLog(config);
  const database = await openDatabase(config, log);
  await prepareDatabase(database.targets);
  const service = await createService({ config, ...database.targets, log, works: true });
  stopOnSignal(log, [() => service.stop()]);
  await service.work().catch(unlessStopping);
  const probes = await service.listenForProbes();
  startWatchdog();
  process.stdout.write(`Souk worker is running${probes ? `, with probes at ${probes}` : ''}.\n`);
}

export async function runMigrate(config: Config): Promise<void> {
  const log = await createLog(config);
  const database = await openDatabase(config, log);
  try {
    const applied = await prepareDatabase(database.targets);
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}.\n` : 'No pending migrations.\n');
  } finally {
    await database.stop();
  }
}

export async function runDistribute(config: Config): Promise<void> {
  if (!config.database)
    throw new Error('souk distribute requires a Citus cluster. Set DATABASE_URL to its coordinator.');
  const log = await createLog(config);
  const { targets } = await openDatabase(config, log);
  await prepareDatabase(targets);
  const done = await distribute(targets.direct);
  process.stdout.write(done.length > 0 ? `${done.join('\n')}\n` : 'Nothing to do.\n');
}

export const runRotateKeys = (config: Config): Promise<void> =>
  withService(config, async ({ accounts }) => {
    const kid = await accounts.rotateKeys();
    process.stdout.write(`New tokens are signed with key ${kid}. Existing tokens stay valid.\n`);
  });

export const runResetFactors = (config: Config, email: string): Promise<void> =>
  withService(config, async ({ contexts }) => {
    await contexts.system().transaction((ctx) => resetFactors(ctx, email));
    process.stdout.write(`Removed the second factors of ${email} and ended all sessions.\n`);
  });

/** Runs an operator's command on a service that neither listens nor runs jobs. */
async function withService(config: Config, work: (service: Service) => Promise<void>): Promise<void> {
  const log = await createLog(config);
  const database = await openDatabase(config, log);
  try {
    await prepareDatabase(database.targets);
    const service = await createService({ config, ...database.targets, log, works: false });
    await work(service).finally(service.stop);
  } finally {
    await database.stop();
  }
}

async function seed({ contexts }: Service, config: Config): Promise<DemoSecrets | null> {
  if (!config.demo) return null;
  const { seedDemo } = await import('./demo/index.ts');
  const demo = await seedDemo(contexts.system());
  if (demo && !config.production) await writeDemoLogin(config.dataDir, demo);
  return demo;
}

const firstLink = ({ contexts }: Service, config: Config) =>
  config.production ? firstAccountLink(contexts.system()) : null;

async function createLog(config: Config): Promise<Logger> {
  if (config.production || !process.stdout.isTTY) return pino({ level: config.logLevel });
  const { default: pretty } = await import('pino-pretty');
  return pino({ level: config.logLevel }, pretty({ colorize: true, ignore: 'pid,hostname', sync: true }));
}

async function listen(service: Service, config: Config): Promise<string> {
  try {
    return await service.listen();
  } catch (error) {
    await service.stop();
    throw listenError(error as NodeJS.ErrnoException, config);
  }
}

function listenError({ code, message }: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (code === 'EADDRINUSE') return new Error(`PORT ${port} on ${host} is already in use. Set PORT to a free port.`);
  if (code === 'EACCES')
    return new Error(`Permission denied for PORT ${port} on ${host}. Ports below 1024 require root.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`HOST ${host} is not an address of this machine.`);
  return new Error(`Can't listen on ${host}:${port}: ${message}.`);
}

function printStart(config: Config, address: string, demo: DemoSecrets | null, setupLink: string | null): void {
  const lines = [
    `Souk is running at   ${address}`,
    ...(config.production ? [] : [`Open in a browser    ${address}/`]),
    `API reference        ${address}/reference`,
    ...(config.production ? [] : [`Mailbox              ${address}/dev/mailbox`]),
  ];
  if (!config.production && !['127.0.0.1', '::1', 'localhost'].includes(config.host)) {
    lines.push('NODE_ENV is not production: anyone who can reach this server can read all emails in the mailbox.');
    if (config.allowedOrigins === null)
      lines.push('ALLOWED_ORIGINS is not set: links in emails and checkout redirects can point to any website.');
  }
  if (demo) {
    lines.push(
      '',
      'Demo shop created. Save these credentials; they are shown only once:',
      `Admin                ${demo.email}`,
      `Password             ${demo.password}`,
      `export SOUK=${address}`,
      `export BUSINESS=${demo.businessId}`,
      `export KEY=${demo.apiKey}`,
    );
  }
  if (setupLink)
    lines.push(
      '',
      'No accounts yet. Create the first one with this link. It works once and expires in 1 hour:',
      setupLink,
    );
  process.stdout.write(`${lines.join('\n')}\n`);
}

let isStopping = false;

/** Startup that is interrupted by a signal fails because connections are already closed. Ignore that: the process is about to exit. */
async function unlessStopping(error: unknown): Promise<void> {
  if (!isStopping) throw error;
  await new Promise(() => {});
}

/** Stops everything in order and exits with 0. A second signal or a timeout kills the process. */
function stopOnSignal(
  log: Logger,
  steps: (() => Promise<void>)[],
  signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
): void {
  let stoppingSince: number | undefined;
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ signal }, `Received ${signal}; shutting down`);
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    for (const step of steps) {
      await step().catch((error) => log.error({ err: error }, 'Error during shutdown'));
    }
    process.exit(0);
  };
  for (const signal of signals) process.on(signal, stop);
}

function untilListening(child: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('listening', () => resolve());
    child.once('exit', () => reject(new Error('An HTTP process exited before it started listening.')));
  });
}

async function stopChild(child: Worker): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.process.kill('SIGTERM');
  await ended;
}

/** Checks that the port the HTTP processes will share is free. 0 means any free port. */
async function probePort(config: Config): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) =>
    probe.once('error', (error) => reject(listenError(error, config))).listen(config.port, config.host, resolve),
  );
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : config.port;
}
