/**
 * Two PostgreSQL servers with synchronous streaming replication. The primary dies under load, the standby is
 * promoted, and the service recovers automatically. Run with `npm run test:failover`.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { createPool } from '../../src/db/pool.ts';
import type { Json } from '../harness.ts';
import { eventually, startService } from '../service.ts';
import { createPostgres } from './postgres.ts';
import { offer } from './shop.ts';

const BUYERS = 12;
const ORDERS_BEFORE = 150;
const ORDERS_AFTER = 150;
const HBA = 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n';

test('when the primary is killed under checkout load, no confirmed order is lost and the service recovers', async (t) => {
  const primary = await createPostgres({ hba: HBA });
  await primary.start();
  const admin = createPool({ url: primary.url() }, { max: 1 });
  await admin.text('create role souk login');
  await admin.text('create database souk owner souk');
  await admin.end();
  await primary.stop();
  const standby = await createPostgres({ copyOf: primary.folder, hba: HBA });
  await writeFile(join(standby.folder, 'standby.signal'), '');
  const replication = { synchronous_standby_names: 'other', synchronous_commit: 'on', fsync: 'on' };
  await primary.start(replication);
  await standby.start({ primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres application_name=other` });

  const folder = mkdtempSync(join(tmpdir(), 'souk-failover-'));
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  const settings = {
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: `postgres://souk@${hosts}/souk?target_session_attrs=read-write`,
    SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
    DEMO: '1',
    LOG_LEVEL: 'error',
    LIMIT_ADDRESS: '1000000',
    LIMIT_CHECKOUT: '1000000/1000000',
  };
  const shop = await startService('start', settings);
  const worker = await startService('worker', settings);
  const later = createPool({ url: standby.url('postgres', 'souk') }, { max: 2 });
  after(async () => {
    await Promise.all([shop.stop('SIGKILL'), worker.stop('SIGKILL')]);
    await later.end();
    await Promise.all([primary.remove(), standby.remove()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const { call, buy: order } = await offer(shop, 1_000_000);
  const confirmed: string[] = [];
  let isOver = false;
  let unavailable = 0;
  async function buy(): Promise<void> {
    while (!isOver) {
      const { status, body } = await order();
      if (status === 200) confirmed.push(body.orderId);
      else {
        assert.equal(status, 503, `${JSON.stringify(body)} ${shop.output()}`);
        unavailable++;
      }
    }
  }
  const load = Promise.all(Array.from({ length: BUYERS }, buy));
  await Promise.race([load, eventually('orders', async () => confirmed.length >= ORDERS_BEFORE)]);
  await primary.stop('SIGKILL');
  const had = confirmed.length;
  await later.text('select pg_promote(true)');
  await Promise.race([load, eventually('orders again', async () => confirmed.length > had)]);
  await Promise.race([
    load,
    eventually('orders after the failover', async () => confirmed.length >= had + ORDERS_AFTER),
  ]);
  isOver = true;
  await load;
  t.diagnostic(`${confirmed.length} orders confirmed, ${unavailable} requests failed with 503`);

  await t.test('every order confirmed with 200 exists, and the numbers have no gap', async () => {
    const rows = await later<{ id: string; number: number }[]>`
      select id, number from orders where business_id = ${shop.exports.BUSINESS!} order by number`;
    const ids = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      confirmed.filter((id) => !ids.has(id)),
      [],
    );
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, i) => i + 1),
    );
  });

  await t.test('notifications reach the other process again, and jobs run', async () => {
    assert.equal((await call('GET', '/readyz')).status, 200);
    const body = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' };
    assert.equal((await call('POST', '/v1/users/register', { body })).status, 200);
    await eventually('the registration email', async () => {
      const { body: mailbox } = await call('GET', '/dev/mailbox', { headers: { accept: 'application/json' } });
      return mailbox.items.some((item: Json) => item.to === 'ada@example.com');
    });
    const [row] = await later<[{ count: number }]>`
      select count(*) from pg_stat_activity where application_name = 'souk-listen'`;
    assert.equal(row.count, 2);
  });
});
