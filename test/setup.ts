/** One PostgreSQL, or one Citus cluster, for the whole run, with a migrated template that each test file clones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { createCluster, startServers, type Target } from './citus/servers.ts';
import { testConfig } from './config.ts';

let server: { stop(): Promise<void> } | undefined;
let folder: string | undefined;

const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

export async function globalSetup(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'souk-test-'));
  const log = pino({ level: 'silent' });
  const { nodes, template } = await (process.env.CITUS_BIN ? startCitus(process.env.CITUS_BIN) : startPlain(folder));
  const service = await createService({ config: testConfig({}, folder), target: template, log, works: false });
  await service.stop();
  await noteTables(template);
  flushCompileCache();
  for (const node of nodes) await closeTemplate(node);
  process.env.SOUK_TEST_NODES = JSON.stringify(nodes);
}

async function startPlain(dataDir: string) {
  const { stop, ...target } = await startEmbedded({ dataDir, log: pino({ level: 'silent' }), settings: SETTINGS });
  server = { stop };
  const template = { ...target, database: 'souk_template' };
  const admin = createPool(target, { max: 1 });
  await admin`create database souk_template`;
  await admin.end();
  await migrate(template);
  return { nodes: [target], template };
}

/** The whole suite on a coordinator and two worker nodes: `npm run test:citus`. */
async function startCitus(bin: string) {
  const servers = await startServers(bin, SETTINGS);
  server = servers;
  const template = await createCluster(servers, 'souk_template');
  await migrate(template);
  await distribute(template);
  return { nodes: servers.nodes.map(({ target }) => target), template };
}

/** Which tables belong to businesses, for the check of statements at the end of the run. */
async function noteTables(template: Target): Promise<void> {
  const folder = process.env.SOUK_TEST_STATEMENTS;
  if (!folder) return;
  const pool = createPool(template, { max: 1 });
  const tables = await listTenantTables(pool);
  await pool.end();
  writeFileSync(
    join(folder, 'tables.json'),
    JSON.stringify(tables.map(({ name }) => name).filter((name) => !LOCAL_TABLES.includes(name))),
  );
}

/** Only a database that nobody is connected to can be cloned, and Citus has a process of its own in each. */
async function closeTemplate(node: Target): Promise<void> {
  const admin = createPool(node, { max: 1 });
  await admin`alter database souk_template allow_connections false`;
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'souk_template'`;
  await admin.end();
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}
