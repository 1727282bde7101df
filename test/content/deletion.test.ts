import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Command, Steps } from '../../src/context/index.ts';
import { createPool } from '../../src/db/pool.ts';
import { clearCollections } from '../../src/domains/content/collections/clear-collections.ts';
import { deleteCollection } from '../../src/domains/content/collections/delete-collection.ts';
import { addEntry } from '../../src/domains/content/entries/create-entry.ts';
import { type ContentServices, type DeletionGuard, entryKind } from '../../src/domains/content/index.ts';
import { changeRecord } from '../../src/domains/publishing/index.ts';
import { conflict } from '../../src/shared/errors.ts';
import { type ApiResponse, type Json, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';

const h = await shareHarness();
/** The test's own connections, for transactions that stay open during requests. */
const own = createPool(h.target, { max: 2, applicationName: 'test' });
const second = await h.secondNode();
after(() => own.end());
const businessId = await h.business();
const admin = await h.member(businessId, 'ADMIN');
const caller = (await h.service.accounts.authenticate(admin.token))!;
/** More than two batches. */
const ENTRIES = 2500;

const call = <M extends string, P extends string>(method: M, path: P, body?: unknown) =>
  h.call(method, `/v1/businesses/${businessId}${path}`, { token: admin.token, body });

async function make<P extends string>(path: P, body: object) {
  const response = await call('POST', path, body);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

const BLOCKS = [{ id: 'title', type: 'TEXT' }];
const LINK = [{ id: 'next', type: 'RELATIONSHIP', settings: { targetType: 'ENTRY' } }];
const titled = (value: string) => [{ id: 'title', value }];

/** A newsletter with one real entry, thousands of copies of it, and as many subscribers. */
async function makeLarge(name: string) {
  const { id, slug } = await make('/collections', { name, type: 'NEWSLETTER', blocks: BLOCKS });
  const entry = await make('/entries', { collectionId: id, blocks: titled(name) });
  await h.pool`
    insert into entries (business_id, id, owner, status, doc, search, created_at)
    select business_id, id || n, owner, status, doc, search, created_at
    from entries, generate_series(2, ${ENTRIES}::int) n where id = ${entry.id}`;
  await h.pool`
    insert into entry_values (business_id, entry_id, block_id, n, owner, status, key, created_at)
    select business_id, entry_id || n.n, block_id, v.n, owner, status, key, created_at
    from entry_values v, generate_series(2, ${ENTRIES}::int) n (n) where entry_id = ${entry.id}`;
  await h.pool`
    insert into subscriptions (business_id, id, collection_id, email, email_key, plan_id, status, created_at, updated_at)
    select ${businessId}, ${id} || n, ${id}, n || '@example.com', n || '@example.com', 'free', 'ACTIVE', 0, 0
    from generate_series(1, ${ENTRIES}::int) n`;
  return { id: id as string, slug: slug as string, entryId: entry.id as string };
}

async function rowsOf(collectionId: string) {
  const count = async (table: string, column: string, value: string) => {
    const [row] = await h.pool<{ count: number }[]>`
      select count(*)::int as count from ${h.pool(table)}
      where business_id = ${businessId} and ${h.pool(column)} = ${value}`;
    return row!.count;
  };
  return {
    collections: await count('collections', 'id', collectionId),
    entries: await count('entries', 'owner', `collection:${collectionId}`),
    values: await count('entry_values', 'owner', `collection:${collectionId}`),
    subscriptions: await count('subscriptions', 'collection_id', collectionId),
  };
}
const NOTHING = { collections: 0, entries: 0, values: 0, subscriptions: 0 };
const ALL = { collections: 1, entries: ENTRIES, values: 3 * ENTRIES, subscriptions: ENTRIES };

const origin = { caller, businessId, address: '' };
const system = (signal?: AbortSignal) => h.service.contexts.steps(origin, signal) as Steps<ContentServices>;
const runSchedule = () => clearCollections(system(), {});

test('a collection with entries is deleted only with cascade', async () => {
  const { id } = await make('/collections', { name: 'Few' });
  await make('/entries', { collectionId: id });
  assert.equal((await call('DELETE', `/collections/${id}`)).status, 409);
  assert.equal((await call('GET', `/collections/${id}`)).status, 200);
  assert.equal((await call('DELETE', `/collections/${id}?cascade=true`)).status, 200);
  assert.equal((await call('DELETE', `/collections/${id}?cascade=true`)).status, 404);
  await h.drain('clear-collections');
  assert.deepEqual(await rowsOf(id), NOTHING);
});

test('a collection with thousands of entries disappears immediately with all of them, before any row is deleted', async () => {
  const { id, slug, entryId } = await makeLarge('Large');
  const { id: other } = await make('/collections', { name: 'Other', blocks: LINK });
  const kept = await make('/entries', { collectionId: other, blocks: [{ id: 'next', value: entryId }] });
  for (const path of [`/entries/${entryId}`, `/entries?collectionId=${id}&status=DRAFT`]) {
    assert.equal((await call('GET', path)).status, 200, 'it is cached');
  }

  assert.equal((await call('DELETE', `/collections/${id}?cascade=true`)).status, 200);
  assert.deepEqual(await rowsOf(id), ALL);

  const notFound = [
    ['GET', `/collections/${id}`],
    ['PUT', `/collections/${id}`, { name: 'x' }],
    ['GET', `/collections/${id}/subscribers`],
    ['GET', `/entries/${entryId}`],
    ['PUT', `/entries/${entryId}`, { locale: 'de' }],
    ['PUT', `/entries/${entryId}`, { collectionId: other, blocks: [] }],
    ['DELETE', `/entries/${entryId}`],
    ['POST', `/entries/${entryId}/send`, {}],
  ] as const;
  for (const [method, path, body] of notFound) {
    assert.equal((await call(method, path, body)).status, 404, `${method} ${path}`);
  }
  for (const query of ['', '&status=DRAFT', '&sort=title', '&query=large', '&filter[title]=Large', `&ids=${entryId}`]) {
    for (const owner of [`collectionId=${id}`, `owner=collection:${id}`, '']) {
      const { status, body } = await call('GET', `/entries?${owner}${query}`);
      assert.equal(status, 200);
      const ids = body.items.map((entry) => entry.id);
      assert.deepEqual(
        ids.filter((found: string) => found !== kept.id),
        [],
        owner + query,
      );
    }
  }
  const reasons = async (response: Promise<ApiResponse>) =>
    (await response).body.details.map(({ error }: Json) => error);
  const reference = { collectionId: other, blocks: [{ id: 'next', value: entryId }] };
  assert.deepEqual(await reasons(call('POST', '/entries', reference)), ['NOT_FOUND']);
  assert.deepEqual(await reasons(call('POST', '/entries', { collectionId: id })), ['NOT_FOUND']);
  const { body: list } = await call('GET', '/collections?limit=100');
  assert.ok(!list.items.some((collection) => collection.id === id));
  assert.equal((await make('/collections', { name: 'Large' })).slug, slug, 'its slug is free again');

  await h.drain('clear-collections');
  assert.deepEqual(await rowsOf(id), NOTHING);
  assert.equal((await call('GET', `/entries/${kept.id}`)).status, 200);
});

test('the scheduled job completes a killed task, even if the task is lost', async () => {
  const { id } = await makeLarge('Killed');
  await call('DELETE', `/collections/${id}?cascade=true`);
  await h.pool`delete from tasks where queue = 'clear-collections'`;

  const ctx = system();
  let batches = 0;
  const dying = Object.create(ctx, {
    write: {
      value: (statement: never) => (++batches > 5 ? Promise.reject(new Error('killed')) : ctx.write(statement)),
    },
  });
  await assert.rejects(clearCollections(dying, { collectionId: id }), { message: 'killed' });
  const left = await rowsOf(id);
  assert.ok(left.collections === 1 && left.entries > 0 && left.entries < ENTRIES, JSON.stringify(left));
  assert.equal(left.values, 3 * left.entries, 'an entry is deleted with its values');

  await assert.rejects(clearCollections(system(AbortSignal.abort()), {}), /shutting down/);
  await Promise.all([runSchedule(), runSchedule()]);
  assert.deepEqual(await rowsOf(id), NOTHING);
  await clearCollections(system(), { collectionId: id });
});

test('the job never touches a collection that is not marked as deleted', async () => {
  const { id } = await make('/collections', { name: 'Living' });
  await make('/entries', { collectionId: id });
  await clearCollections(system(), { collectionId: id });
  await runSchedule();
  assert.deepEqual(await rowsOf(id), { collections: 1, entries: 1, values: 2, subscriptions: 0 });
});

test("a collection being deleted accepts no new entries, and entries can't be moved out of it", async () => {
  const { id: refuge } = await make('/collections', { name: 'Refuge' });
  const lateRequest = async (send: (collectionId: string, entryId: string) => Promise<ApiResponse>) => {
    const { id } = await make('/collections', { name: 'Short-lived' });
    const entry = await make('/entries', { collectionId: id });
    const response = await whileOpen(
      (ctx) => deleteCollection(ctx, { id, cascade: true }),
      () => send(id, entry.id),
    );
    await h.drain('clear-collections');
    assert.deepEqual(await rowsOf(id), NOTHING);
    return response;
  };
  const created = await lateRequest((collectionId) => call('POST', '/entries', { collectionId }));
  assert.equal(created.body.details[0].error, 'NOT_FOUND');
  const moved = await lateRequest((_, entryId) => call('PUT', `/entries/${entryId}`, { collectionId: refuge }));
  assert.equal(moved.status, 404);
  assert.equal((await rowsOf(refuge)).entries, 0);
});

test('a collection is not deleted while an entry is being added, and an entry being moved out is kept', async () => {
  const { id } = await make('/collections', { name: 'Taking' });
  const refused = await whileOpen(
    (ctx) => addEntry(ctx, { input: { collectionId: id } }),
    () => call('DELETE', `/collections/${id}`),
  );
  assert.equal(refused.status, 409);

  const { id: refuge } = await make('/collections', { name: 'Second refuge' });
  const entry = await make('/entries', { collectionId: id });
  const cascaded = await whileOpen(
    (ctx) => changeRecord(ctx, { kind: entryKind, id: entry.id, changes: { collectionId: refuge } }),
    () => call('DELETE', `/collections/${id}?cascade=true`),
  );
  assert.equal(cascaded.status, 200);
  await h.drain('clear-collections');
  assert.equal((await call('GET', `/entries/${entry.id}`)).status, 200);
});

test('another domain can block the deletion of an entry or a collection, depending on whether it cascades', async (t) => {
  const { id } = await make('/collections', { name: 'Needed' });
  const entry = await make('/entries', { collectionId: id });
  const deletionGuard: DeletionGuard = {
    async beforeEntry(_, entryId) {
      if (entryId === entry.id) throw conflict('The entry is needed.');
    },
    async beforeCollection(_, collectionId, { cascade }) {
      if (collectionId === id && !cascade) throw conflict('The collection is needed.');
    },
  };
  const { deletionGuard: previous } = h.service.content;
  t.after(() => Object.assign(h.service.content, { deletionGuard: previous }));
  Object.assign(h.service.content, { deletionGuard });
  assert.equal((await call('DELETE', `/entries/${entry.id}`)).status, 409);
  assert.equal((await call('GET', `/entries/${entry.id}`)).status, 200);
  await h.pool`delete from entries where business_id = ${businessId} and id = ${entry.id}`;
  assert.equal((await call('DELETE', `/collections/${id}`)).body.message, 'The collection is needed.');
  assert.equal((await call('DELETE', `/collections/${id}?cascade=true`)).status, 200);
});

/** Sends a request while the transaction of a use case is still open, and returns its response. */
async function whileOpen(
  useCase: (ctx: Command<ContentServices>) => Promise<unknown>,
  send: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const ctx = second.service.contexts.steps(origin) as Steps<ContentServices>;
  const late = await ctx.transaction(async (tx) => {
    await useCase(tx);
    const request = send();
    await whenWaitingForLock(own, request);
    return { request };
  });
  return late.request;
}
