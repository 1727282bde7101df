/** The real service on its own database, cloned from the run's template. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import pino from 'pino';
import { createService, type Service } from '../src/app.ts';
import type { Steps } from '../src/context/index.ts';
import { type ConnectionTarget, createPool, type Pool } from '../src/db/pool.ts';
import { type AccountServices, beginSession, insertUser, openSession } from '../src/domains/accounts/index.ts';
import { insertBusiness, insertMember, insertRole } from '../src/domains/businesses/index.ts';
import type { OutboxMessage } from '../src/providers/outbox.ts';
import { newId } from '../src/shared/ids.ts';
import type { Permission } from '../src/shared/security/caller.ts';
import { caller, type Json } from './call.ts';
import type { Target } from './citus/servers.ts';
import { testConfig } from './config.ts';
import { cloneDatabase, dropDatabase, emptyDatabase } from './databases.ts';
import { afterLastFile, failFile } from './group.ts';
import { checkEventsDeclared } from './undeclared-events.ts';

export type { ApiResponse, CallOptions, Json } from './call.ts';
export type TestUser = { userId: string; email: string | null; token: string; refreshToken: string };

/** A record as non-members see it, without the users who set its statuses. */
export const asPublic = (record: Json): Json => ({
  ...record,
  statuses: record.statuses.map(({ userId: _, ...entry }: Json) => entry),
});

export type Harness = Awaited<ReturnType<typeof createHarness>>;

/** A migrated database and its read replica, if any. */
type Servers = { target: Target; replica?: ConnectionTarget };

/**
 * Starts the service for the tests of one file and stops it afterward. `settings` are keyed by environment variable. `servers`: the database to
 * use instead of a clone.
 */
export const startHarness = (settings: Record<string, string> = {}, servers?: Servers) =>
  createHarness(settings, after, servers);

/** All files share an IP address, whose calls the service counts in memory. The other settings suit most files. */
const SHARED = {
  LIMIT_SUBSCRIBE: '300/1000000',
  LIMIT_MAIL: '20/1000000',
  TRUST_PROXY: '1',
  CHECKOUT_TTL: '300',
  STOREFRONT_HOSTS: 'trust',
};

const shared = new Map<string, Harness>();

/**
 * The service that the files of a process share, because starting one takes half a second of CPU. Its database is empty and its
 * clock is right at the start of each file. Files with the same `settings` share another one.
 */
export async function shareHarness(settings: Record<string, string> = {}): Promise<Harness> {
  const all = { ...SHARED, ...settings };
  // Emptying a cluster takes longer than cloning it.
  if (process.env.CITUS_BIN) return startHarness(all);
  const key = JSON.stringify(settings);
  // Not a shared promise: the runner would assign the tests of each file that awaits it to the file that created it.
  if (shared.has(key)) await shared.get(key)!.reset();
  else shared.set(key, await createHarness(all, afterLastFile));
  const harness = shared.get(key)!;
  // After the last file, the events have already been checked and the harness is gone.
  after(() => (harness as Partial<Harness>).checkEvents?.());
  return harness;
}

async function createHarness(
  settings: Record<string, string>,
  atEnd: (end: () => Promise<void>) => void,
  servers?: Servers,
) {
  const target = servers?.target ?? (await cloneDatabase());
  const folder = mkdtempSync(join(tmpdir(), 'souk-'));
  const clock = createTestClock();
  const log = pino({ level: settings.LOG_LEVEL ?? 'error' });
  const config = testConfig(settings, folder);
  const services = new Set<Service>();

  async function start(changed: Partial<typeof config> = {}) {
    const service = await createService({
      config: { ...config, ...changed },
      target,
      replica: servers?.replica ?? null,
      log,
      works: false,
      clock,
    });
    services.add(service);
    const url = await service.listen();
    return { service, url, call: caller(url) };
  }

  /** A second service on the same database, equivalent to a second process. It stops after the test or file that starts it. */
  async function startNode(changed?: Partial<typeof config>) {
    const node = await start(changed);
    after(async () => {
      if (services.delete(node.service)) await node.service.stop();
    });
    return node;
  }

  const first = await start();
  const { service, url, call } = first;
  let second: typeof first | undefined;
  // The test's own connections, so that its reads and locks take none from the service.
  const pool = createPool(target, { max: 8, applicationName: 'test' });

  async function user({
    email = `${randomUUID()}@example.com` as string | null,
    guest = false,
  } = {}): Promise<TestUser> {
    const id = newId('usr');
    const system = service.contexts.system() as Steps<AccountServices>;
    const sessionId = await system.transaction(async (ctx) => {
      await insertUser(ctx.db, { id, email, name: 'Ada', isConfirmed: !guest, isGuest: guest, createdAt: ctx.now });
      return beginSession(ctx, { userId: id, provider: guest ? 'GUEST' : 'EMAIL', lifeSeconds: null });
    });
    const { accessToken, refreshToken } = await openSession(system, sessionId);
    return { userId: id, email, token: accessToken, refreshToken };
  }

  async function business(configs: object = {}): Promise<string> {
    const id = newId('biz');
    const now = clock.seconds();
    await pool.transaction((tx) =>
      insertBusiness(tx, {
        id,
        name: 'Shop',
        slug: id,
        configs: service.businesses.vault.merge(id, configs, {}),
        version: 1,
        createdAt: now,
        updatedAt: now,
      }),
    );
    return id;
  }

  const harness = {
    ...first,
    pool,
    clock,
    config,
    target,
    startNode,
    /** A second service that is kept for the next file. A test that stops it, changes it or lets it work uses `startNode`. */
    async secondNode() {
      second ??= await start();
      return second;
    },
    /** A confirmed user with a session. */
    user: () => user(),
    guest: () => user({ email: null, guest: true }),
    business,
    /** A user who has accepted a role with these permissions in the business. */
    async member(businessId: string, ...permissions: Permission[]): Promise<TestUser> {
      const member = await user();
      const id = newId('role');
      await pool.transaction(async (tx) => {
        await insertRole(tx, { businessId, id, name: permissions.join(' '), permissions, createdAt: clock.seconds() });
        await insertMember(tx, businessId, member.userId, id, clock.seconds());
        await service.broadcast.publish(tx, `user:${member.userId}`);
      });
      return member;
    },
    /** Restores the state at startup, except for what the service has in memory. */
    async reset(): Promise<void> {
      clock.reset();
      rmSync(join(folder, 'outbox'), { recursive: true, force: true });
      await emptyDatabase(pool);
    },
    /** Fails if an event has a field that its type does not declare. Runs after the tests of each file. */
    checkEvents: () => checkEventsDeclared(pool, service.events.pickDeclared).catch(failFile),
    /** Numbers all committed events of the business. */
    async numberEvents(businessId: string): Promise<void> {
      const ctx = service.contexts.system().within(businessId);
      // Returns false while the service itself is numbering.
      while (!(await service.events.sequence(ctx)));
    },
    /** Runs all due jobs. */
    drain: (...queues: string[]) => service.jobs.drain(...queues),
    /** Runs the jobs and returns the emails sent, newest first. */
    async mailbox(): Promise<OutboxMessage[]> {
      await service.jobs.drain('mail', 'sms');
      const { body } = await call('GET', '/dev/mailbox', { headers: { accept: 'application/json' } });
      return body.items;
    },
    url,
    call,
  };
  atEnd(() => endHarness(harness, services, folder, servers === undefined));
  return harness;
}

/** Empties `harness` so that the services are freed: test files and hooks stay in memory until the process ends. */
async function endHarness(
  harness: { pool: Pool; target: Target; checkEvents: () => Promise<void> },
  services: Set<Service>,
  folder: string,
  isClone: boolean,
): Promise<void> {
  const { pool, target, checkEvents } = harness;
  if (isClone) await checkEvents();
  const running = [...services];
  services.clear();
  await Promise.all([...running.map((each) => each.stop()), pool.end()]);
  if (isClone) await dropDatabase(target);
  rmSync(folder, { recursive: true, force: true });
  for (const name of Object.keys(harness)) delete (harness as Json)[name];
}

/** Real time plus the test's offset, or the time at which the test stopped it. */
function createTestClock() {
  let offset = 0;
  let stoppedAt: number | null = null;
  const realSeconds = () => Math.floor(Date.now() / 1000);
  const seconds = () => stoppedAt ?? realSeconds() + offset;
  return {
    seconds,
    ms: () => (stoppedAt === null ? Date.now() + offset * 1000 : stoppedAt * 1000),
    advance: (by: number) => {
      if (stoppedAt === null) offset += by;
      else stoppedAt += by;
    },
    stopAt: (at: number) => {
      stoppedAt = at;
    },
    /** Stops at the current time and returns it. The clock continues from there after the test. */
    stop(t: Pick<TestContext, 'after'>): number {
      const now = seconds();
      stoppedAt = now;
      t.after(() => {
        offset = seconds() - realSeconds();
        stoppedAt = null;
      });
      return now;
    },
    reset: () => {
      offset = 0;
      stoppedAt = null;
    },
  };
}
