import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { createSite, MUGS, ok, problems, titled, titleOf } from './site.ts';

const h = await startHarness({ VERSIONS_KEPT: '5' });
const site = await createSite(h);
const { byAda, byBo, byReader } = site;

const numbers = (page: Json) => page.items.map(({ number }: Json) => number);
const changesOf = (version: Json) =>
  version.changes.map(
    ({ field, before, after }: Json) => `${field}: ${JSON.stringify(before)} > ${JSON.stringify(after)}`,
  );

test('each change to an entry creates a version with its author and changes, including the first and the current one', async () => {
  const entry = await site.entry('One');
  const path = `entries/${entry.id}` as const;
  const [first] = (await ok(byAda('GET', `${path}/versions`))).items;
  assert.deepEqual(
    [first!.number, first!.action, first!.userId, first!.userName],
    [1, 'CREATED', site.ada.userId, 'Ada'],
  );
  await ok(byBo('PUT', path, { blocks: [...titled('Two'), { id: 'text', type: 'TEXT', value: '<p>New</p>' }] }));
  await ok(byAda('PUT', path, { locale: 'de' }));
  const page = await ok(byAda('GET', `${path}/versions`));
  assert.deepEqual(
    page.items.map(({ number, action, userId, changed }: Json) => [number, action, userId, changed]),
    [
      [3, 'UPDATED', site.ada.userId, ['locale']],
      [2, 'UPDATED', site.bo.userId, ['blocks', 'blocks.title', 'blocks.text']],
      [1, 'CREATED', site.ada.userId, []],
    ],
  );
  const second = await ok(byAda('GET', `${path}/versions/2`));
  assert.equal(titleOf(second.document), 'Two');
  assert.deepEqual(changesOf(second), [
    'blocks: ["title"] > ["title","text"]',
    'blocks.title: "One" > "Two"',
    'blocks.text: undefined > "<p>New</p>"',
  ]);
  const compared = await ok(byAda('GET', `${path}/versions/1?against=3`));
  assert.equal(compared.comparedWith, 3);
  assert.ok(changesOf(compared).includes('blocks.title: "Two" > "One"'));
});

test('sending a record back unchanged creates no version', async () => {
  const [entry, product] = [await site.entry('Same'), await site.product('Same')];
  for (const [path, record] of [
    [`entries/${entry.id}`, entry],
    [`products/${product.id}`, product],
  ] as const) {
    h.clock.advance(5);
    const etag = (await byAda('GET', path)).headers.get('etag');
    const again = await byBo('PUT', path, record);
    assert.deepEqual([again.status, again.body, again.headers.get('etag')], [200, record, etag]);
    const { items } = await ok(byAda('GET', `${path}/versions`));
    assert.deepEqual(
      items.map(({ number, action, userId }) => [number, action, userId]),
      [[1, 'CREATED', site.ada.userId]],
    );
  }
});

test('a change made with an API key records the key', async () => {
  const value = 'a-key-of-ada-for-versions';
  const apiTokens = [{ id: 'sync', name: 'Sync', value, provider: 'API' }];
  const kept = await h.call('PUT', '/v1/users/update', { token: site.ada.token, body: { apiTokens } });
  assert.equal(kept.status, 200, JSON.stringify(kept.body));
  const records = [await site.entry('By hand'), await site.product('By hand')];
  for (const [i, path] of [`entries/${records[0]!.id}`, `products/${records[1]!.id}`].entries()) {
    const body = [{ blocks: titled('By key') }, { name: 'By key' }][i];
    const changed = await h.call('PUT', `${site.base}/${path}`, { headers: { 'x-api-key': value }, body });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const { items } = await ok(byAda('GET', `${path}/versions`));
    assert.deepEqual(
      items.map(({ userId, userName, keyId }: Json) => [userId, userName, keyId]),
      [
        [site.ada.userId, 'Ada', 'sync'],
        [site.ada.userId, 'Ada', null],
      ],
    );
    assert.equal((await ok(byAda('GET', `${path}/versions/2`))).keyId, 'sync');
  }
});

test('restoring a version creates a new published version, and only if If-Match matches', async () => {
  const entry = await site.entry('Good');
  const path = `entries/${entry.id}` as const;
  await ok(byBo('PUT', path, { blocks: titled('Bad') }));
  assert.equal((await byAda('POST', `${path}/versions/1/restore`, undefined, { 'if-match': '"1"' })).status, 412);
  const restored = await byAda('POST', `${path}/versions/1/restore`, undefined, { 'if-match': '"2"' });
  assert.equal(restored.headers.get('etag'), '"3"');
  assert.equal(titleOf(await site.seen(path)), 'Good');
  const [newest] = (await ok(byAda('GET', `${path}/versions`))).items;
  assert.deepEqual([newest!.number, newest!.action, newest!.restoredFrom], [3, 'RESTORED', 1]);
  assert.equal((await byAda('POST', `${path}/versions/99/restore`)).status, 404);
  // The search index is restored as well.
  const { items } = await ok(byReader('GET', `entries?collectionId=${site.collectionId}&query=good`));
  assert.deepEqual(
    items.map(({ id }) => id),
    [entry.id],
  );
});

test('restoring the only version of a record changes nothing', async () => {
  const paths = [`entries/${(await site.entry('Only')).id}`, `products/${(await site.product('Only')).id}`];
  for (const path of paths) {
    const before = await byAda('GET', path);
    const restored = await byAda('POST', `${path}/versions/1/restore`);
    assert.deepEqual([restored.status, restored.body], [200, before.body]);
    assert.equal(restored.headers.get('etag'), before.headers.get('etag'));
    assert.deepEqual(numbers(await ok(byAda('GET', `${path}/versions`))), [1]);
    assert.equal((await byAda('POST', `${path}/versions/2/restore`)).status, 404);
  }
});

test('a setting limits the version history, and the current draft is always kept', async () => {
  const entry = await site.entry('0');
  const path = `entries/${entry.id}` as const;
  await ok(byAda('PUT', `${path}?draft=true`, { blocks: titled('Draft') }));
  for (let i = 1; i <= 8; i++) await ok(byAda('PUT', path, { blocks: titled(`${i}`) }));
  assert.deepEqual(numbers(await ok(byAda('GET', `${path}/versions`))), [10, 9, 8, 7, 6, 2]);
  assert.equal(titleOf(await ok(byAda('GET', `${path}?draft=true`))), 'Draft');
  const page = await ok(byAda('GET', `${path}/versions?limit=2`));
  const rest = await ok(byAda('GET', `${path}/versions?limit=2&cursor=${page.cursor}`));
  assert.deepEqual([...numbers(page), ...numbers(rest)], [10, 9, 8, 7]);
});

test('restoring a product does not change its stock, and a slug that is now taken is rejected', async () => {
  const mug = await site.product('Mug', { slug: 'mug' });
  const path = `products/${mug.id}` as const;
  await ok(
    byBo('PUT', path, {
      name: 'Cup',
      slug: 'cup',
      variants: [{ ...MUGS[0], name: 'Cup', inventory: { quantity: 3 } }],
    }),
  );
  await ok(byAda('POST', `${path}/variants/m/inventory`, { adjust: -1 }));
  const version = await ok(byAda('GET', `${path}/versions/2`));
  assert.deepEqual(changesOf(version).slice(0, 3), [
    'name: "Mug" > "Cup"',
    'slug: "mug" > "cup"',
    'variants.m.name: "Mug" > "Cup"',
  ]);
  assert.equal(version.document.variants[0].inventory.quantity, undefined);
  const restored = await ok(byAda('POST', `${path}/versions/1/restore`));
  assert.deepEqual([restored.name, restored.slug, restored.variants[0].inventory.quantity], ['Mug', 'mug', 2]);
  await ok(byAda('POST', `${path}/versions/2/restore`));
  await site.product('Another', { slug: 'mug', variants: [] });
  assert.deepEqual(problems(await byAda('POST', `${path}/versions/1/restore`)), [422, 'slug DUPLICATE']);
});

test('a deleted record leaves no versions, and versions are not visible to others', async () => {
  const entry = await site.entry('Gone');
  await ok(byAda('PUT', `entries/${entry.id}`, { blocks: titled('Soon') }));
  assert.equal((await byReader('GET', `entries/${entry.id}/versions`)).status, 404);
  assert.equal((await byReader('GET', `entries/${entry.id}?draft=true`)).status, 404);
  await ok(byAda('DELETE', `entries/${entry.id}`));
  const rows = await h.pool`select from versions where entity = ${`entry:${entry.id}`}`;
  assert.equal(rows.length, 0);
});
