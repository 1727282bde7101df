import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { cloneDatabase, dropDatabase } from '../harness.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const target = await cloneDatabase('template1');
const pool = createPool(target, { max: 1, applicationName: 'test' });
const folder = mkdtempSync(join(tmpdir(), 'souk-migrations-'));
after(async () => {
  await pool.end();
  await dropDatabase(target);
  rmSync(folder, { recursive: true, force: true });
});

test('whoever has ordered or subscribed before the rule has acted; whom staff wrote an order for has not', async () => {
  const before = readdirSync(MIGRATIONS).filter((name) => name < '0090');
  for (const name of before) cpSync(new URL(name, MIGRATIONS), join(folder, name));
  await migrate(target, pathToFileURL(`${folder}/`));
  for (const name of ['buyer', 'reader', 'stranger', 'clerk']) {
    await pool`insert into users (id, email, email_key, is_confirmed, created_at, updated_at)
      values (${`usr_${name}`}, ${`${name}@example.com`}, ${`${name}@example.com`}, true, 1, 1)`;
  }
  await pool`insert into businesses (id, name, slug, created_at, updated_at) values ('biz', 'Shop', 'shop', 1, 1)`;
  const support = ['ORDER_READ', 'ORDER_WRITE', 'SUBSCRIBER_READ'];
  await pool`insert into roles (business_id, id, name, permissions, created_at, updated_at)
    values ('biz', 'role_1', 'SUPPORT', ${support}, 1, 1), ('biz', 'role_2', 'SUPPORT', ${['ORDER_READ']}, 1, 1)`;
  await pool`insert into collections (business_id, id, slug, type, status, doc, created_at)
    values ('biz', 'col', 'letters', 'NEWSLETTER', 'PUBLISHED', '{"name":"Letters"}', 1)`;
  await pool`insert into subscriptions (business_id, id, collection_id, email, email_key, user_id, plan_id, status, created_at, updated_at)
    values ('biz', 'sub', 'col', 'reader@example.com', 'reader@example.com', 'usr_reader', 'free', 'ACTIVE', 2, 2)`;
  const orders = [
    { number: 1, customer: 'buyer', by: 'buyer' },
    { number: 2, customer: 'buyer', by: 'clerk' },
    { number: 3, customer: 'stranger', by: 'clerk' },
  ];
  for (const { number, customer, by } of orders) {
    const statuses = [{ status: 'PENDING', userId: `usr_${by}` }];
    const doc = { statuses, total: 100, market: 'us', currency: 'usd' };
    await pool`insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, doc, created_at, updated_at)
      values ('biz', ${`ord_${number}`}, ${number}, 'PENDING', 'PENDING', ${`usr_${customer}`}, ${`${customer}@example.com`},
        true, ${pool.json(doc)}, ${number}, ${number})`;
  }

  await migrate(target);
  const customers = await pool`select id, user_id, email, created_at from customers order by id`;
  assert.deepEqual(
    [...customers],
    [
      { id: 'cust_buyer', userId: 'usr_buyer', email: 'buyer@example.com', createdAt: 1 },
      { id: 'cust_reader', userId: 'usr_reader', email: 'reader@example.com', createdAt: 2 },
    ],
  );
  const emails = await pool<{ customerEmail: string | null }[]>`select customer_email from orders order by number`;
  assert.deepEqual(
    emails.map((row) => row.customerEmail),
    ['buyer@example.com', 'buyer@example.com', null],
  );
  const roles = await pool<{ permissions: string[] }[]>`select permissions from roles order by id`;
  assert.deepEqual(
    roles.map((row) => row.permissions),
    [[...support, 'CUSTOMER_READ', 'CUSTOMER_WRITE', 'SUBSCRIBER_WRITE'], ['ORDER_READ']],
  );
});
