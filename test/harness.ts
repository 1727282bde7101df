/** The real service on a database of its own, cloned from the run's template. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pino from 'pino';
import { createService, type Service } from '../src/app.ts';
import type { Steps } from '../src/context/index.ts';
import { LIMITS } from '../src/db/client.ts';
import { createPool } from '../src/db/pool.ts';
import { type AccountServices, beginSession, insertUser, openSession } from '../src/domains/accounts/index.ts';
import { insertBusiness, insertMember, insertRole } from '../src/domains/businesses/index.ts';
import type { OutboxMessage } from '../src/providers/outbox.ts';
import type { Permission } from '../src/shared/caller.ts';
import { newId } from '../src/shared/ids.ts';
import type { Target } from './citus/servers.ts';
import { testConfig } from './config.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
export type Json = any;
export type Answer = { status: number; body: Json; headers: Headers };
export type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> };
export type TestUser = { userId: string; email: string | null; token: string; refreshToken: string };

/** A record as those see it who are not members: without the users who set its statuses. */
export const asOthersSee = (record: Json): Json => ({
  ...record,
  statuses: record.statuses.map(({ userId: _, ...entry }: Json) => entry),
});

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** Starts the service for the tests of one file and stops it after them. `settings` are named as in the environment. */
export async function startHarness(settings: Record<string, string> = {}) {
  const target = await cloneDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'souk-'));
  const clock = createTestClock();
  const log = pino({ level: settings.LOG_LEVEL ?? 'error' });
  const config = testConfig(settings, folder);
  const services: Service[] = [];

  /** A process of its own on the same database, as far as the service can tell. */
  async function startNode() {
    const service = await createService({ config, target, log, works: false, clock });
    services.push(service);
    const url = await service.listen();
    return { service, url, call: caller(url) };
  }

  const first = await startNode();
  const { service, url, call } = first;
  // The test's own connections: what it looks at, or locks, takes none from the service.
  const pool = createPool(target, { max: 8, applicationName: 'test' });

  after(async () => {
    await Promise.all([...services.map((each) => each.stop()), pool.end()]);
    await dropDatabase(target);
    rmSync(folder, { recursive: true, force: true });
  });

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

  return {
    ...first,
    pool,
    clock,
    config,
    target,
    startNode,
    /** A confirmed user with a session. */
    user: () => user(),
    guest: () => user({ email: null, guest: true }),
    business,
    /** A user with these permissions in the business. */
    async member(businessId: string, ...permissions: Permission[]): Promise<TestUser> {
      const member = await user();
      const id = newId('role');
      await pool.transaction(async (tx) => {
        await insertRole(tx, { businessId, id, name: permissions.join(' '), permissions, createdAt: clock.seconds() });
        await insertMember(tx, businessId, member.userId, id);
        await service.broadcast.publish(tx, `user:${member.userId}`);
      });
      return member;
    },
    /** Runs every job that is due. */
    drain: (...queues: string[]) => service.jobs.drain(...queues),
    /** Runs the jobs and returns what was sent to the outbox, newest first. */
    async mailbox(): Promise<OutboxMessage[]> {
      await service.jobs.drain('mail', 'sms');
      const { body } = await call('GET', '/dev/mailbox', { headers: { accept: 'application/json' } });
      return body.items;
    },
    url,
    call,
  };
}

export function caller(url: string) {
  return async (method: string, path: string, { token, body, headers = {} }: CallOptions = {}): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, headers: answer.headers, body: isJson && text ? JSON.parse(text) : text };
  };
}

/** Real time, plus what a test has moved it by. */
function createTestClock() {
  let offset = 0;
  return {
    seconds: () => Math.floor(Date.now() / 1000) + offset,
    advance: (seconds: number) => {
      offset += seconds;
    },
  };
}

/** The server of the run, or the nodes of its cluster with the coordinator first. */
function serverNodes(): Target[] {
  const text = process.env.SOUK_TEST_NODES;
  if (!text) throw new Error('Run tests with npm test, or npm test -- FILE.');
  return JSON.parse(text);
}

async function onEveryNode(...statements: string[]): Promise<void> {
  const run = async (node: Target) => {
    const admin = createPool(node, { max: 1 });
    for (const statement of statements) await admin.text(statement);
    await admin.end();
  };
  await Promise.all(serverNodes().map(run));
}

/**
 * A database of its own: migrated and with the queues of jobs, or empty with `template1`. A copy of each node's part makes
 * a cluster again, because Citus knows the others by their address and looks there for a database of the same name.
 */
export async function cloneDatabase(template = 'souk_template'): Promise<Target> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const [target] = serverNodes();
  await onEveryNode(
    `create database ${database} template ${template} strategy file_copy`,
    `alter role ${target!.user} in database ${database} set lock_timeout = ${LIMITS.lockMs}`,
  );
  return { ...target!, database };
}

export async function dropDatabase(target: Target): Promise<void> {
  await onEveryNode(`drop database if exists ${target.database} with (force)`);
}
