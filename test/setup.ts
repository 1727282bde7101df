/**
 * One PostgreSQL server or Citus cluster with a migrated template that each test file clones. Node's runner loads this module
 * once per run (`--test-global-setup`); `databases.ts` forks it for a file that runs by itself.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createService } from '../src/app.ts';
import { distribute, LOCAL_TABLES } from '../src/db/distribute.ts';
import { startEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool } from '../src/db/pool.ts';
import { listTenantTables } from '../src/domains/businesses/clear-queries.ts';
import { createCluster, onNodes, startServers, type Target } from './citus/servers.ts';
import { type Demo, seedDemo } from './client/demo.ts';
import { testConfig } from './config.ts';

/**
 * `nodes`: the server, or the nodes of a cluster with the coordinator first. `tenantTables`: tables whose rows belong to a
 * business. `emptyTables`: tables without rows in the template. `demo`: only with SEED_DEMO.
 */
export type TestServer = { nodes: Target[]; tenantTables: string[]; emptyTables: string[]; demo: Demo | undefined };

const TEMPLATE = 'souk_template';

let server: { stop(): Promise<void> } | undefined;
let folder: string | undefined;

const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '600' };

export async function globalSetup(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'souk-test-'));
  const log = pino({ level: 'silent' });
  const { nodes, template } = await (process.env.CITUS_BIN ? startCitus(process.env.CITUS_BIN) : startPlain(folder));
  const service = await createService({ config: testConfig({}, folder), target: template, log, works: false });
  await service.stop();
  const tables = await listTables(template);
  flushCompileCache();
  await closeTemplate(nodes, TEMPLATE);
  const demo = process.env.SEED_DEMO ? await createDemo(nodes, folder) : undefined;
  const testServer: TestServer = { nodes, ...tables, demo };
  process.env.SOUK_TEST_SERVER = JSON.stringify(testServer);
  process.send?.(testServer);
}

async function startPlain(dataDir: string) {
  const { stop, ...target } = await startEmbedded({ dataDir, log: pino({ level: 'silent' }), settings: SETTINGS });
  server = { stop };
  const template = { ...target, database: TEMPLATE };
  await onNodes([target], `create database ${TEMPLATE}`);
  await migrate(template);
  return { nodes: [target], template };
}

/** The whole suite on a coordinator and two worker nodes: `npm run test:citus`. */
async function startCitus(bin: string) {
  const servers = await startServers(bin, SETTINGS);
  server = servers;
  const template = await createCluster(servers, TEMPLATE);
  await migrate(template);
  await distribute(template);
  return { nodes: servers.nodes.map(({ target }) => target), template };
}

async function listTables(template: Target): Promise<Pick<TestServer, 'tenantTables' | 'emptyTables'>> {
  const pool = createPool(template, { max: 1 });
  const tenantTables = await listTenantTables(pool);
  const emptyTables = await pool<{ name: string }[]>`
    select schemaname || '.' || relname as name from pg_stat_user_tables where pg_relation_size(relid) = 0`;
  await pool.end();
  return {
    tenantTables: tenantTables.map(({ name }) => name).filter((name) => !LOCAL_TABLES.includes(name)),
    emptyTables: emptyTables.map(({ name }) => name),
  };
}

/** The demo shop for the stories, in a database that they clone. */
async function createDemo(nodes: Target[], parent: string): Promise<Demo> {
  await onNodes(nodes, `create database souk_demo template ${TEMPLATE}`);
  const demo = await seedDemo({ ...nodes[0]!, database: 'souk_demo' }, parent);
  await closeTemplate(nodes, demo.template);
  return demo;
}

/** Only a database without connections can be cloned, and Citus keeps a process in each. */
const closeTemplate = (nodes: Target[], name: string) =>
  onNodes(
    nodes,
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}

if (import.meta.main) {
  process.once('disconnect', globalTeardown);
  await globalSetup();
}
