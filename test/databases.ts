/** Clones a database per test file from a migrated template. `npm test` starts one server for all files; a single file starts its own. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { LIMITS } from '../src/db/client.ts';
import type { Pool } from '../src/db/pool.ts';
import { createCluster, onNodes, type Target } from './citus/servers.ts';
import type { TestServer } from './setup.ts';
import './statements.ts';

/** Node's runner has no timeout for a file that hangs before its first test or after its last. */
const FILE_MS = Number(process.env.TEST_FILE_MS ?? 900_000);
setTimeout(() => {
  process.stderr.write(`${process.argv[1]} did not finish within ${FILE_MS / 1000} s.\n`);
  process.exit(1);
}, FILE_MS).unref();

let starting: Promise<TestServer> | undefined;

function useServer(): Promise<TestServer> {
  const { SOUK_TEST_SERVER } = process.env;
  starting ??= SOUK_TEST_SERVER ? Promise.resolve(JSON.parse(SOUK_TEST_SERVER)) : startServer();
  return starting;
}

/** The server stops when this process ends for any reason, because the channel closes. */
async function startServer(): Promise<TestServer> {
  const child = fork(new URL('./setup.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [server] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The PostgreSQL for this test file did not start.'))),
  ]);
  child.unref();
  child.channel?.unref();
  process.env.SOUK_TEST_SERVER = JSON.stringify(server);
  return server;
}

export const onEveryNode = async (...statements: string[]) => onNodes((await useServer()).nodes, ...statements);

/**
 * Creates a database: migrated and with job queues, or empty with `template1`. Copying each node's part makes a cluster again,
 * because Citus knows the other nodes by address and expects a database of the same name there.
 */
export async function cloneDatabase(template = 'souk_template'): Promise<Target> {
  const database = newName();
  const [target] = (await useServer()).nodes;
  await onEveryNode(
    `create database ${database} template ${template} strategy file_copy`,
    `alter role ${target!.user} in database ${database} set lock_timeout = ${LIMITS.lockMs}`,
  );
  return { ...target!, database };
}

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

/** A cluster without tables, for tests that only run with CITUS_BIN. */
export const cloneCluster = async (): Promise<Target> =>
  createCluster({ nodes: (await useServer()).nodes.map((target) => ({ target })) }, newName());

/** Why a test that creates a trigger is skipped, if it is. */
export const skipTriggers = process.env.CITUS_BIN ? 'Citus has no triggers on distributed tables' : false;

/** Deletes all rows that the template doesn't have. Takes 20 ms; cloning a database and connecting to it takes ten times as long. */
export async function emptyDatabase(pool: Pool): Promise<void> {
  const { emptyTables } = await useServer();
  const written = await pool<{ name: string }[]>`
    select name from unnest(${emptyTables}::text[]) as t (name) where pg_relation_size(name::regclass) > 0`;
  await pool.transaction(async (tx) => {
    await tx.text('set local session_replication_role = replica');
    await Promise.all(written.map(({ name }) => tx.text(`delete from ${name}`)));
  });
}

/** The demo shop that the run has seeded, if any. */
export const seededDemo = async () => (await useServer()).demo;

/** Citus has a process in each database. It starts again if connections are allowed, and takes a while to end on a busy machine. */
export async function dropDatabase({ database }: Target): Promise<void> {
  const drop = () =>
    onEveryNode(
      `update pg_database set datallowconn = false where datname = '${database}'`,
      `drop database if exists ${database} with (force)`,
    );
  await drop().catch(drop).catch(drop);
}
