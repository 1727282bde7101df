/** A role with minimal privileges: its own schemas, and none on the database. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { testConfig } from '../config.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const server = await cloneDatabase('template1');
const role = `souk_${randomUUID().replaceAll('-', '')}`;
const target = { ...server, user: role, password: role };
const admin = createPool(server, { max: 1 });
await admin.text(`create role ${role} login password '${role}'`);
await admin.text(`revoke create on schema public from public; revoke all on database ${server.database} from public`);
await admin.text(`grant connect on database ${server.database} to ${role}`);
after(async () => {
  await admin.end();
  await dropDatabase(server);
});

test('without the prepared schemas, startup fails with a message about the required privileges', async () => {
  await admin.text(`create schema ${role} authorization ${role}`);
  await assert.rejects(
    migrate(target),
    /permission denied .*\. The role lacks a privilege; see docs\/operate\/database\.md/,
  );
});

test('with its own schemas and preinstalled extensions, the service runs', async () => {
  await admin.text('create extension btree_gin');
  await admin.text(`create schema jobs authorization ${role}`);
  await migrate(target);
  const folder = mkdtempSync(join(tmpdir(), 'souk-'));
  const config = testConfig({}, folder);
  const service = await createService({ config, target, log: pino({ level: 'error' }), works: true });
  const url = await service.listen();
  try {
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    const body = JSON.stringify({ email: 'ada@example.com', password: 'a long enough password', name: 'Ada' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/users/register`, { method: 'POST', headers, body });
    assert.equal(response.status, 200, await response.text());
    assert.equal(await service.jobs.drain('mail'), 1);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const [row] = await admin<[{ count: number }]>`
    select count(*) from pg_class where relnamespace = 'public'::regnamespace and relowner = ${role}::regrole`;
  assert.equal(row.count, 0);
});
