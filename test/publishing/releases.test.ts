import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/domains/publishing/context.ts';
import { releases } from '../../src/domains/publishing/releases/run-release.ts';
import { publishDue } from '../../src/domains/publishing/schedule.ts';
import { conflict } from '../../src/shared/errors.ts';
import { type Json, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { createSite, ok, passTo, problems, statusOf, titled, titleOf } from './site.ts';

const h = await shareHarness();
const site = await createSite(h);
const { byAda, byReader } = site;
const hour = () => h.clock.seconds() + 3600;
const systemContext = () => h.service.contexts.system().within(site.businessId) as Steps;

test('a release publishes drafts, new entries, products and collections at once', async () => {
  const [old, fresh] = [await site.entry('Old'), await site.entry('Fresh', 'DRAFT')];
  const mug = await site.product('Mug', { status: 'DRAFT' });
  const news = await ok(byAda('POST', 'collections', { name: 'News' }));
  await ok(byAda('PUT', `entries/${old.id}?draft=true`, { blocks: titled('New') }));
  const at = hour();
  const items = [old.id, fresh.id, mug.id, news.id];
  const release = await ok(byAda('POST', 'releases', { name: 'Spring', at, items }));
  assert.deepEqual([release.status, release.itemCount, [...release.items].sort()], ['SCHEDULED', 4, [...items].sort()]);
  await passTo(h, at - 600);
  assert.equal(titleOf(await site.seen(`entries/${old.id}`)), 'Old');
  await passTo(h, at);
  assert.equal(titleOf(await site.seen(`entries/${old.id}`)), 'New');
  for (const path of [`entries/${fresh.id}`, `products/${mug.id}`, `collections/${news.id}`]) {
    assert.ok(await site.seen(path), path);
  }
  const done = await ok(byAda('GET', `releases/${release.id}`));
  assert.deepEqual([done.status, done.publishedAt! >= at, done.failure], ['PUBLISHED', true, null]);
  assert.equal((await byAda('PUT', `releases/${release.id}`, { name: 'Late' })).status, 409);
});

test('if one item cannot be published, none are, and the release reports which item and why', async (t) => {
  const [one, gone, bad] = [
    await site.entry('One', 'DRAFT'),
    await site.entry('Gone', 'DRAFT'),
    await site.entry('Bad'),
  ];
  await ok(byAda('PUT', `entries/${bad.id}?draft=true`, { blocks: titled('') }));
  const failing = async (item: string) => {
    const { id } = await ok(byAda('POST', 'releases', { name: 'Fails', at: hour(), items: [one.id, item] }));
    return id as string;
  };
  const [deleted, incomplete] = [await failing(gone.id), await failing(bad.id)];
  await ok(byAda('DELETE', `entries/${gone.id}`));
  await passTo(h, hour());
  for (const [id, item, message] of [
    [deleted, gone.id, /not found/],
    [incomplete, bad.id, /is required/],
  ] as const) {
    const { status, failure } = await ok(byAda('GET', `releases/${id}`));
    assert.deepEqual([status, failure!.item], ['FAILED', item]);
    assert.match(failure!.message, message);
  }
  assert.equal(await site.seen(`entries/${one.id}`), null);

  await ok(byAda('PUT', `entries/${bad.id}?draft=true`, { blocks: titled('Good') }));
  const now = h.clock.stop(t);
  const again = await ok(byAda('PUT', `releases/${incomplete}`, {}));
  assert.deepEqual([again.status, again.failure, again.at], ['SCHEDULED', null, now]);
  await h.drain('publish-due');
  assert.equal((await ok(byAda('GET', `releases/${incomplete}`))).status, 'PUBLISHED');
  assert.ok(await site.seen(`entries/${one.id}`));
});

test('a scheduled release can be updated and canceled; a canceled release publishes nothing', async () => {
  const [one, two] = [await site.entry('One', 'DRAFT'), await site.entry('Two', 'DRAFT')];
  const { id } = await ok(byAda('POST', 'releases', { name: 'First', at: hour(), items: [one.id] }));
  const at = hour() + 60;
  const changed = await byAda('PUT', `releases/${id}`, { name: 'Second', at, items: [two.id] }, { 'if-match': '"1"' });
  assert.deepEqual([changed.body.name, changed.body.items, changed.headers.get('etag')], ['Second', [two.id], '"2"']);
  assert.equal((await byAda('POST', `releases/${id}/cancel`, undefined, { 'if-match': '"1"' })).status, 412);
  assert.equal((await ok(byAda('POST', `releases/${id}/cancel`))).status, 'CANCELLED');
  assert.equal((await byAda('PUT', `releases/${id}`, {})).status, 409);
  await passTo(h, at + 1);
  assert.equal(await site.seen(`entries/${two.id}`), null);
  const { items } = await ok(byAda('GET', 'releases?status=CANCELLED'));
  assert.deepEqual(
    items.map(({ id: each }) => each),
    [id],
  );
});

test('items must exist and be unique, and each type requires its permission', async () => {
  const entry = await site.entry('Mine');
  const bad = await byAda('POST', 'releases', { name: 'Bad', items: [entry.id, entry.id, 'ent_none', 'usr_x'] });
  assert.deepEqual(problems(bad), [422, 'items[1] DUPLICATE', 'items[3] NOT_FOUND', 'items[2] NOT_FOUND']);
  const many = Array.from({ length: 1001 }, (_, i) => `ent_${i}`);
  assert.equal((await byAda('POST', 'releases', { name: 'Many', items: many })).status, 422);
  const product = await site.product('Cup');
  const writer = await h.member(site.businessId, 'CONTENT_WRITE');
  const call = (body: object) => h.call('POST', `${site.base}/releases`, { token: writer.token, body });
  assert.equal((await call({ name: 'Theirs', items: [product.id] })).status, 403);
  assert.equal((await call({ name: 'Mine', items: [entry.id] })).status, 200);
  assert.equal((await byReader('GET', 'releases')).status, 403);
});

test("callers without a publishing permission don't see releases, and changes require the permissions for all items", async () => {
  const product = await site.product('Jug', { status: 'DRAFT' });
  const { id } = await ok(byAda('POST', 'releases', { name: 'Jugs', at: hour(), items: [product.id] }));
  const as = async (permission: 'ORDER_WRITE' | 'CONTENT_WRITE') => {
    const { token } = await h.member(site.businessId, permission);
    return async <M extends string, P extends string>(method: M, path: P, body?: object) =>
      (await h.call(method, `${site.base}/releases${path}`, { token, body })).status;
  };
  const [clerk, writer] = [await as('ORDER_WRITE'), await as('CONTENT_WRITE')];
  assert.equal(await clerk('GET', ''), 403);
  assert.equal(await clerk('GET', `/${id}`), 403);
  assert.equal(await clerk('POST', '', { name: 'Guess', items: ['usr_x'] }), 403);
  assert.equal(await clerk('PUT', '/rel_none', { name: 'Guess' }), 403, 'does not reveal whether the release exists');
  assert.equal(await writer('GET', `/${id}`), 200);
  assert.equal(await writer('PUT', `/${id}`, { name: 'Theirs' }), 403);
  assert.equal(await writer('POST', `/${id}/cancel`), 403);
  const other = await createSite(h);
  assert.equal((await other.byAda('GET', `releases/${id}`)).status, 404);
  assert.equal((await other.byAda('PUT', `releases/${id}`, { name: 'Ours' })).status, 404);
  assert.deepEqual((await ok(other.byAda('GET', 'releases'))).items, []);
});

test('a release runs once, at its scheduled time, even if its due row is wrong', async (t) => {
  const entries = [await site.entry('A', 'DRAFT'), await site.entry('B', 'DRAFT'), await site.entry('C', 'DRAFT')];
  const [one, two, three] = entries.map(({ id }) => id as string) as [string, string, string];
  const at = hour();
  const make = (items: string[]) => ok(byAda('POST', 'releases', { name: 'Once', at, items }));
  const [waits, cancelled] = [await make([two, one]), await make([three])];
  assert.deepEqual(waits.items, [one, two].sort(), 'items are locked in a fixed order');
  const planned = async ({ id }: Json) => {
    const rows = await h.pool<{ dueAt: number }[]>`select due_at from planned where entity = ${`release:${id}`}`;
    return rows.map(({ dueAt }) => dueAt);
  };
  await ok(byAda('PUT', `releases/${waits.id}`, { at: at + 60 }));
  assert.deepEqual(await planned(waits), [at + 60]);
  await ok(byAda('POST', `releases/${cancelled.id}/cancel`));
  assert.deepEqual(await planned(cancelled), []);
  // Rows that are due too early, or after the release has finished.
  await h.pool`update releases set at = 0 where business_id = ${site.businessId} and id = ${cancelled.id}`;
  for (const { id } of [waits, cancelled]) {
    await h.pool`insert into planned (business_id, entity, due_at) values (${site.businessId}, ${`release:${id}`}, 0)
      on conflict (business_id, entity) do update set due_at = 0`;
  }
  await h.drain('publish-due');
  for (const id of [one, two, three]) assert.equal(await site.seen(`entries/${id}`), null);
  await systemContext().transaction((tx) =>
    releases.recordFailure(tx, cancelled.id, conflict('The release was canceled in the meantime.')),
  );
  assert.equal((await ok(byAda('GET', `releases/${cancelled.id}`))).status, 'CANCELLED');
  const now = h.clock.stop(t);
  const late = await ok(byAda('POST', 'releases', { name: 'Late', at: 1, items: [three] }));
  assert.equal(late.at, now, 'a past time means now');
  await h.drain('publish-due');
  assert.ok(await site.seen(`entries/${three}`));
  assert.deepEqual(await planned(late), [], 'nothing is due anymore');
});

test('a release that is published while someone cancels it stays published, and the cancellation fails', async () => {
  const { id: entryId } = await site.entry('Under way', 'DRAFT');
  const { id } = await ok(byAda('POST', 'releases', { name: 'Under way', at: hour(), items: [entryId] }));
  const { cancelling } = await h.pool.transaction(async (tx) => {
    await tx`update releases set status = 'PUBLISHED' where business_id = ${site.businessId} and id = ${id}`;
    const response = byAda('POST', `releases/${id}/cancel`);
    await whenWaitingForLock(h.pool, response);
    return { cancelling: response };
  });
  assert.equal((await cancelling).status, 409);
  assert.equal((await ok(byAda('GET', `releases/${id}`))).status, 'PUBLISHED');
});

test('a release that keeps failing for a day is marked as failed with the reason and not retried', async () => {
  const { id: entryId } = await site.entry('Never', 'DRAFT');
  const at = hour();
  const { id } = await ok(byAda('POST', 'releases', { name: 'Never', at, items: [entryId] }));
  const entity = `release:${id}`;
  const attempt = () => publishDue(systemContext(), { entity, dueAt: at });
  const waiting = () => h.pool`select from planned where entity = ${entity}`;
  await h.pool`alter table entries rename to entries_renamed`;
  h.clock.advance(at - h.clock.seconds() + 86_399);
  const isRetried = await attempt().then(
    () => false,
    () => true,
  );
  const open = (await waiting()).length;
  h.clock.advance(1);
  await attempt().finally(() => h.pool`alter table entries_renamed rename to entries`);
  assert.deepEqual([isRetried, open, (await waiting()).length], [true, 1, 0]);
  const { status, failure } = await ok(byAda('GET', `releases/${id}`));
  assert.equal(status, 'FAILED');
  assert.match(failure!.message, /kept failing for 24 hours/);
});

test('1,000 entries become visible at once: concurrent readers on any process see none or all of them', async () => {
  const first = await site.entry('Old', 'PUBLISHED', { locale: 'pt' });
  await ok(byAda('PUT', `entries/${first.id}?draft=true`, { blocks: titled('New') }));
  const ids = [first.id, ...(await copyEntry(first.id, 999))];
  const other = await h.secondNode();
  const { token } = await h.guest();
  const { id } = await ok(byAda('POST', 'releases', { name: 'All', items: ids }));
  let isDone = false;
  const done = h.drain('publish-due').finally(() => {
    isDone = true;
  });
  const seen = new Set<string>();
  const look = async (call: typeof h.call) => {
    const list = `${site.base}/entries?collectionId=${site.collectionId}&locale=pt&limit=100` as const;
    const { body } = await call('GET', list, { token });
    const titles: string[] = body.items.map(titleOf);
    assert.equal(new Set(titles).size, 1, 'a page shows the state before or after, never both');
    seen.add(titles[0]!);
  };
  while (!isDone) await Promise.all([look(h.call), look(other.call)]);
  await done;
  await look(other.call);
  assert.equal((await ok(byAda('GET', `releases/${id}`))).status, 'PUBLISHED');
  assert.deepEqual([...seen], ['Old', 'New']);
  const rows = await h.pool<{ count: number }[]>`
    select count(*)::int as count from entries where business_id = ${site.businessId} and doc ->> 'locale' = 'pt' and doc -> 'blocks' -> 0 ->> 'value' = 'New'`;
  assert.equal(rows[0]!.count, 1000);
  assert.equal(statusOf(await site.seen(`entries/${ids[0]}`)), 'PUBLISHED');
});

/** Copies the entry and its draft this many times. */
async function copyEntry(id: string, count: number): Promise<string[]> {
  const copies = h.pool`(
    select 'ent_' || lpad(n::text, 26, '0') as copy from generate_series(1, ${count}::int) n
  ) as copies`;
  const inserted = await h.pool<{ id: string }[]>`
    insert into entries (business_id, id, owner, status, doc, search, version, index_rules, created_at)
    select business_id, copy, owner, status, replace(doc::text, ${id}, copy)::jsonb - 'slug', search, version, index_rules, created_at
    from entries, ${copies} where id = ${id} returning id`;
  await h.pool`
    insert into entry_values (business_id, entry_id, block_id, n, owner, status, key, created_at)
    select business_id, copy, block_id, n, owner, status, key, created_at from entry_values, ${copies} where entry_id = ${id}`;
  await h.pool`
    insert into versions (business_id, entity, number, is_draft, action, user_id, changed, doc, words, created_at)
    select business_id, 'entry:' || copy, number, is_draft, action, user_id, changed, replace(doc::text, ${id}, copy)::jsonb - 'slug', words, created_at
    from versions, ${copies} where entity = ${`entry:${id}`}`;
  return inserted.map((row) => row.id);
}
