/** PostgreSQL on a small disk, two service processes and a worker in their own networks, and the systems they talk to. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool } from '../../src/db/pool.ts';
import { startStripe } from '../payments/stripe-server.ts';
import { createPostgres } from '../servers/postgres.ts';
import { eventually, type ServiceProcess, startService } from '../service.ts';
import { type SinkReply, startSink } from '../smtp-sink.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createNetwork, forward } from './network.ts';

const DISK_MIB = 1024;
/** Time for several attempts: the database fails during some, and each takes a minute on a busy machine. */
const START_MS = 900_000;
const HBA = 'host all all 127.0.0.1/32 trust\nhost all all 10.91.0.0/16 trust\n';
const SERVER = { listen_addresses: '*', max_wal_size: '128MB', log_min_messages: 'log' };

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld() {
  const disk = mkdtempSync('/tmp/souk-chaos-');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'tmpfs', disk]);
  process.env.TMPDIR = disk;
  const server = await createPostgres({ hba: HBA });
  await server.start(SERVER);
  const admin = createPool({ url: server.url() }, { max: 1 });
  await admin.text('create role souk login');
  await admin.text('create database souk owner souk');
  await admin.end();

  const mail = { reply: (): SinkReply => 'accept' };
  const sink = await startSink({ reply: () => mail.reply() });
  const stripe = await startStripe();
  const hooks = { status: 200 };
  const receiver = await startReceiver((_, response) => response.writeHead(hooks.status).end());
  const [toMail, toStripe, toReceiver] = await Promise.all(
    [sink.url, stripe.url, receiver.url].map((url) => forward('0.0.0.0', Number(new URL(url).port))),
  );
  const forwards = [toMail!, toStripe!, toReceiver!];
  const data = join(disk, 'service');
  mkdirSync(data);

  async function createProcess(number: number, command: 'start' | 'worker') {
    const network = createNetwork(number);
    const database = await forward('0.0.0.0', server.port);
    forwards.push(database);
    const clock = join(disk, `clock-${number}`);
    writeFileSync(clock, '0');
    const settings = {
      HOST: network.address,
      PORT: '3000',
      PUBLIC_URL: 'http://10.90.1.2:3000',
      DATA_DIR: data,
      DATABASE_URL: `postgres://souk@${network.database}:${database.port}/souk`,
      SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
      SMTP_URL: `smtp://${network.gateway}:${toMail!.port}`,
      STRIPE_API_BASE: `http://${network.gateway}:${toStripe!.port}`,
      OUTBOUND_ALLOW: '10.90.0.0/16',
      CHECKOUT_TTL: '60',
      WEBHOOK_RETRY: Array(60).fill('2').join(),
      DEMO: '1',
      LOG_LEVEL: 'fatal',
      LIMIT_ADDRESS: '10000000',
      LIMIT_ANONYMOUS: '1000000',
      LIMIT_CHECKOUT: '10000000/10000000',
      NODE_OPTIONS: `--import ${new URL('clock.ts', import.meta.url).href}`,
      CHAOS_CLOCK: clock,
    };
    let service: ServiceProcess | null = null;
    return {
      name: `${command} ${number}`,
      url: `http://${network.address}:3000`,
      network,
      database,
      exports: () => service!.exports,
      output: () => service?.output() ?? '',
      /** Starts the process. Retries while the database can't be reached. */
      async start(): Promise<void> {
        writeFileSync(clock, '0');
        service = await eventually(
          `${command} ${number}`,
          () => startService(command, settings, network.command),
          START_MS,
        );
      },
      async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
        await service?.stop(signal);
      },
      hasEnded: () => !service || service.hasEnded(),
      signal: (signal: NodeJS.Signals) => service?.signal(signal),
      setClock(seconds: number): void {
        writeFileSync(clock, String(seconds));
        service?.signal('SIGUSR2');
      },
    };
  }

  const processes = [
    await createProcess(1, 'start'),
    await createProcess(2, 'start'),
    await createProcess(3, 'worker'),
  ] as const;
  await processes[0].start();
  await Promise.all([processes[1].start(), processes[2].start()]);

  const pool = createPool({ url: server.url('postgres', 'souk') }, { max: 2 });
  after(async () => {
    await Promise.all(processes.map((each) => each.kill()));
    for (const each of forwards) each.close();
    await pool.end().catch(() => {});
    await server.remove();
    await sink.close();
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  const filler = join(disk, 'filler');
  return {
    processes,
    shops: processes.slice(0, 2) as (typeof processes)[0][],
    pool,
    mail,
    sink,
    stripe,
    toMail: toMail!,
    toStripe: toStripe!,
    hooks,
    receiver,
    /** The receiver's URL as the processes see it: every network has the same port on its own gateway. */
    receiverUrl: `http://10.90.1.1:${toReceiver!.port}/hooks`,
    toReceiver: toReceiver!,
    postgres: {
      kill: () => server.stop('SIGKILL'),
      restart: () => server.stop('SIGINT'),
      /** Starts the server again. Retries while the old processes end. */
      start: () =>
        eventually('PostgreSQL', async () => {
          await server.stop('SIGKILL');
          await server.start(SERVER);
          return true;
        }),
      async isUp(): Promise<boolean> {
        const probe = createPool({ url: server.url() }, { max: 1 });
        try {
          await Promise.race([probe.text('select 1'), pause(2000).then(() => Promise.reject(new Error('timeout')))]);
          return true;
        } catch {
          return false;
        } finally {
          await probe.end().catch(() => {});
        }
      },
    },
    disk: {
      /** Fills the disk. */
      fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64K'], { stdio: 'ignore' }),
      free: () => rmSync(filler, { force: true }),
      freeMib: () => Math.round((statfsSync(disk).bavail * statfsSync(disk).bsize) / 2 ** 20),
    },
  };
}
