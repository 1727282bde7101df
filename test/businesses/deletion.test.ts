import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import { createPool } from '../../src/db/pool.ts';
import { clearBusinesses } from '../../src/domains/businesses/clear-businesses.ts';
import { listTenantTables } from '../../src/domains/businesses/clear-queries.ts';
import type { BusinessServices } from '../../src/domains/businesses/index.ts';
import { shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';

const h = await shareHarness();
const second = await h.secondNode();
/** Separate connections for transactions that stay open during requests to the service. */
const own = createPool(h.target, { max: 2, applicationName: 'test' });
after(() => own.end());
/** More than two batches. */
const PRODUCTS = 2500;
const VARIANTS = 2;
const HOUR = 3600;

async function shop(slug: string) {
  const owner = await h.user();
  const { body } = await h.call('POST', '/v1/businesses', { token: owner.token, body: { name: slug, slug } });
  return { owner, id: body.id as string, path: `/v1/businesses/${body.id}` as const };
}

const DOCUMENT = {
  id: 'p',
  businessId: 'biz',
  name: 'p',
  slug: 'p',
  description: '',
  category: '',
  gallery: [],
  variants: [],
  statuses: [],
  blocks: [],
  createdAt: 0,
  updatedAt: 0,
};

async function fill(businessId: string, products = PRODUCTS) {
  await h.pool`
    insert into products (business_id, id, slug, status, category, name_key, created_at, doc)
    select ${businessId}, 'p' || n, 'p' || n, 'ACTIVE', '', '', 0, ${JSON.stringify(DOCUMENT)}::jsonb from generate_series(1, ${products}::int) n`;
  await h.pool`
    insert into stock (business_id, product_id, variant_id, tracked, quantity)
    select ${businessId}, 'p' || n, v, true, 1 from generate_series(1, ${products}::int) n, generate_series(1, ${VARIANTS}::int) v`;
  await h.pool`
    insert into stock_ledger (business_id, product_id, variant_id, change, quantity, reason, created_at)
    select ${businessId}, 'p' || n, '1', 1, 1, 'SET', 0 from generate_series(1, ${products}::int) n`;
  await h.pool`
    insert into product_words (business_id, is_code, word)
    select ${businessId}, true, 'p' || n from generate_series(1, ${products}::int) n`;
  await h.pool`
    insert into order_counters (business_id, last) values (${businessId}, 1)`;
}

/** Row counts of the business by table. Omits empty tables and the events tables, which are written concurrently. */
async function rowsOf(businessId: string): Promise<Record<string, number>> {
  const tables = await h.pool<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where column_name = 'business_id' and table_schema = 'public' and table_name !~ '^event' order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await h.pool<{ count: number }[]>`
      select count(*)::int as count from ${h.pool(name)} where business_id = ${businessId}`;
    if (row!.count > 0) counts[name] = row!.count;
  }
  return counts;
}

const exists = async (id: string) => (await h.pool`select from businesses where id = ${id}`).length === 1;

const system = (signal?: AbortSignal) =>
  h.service.contexts.steps({ caller: null, businessId: '', address: '' }, signal) as Steps<BusinessServices>;
const runSchedule = () => clearBusinesses(system(), {});

test('a deleted business disappears immediately, before its products are deleted', async () => {
  const { owner, id, path } = await shop('large');
  await fill(id);
  const clerk = await h.member(id, 'CATALOG_WRITE', 'ADMIN');
  assert.equal((await second.call('GET', `${path}/products`, { token: clerk.token })).status, 200);

  assert.equal((await h.call('DELETE', path, { token: owner.token })).status, 200);
  assert.deepEqual(await rowsOf(id), {
    order_counters: 1,
    product_words: PRODUCTS,
    products: PRODUCTS,
    stock: PRODUCTS * VARIANTS,
    stock_ledger: PRODUCTS,
  });
  while ((await second.call('GET', `${path}/products`, { token: clerk.token })).status !== 404);
  for (const { token } of [owner, clerk]) {
    for (const url of [path, `${path}/products`, `${path}/products/p1`, `/v1/roles?businessId=${id}`]) {
      assert.equal((await h.call('GET', url, { token })).status, 404, url);
    }
    assert.deepEqual((await h.call('GET', '/v1/businesses', { token })).body.items, []);
    assert.deepEqual((await h.call('GET', '/v1/users/me', { token })).body.roles, []);
  }
  assert.equal((await h.call('DELETE', path, { token: owner.token })).status, 404);
  const [row] = await h.pool`select configs from businesses where id = ${id}`;
  assert.deepEqual(row!.configs, {}, 'no secret is left');
  const next = await shop('large');
  assert.equal((await h.call('GET', next.path, { token: next.owner.token })).body.slug, 'large');

  await h.drain('clear-businesses');
  assert.deepEqual(await rowsOf(id), {});
  assert.deepEqual(await rowsOf(next.id), { members: 1, roles: 3 });
});

test('the next run completes a killed job, even if the queue has lost it', async () => {
  const { owner, id, path } = await shop('killed');
  await fill(id);
  await h.call('DELETE', path, { token: owner.token });
  await h.pool`delete from jobs.job where name = 'clear-businesses'`;

  const ctx = system();
  let batches = 0;
  const dying = Object.create(ctx, {
    write: {
      // Batches of empty tables don't count.
      value: async (statement: never) => {
        if (batches === 4) throw new Error('killed');
        const deleted: number = await ctx.write(statement);
        if (deleted > 0) batches++;
        return deleted;
      },
    },
  });
  await assert.rejects(clearBusinesses(dying, { businessId: id }), { message: 'killed' });
  const left = Object.values(await rowsOf(id)).reduce((sum, count) => sum + count, 0);
  const all = 1 + PRODUCTS * (3 + VARIANTS);
  assert.ok(left < all && left >= all - 4000, `${left} of ${all}`);

  await assert.rejects(clearBusinesses(system(AbortSignal.abort()), {}), /shutting down/);
  await Promise.all([runSchedule(), runSchedule()]);
  assert.deepEqual(await rowsOf(id), {});
  await runSchedule();
});

test('rows written by a request that started before the deletion are deleted too, and the business itself last', async () => {
  const { owner, id, path } = await shop('late');
  await own.transaction(async (tx) => {
    await tx`insert into quotes (business_id, id, doc, expires_at) values (${id}, 'late', '{}', 0)`;
    assert.equal((await h.call('DELETE', path, { token: owner.token })).status, 200);
    await h.drain('clear-businesses');
  });
  assert.deepEqual(await rowsOf(id), { quotes: 1 });
  h.clock.advance(HOUR);
  await runSchedule();
  assert.deepEqual(await rowsOf(id), {});
  assert.equal(await exists(id), false);
});

test('the job never touches a business that is not marked as deleted', async () => {
  const { id, path } = await shop('living');
  await fill(id, 10);
  const before = await rowsOf(id);
  await clearBusinesses(system(), { businessId: id });
  h.clock.advance(2 * HOUR);
  await runSchedule();
  assert.deepEqual(await rowsOf(id), before);
  assert.equal((await h.call('GET', path, { token: (await h.guest()).token })).status, 200);
});

test('a business being deleted accepts no changes, roles or members', async () => {
  const { owner, id, path } = await shop('fenced');
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${id}`, { token: owner.token });
  const { userId } = await h.user();
  const changes = [
    ['PUT', path, { name: 'Back again' }],
    ['POST', '/v1/roles', { businessId: id, name: 'x', permissions: [] }],
    ['PUT', '/v1/users/set-role', { businessId: id, userId, roleId: roles.items[0]!.id }],
  ] as const;
  for (const [method, url, body] of changes) {
    await own`update businesses set deleted_at = null where id = ${id}`;
    const late = await own.transaction(async (tx) => {
      await tx`update businesses set deleted_at = 1 where id = ${id}`;
      const request = h.call(method, url, { token: owner.token, body });
      await whenWaitingForLock(own, request);
      return [request];
    });
    assert.equal((await late[0])!.status, 404, `${method} ${url}`);
  }
  assert.deepEqual(await rowsOf(id), { members: 1, roles: 3 });
});

test('referencing tables are cleared before referenced ones, so that no batch cascades', async () => {
  const order = (await listTenantTables(own)).map(({ name }) => name);
  const references = await own<{ child: string; parent: string }[]>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and confrelid::regclass::text = any(${order})`;
  assert.ok(references.length > 3);
  for (const { child, parent } of references) assert.ok(order.indexOf(child) < order.indexOf(parent), child);
});
