/** Runs the commands for a PostgreSQL server in docs/operate/backup.md, as the roles of docs/operate/database.md. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { createPool } from '../../src/db/pool.ts';
import { caller } from '../call.ts';
import { createPostgres } from '../servers/postgres.ts';
import { startService } from '../service.ts';
import { blocksIn, readPage } from './markdown.ts';

/** The embedded PostgreSQL has no pg_dump, and pg_dump rejects servers that are newer than itself. */
const BIN = globSync('/usr/lib/postgresql/*/bin/pg_dump').map(dirname).sort().at(-1);
const options = { timeout: 240_000, skip: BIN ? false : 'pg_dump is not installed' };

const page = readPage('docs/operate/backup.md');
const command = (program: string, at = 0) =>
  page.blocks.filter(({ language, code }) => language === 'sh' && code.includes(`${program} --`))[at]!.code;

test('a role restores its dump into a new database, and never over existing data', options, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-restore-'));
  const server = await createPostgres({ bin: BIN! });
  after(async () => {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  await server.start();
  const runSql = async (text: string, database = 'postgres') => {
    const pool = createPool({ url: server.url('postgres', database) }, { max: 1 });
    try {
      for (const statement of text.split(/;\n/).filter((each) => each.trim() !== '')) await pool.text(statement);
    } finally {
      await pool.end();
    }
  };
  const prepare = async (file: string) => {
    for (const { code, flags } of blocksIn(readPage(file), 'sql')) await runSql(code, flags[0]?.split('=')[1]);
  };
  const shell = (script: string, env: Record<string, string>) =>
    promisify(execFile)('bash', ['-euc', script], { cwd: folder, env: { PATH: `${BIN}:${process.env.PATH}`, ...env } });
  const settings = (database: string) => ({
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: server.url('souk:change-me', database),
    DEMO: '1',
    LOG_LEVEL: 'error',
  });

  await prepare('docs/operate/database.md');
  const shop = await startService('start', settings('shop'));
  await shell(command('pg_dump'), { DATABASE_DIRECT_URL: server.url('souk:change-me', 'shop') });
  await shop.stop();

  await prepare('docs/operate/backup.md');
  const restore = (database: string, at = 0) =>
    shell(command('pg_restore', at).replace(/(?<=^NEW_DATABASE_URL=).*/, server.url('souk:change-me', database)), {});
  await restore('shop_restored');
  await assert.rejects(restore('shop'), /already exists/);
  await assert.rejects(restore('shop', 1), /permission denied|already exists/);

  // The owner's tables are in `public`, which the command for the limited role must not skip silently.
  await runSql('create database owned owner souk');
  const owner = await startService('start', settings('owned'));
  await owner.stop();
  await shell(command('pg_dump'), { DATABASE_DIRECT_URL: server.url('souk:change-me', 'owned') });
  await assert.rejects(restore('shop_copy'), /schema "souk" not found/);
  await restore('shop_copy', 1);
  await assert.rejects(restore('owned', 1), /already exists/);

  for (const [database, { BUSINESS, KEY }] of [
    ['shop_restored', shop.exports],
    ['shop', shop.exports],
    ['shop_copy', owner.exports],
  ] as const) {
    const service = await startService('start', settings(database));
    const headers = { 'x-api-key': KEY! };
    const { status, body } = await caller(service.url!)('GET', `/v1/businesses/${BUSINESS}/products`, { headers });
    await service.stop();
    assert.equal(status, 200, database);
    assert.ok(body.items.length > 0, database);
  }
});
