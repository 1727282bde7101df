/** One PostgreSQL for the whole run, with a migrated template that each test file clones. */
import { mkdtempSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createService } from '../src/app.ts';
import { type Embedded, startEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool } from '../src/db/pool.ts';
import { testConfig } from './config.ts';

let server: Embedded | undefined;
let folder: string | undefined;

export async function globalSetup(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'souk-test-'));
  const log = pino({ level: 'silent' });
  server = await startEmbedded({
    dataDir: folder,
    log,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  const { stop: _, ...target } = server;
  const template = { ...target, database: 'souk_template' };
  const admin = createPool(target, { max: 1 });
  await admin`create database souk_template`;
  await admin.end();
  await migrate(template);
  const service = await createService({ config: testConfig({}, folder), target: template, log, works: false });
  await service.stop();
  flushCompileCache();
  process.env.SOUK_TEST_TARGET = JSON.stringify(target);
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}
