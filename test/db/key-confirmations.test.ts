import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { type KeyConfirmations, type Membership, rightsOf } from '../../src/shared/security/rights.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

test('keys and roles from before the upgrade keep working under the policies that were already on', async () => {
  const migrations = fileURLToPath(new URL('../../migrations/', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'souk-migrations-'));
  const target = await cloneDatabase('template1');
  const pool = createPool(target, { max: 1 });
  after(async () => {
    await pool.end();
    await dropDatabase(target);
    rmSync(folder, { recursive: true });
  });
  for (const name of readdirSync(migrations).filter((each) => /^\d{4}_/.test(each) && each < '0060')) {
    cpSync(join(migrations, name), join(folder, name));
  }
  await migrate(target, pathToFileURL(`${folder}/`));
  const statements = [
    `insert into users (id, email, email_key, created_at, updated_at) values
      ('usr_in', 'in@acme.example', 'in@acme.example', 1, 1), ('usr_out', 'out@other.example', 'out@other.example', 1, 1)`,
    `insert into businesses (id, name, slug, configs, created_at, updated_at) values ('biz', 'Shop', 'shop', '{}', 1, 1)`,
    `insert into roles (business_id, id, name, permissions, created_at, updated_at) values ('biz', 'role', 'ADMIN', '{ADMIN}', 1, 1)`,
    `insert into members (business_id, user_id, role_id, used_at) values ('biz', 'usr_in', 'role', 5), ('biz', 'usr_out', 'role', null)`,
    `insert into api_keys (user_id, id, name, hash, last_four, created_at) values
      ('usr_in', 'key', '', 'a', 'a', 1), ('usr_out', 'key', '', 'b', 'b', 1)`,
    `insert into sso_connections (business_id, issuer, client_id, role_claim, role_mappings, is_enforced, created_at, updated_at)
      values ('biz', 'https://idp.example', 'souk', 'groups', '[]', true, 1, 1)`,
    `insert into sso_domains (business_id, domain, token, verified_at) values ('biz', 'acme.example', 'x', 1)`,
  ];
  for (const statement of statements) await pool.transaction((tx) => tx.text(statement));
  await migrate(target);

  const keys = await pool<{ userId: string; generation: number; confirmations: KeyConfirmations }[]>`
    select user_id, generation, confirmations from api_keys order by user_id`;
  assert.deepEqual(
    [...keys],
    [
      { userId: 'usr_in', generation: 0, confirmations: { biz: { sso: true, policy: 0 } } },
      { userId: 'usr_out', generation: 0, confirmations: {} },
    ],
  );
  const membership: Membership = {
    businessId: 'biz',
    permissions: ['ADMIN'],
    secondFactorFrom: 1,
    requiresSso: true,
    keyPolicy: 0,
  };
  const account = { secondFactors: ['TOTP'], keyGeneration: 0 } as const;
  const key = {
    kind: 'KEY',
    scopes: null,
    ssoBusiness: null,
    generation: 0,
    confirmations: keys[0]!.confirmations,
  } as const;
  assert.ok(rightsOf(key, account, [membership], 2).permissions.has('biz'));
  const members = await pool`select user_id, accepted_at from members order by user_id`;
  assert.deepEqual(
    [...members],
    [
      { userId: 'usr_in', acceptedAt: 5 },
      { userId: 'usr_out', acceptedAt: null },
    ],
  );
});
