import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import { reindexEntries } from '../../src/domains/content/entries/reindex-entries.ts';
import type { ContentServices } from '../../src/domains/content/index.ts';
import { wordsOf } from '../../src/shared/text/text-words.ts';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const { token } = await h.member(businessId, 'CONTENT_WRITE', 'CATALOG_WRITE');
const call = <M extends string, P extends string>(method: M, path: P, body?: object) =>
  h.call(method, `/v1/businesses/${businessId}${path}`, { token, body });
const titles = async (query: string): Promise<string[]> =>
  (await call('GET', `/entries?${query}`)).body.items.map((entry) => entry.blocks[0]!.value as string);

const { body: collection } = await call('POST', '/collections', {
  name: 'Words',
  blocks: [{ id: 'title', type: 'TEXT' }],
});
const add = async (title: string) =>
  (await call('POST', '/entries', { collectionId: collection.id, blocks: [{ id: 'title', value: title }] })).body;

test('entries and products are found by the same spellings', async () => {
  const cases = [
    ['Große Straße', 'strasse'],
    ['Smørrebrød', 'smorrebrod'],
    ['हिन्दी किताब', 'किताब'],
    ['한국어 책', '한국어'],
    ['ガラス', 'ガ'],
    ['Ελλάδα', 'ελλαδα'],
  ];
  for (const [title, query] of cases) {
    await add(title!);
    await call('POST', '/products', { name: title });
    const found = encodeURIComponent(query!);
    assert.deepEqual(await titles(`query=${found}`), [title], query);
    const { body } = await call('GET', `/products?query=${found}`);
    assert.deepEqual(
      body.items.map((product) => product.name),
      [title],
      query,
    );
  }
  assert.deepEqual([...wordsOf('ที่ 茶碗 a1')], ['ที่', '茶', '碗', 'a1']);
});

test('a job reindexes entries indexed under older rules without changing them', async () => {
  const entry = await add('Weißenfelser Straße');
  const before = await call('GET', `/entries/${entry.id}`);
  await h.pool`
    update entries set index_rules = 1, search = array_to_tsvector(array['weißenfelser', 'straße']) where id = ${entry.id}`;
  await h.pool`
    update entry_values set key = 'tweißenfelser straße' || chr(1) || 'Weißenfelser Straße'
    where entry_id = ${entry.id} and block_id = 'title'`;
  const exact = `filter[title]=${encodeURIComponent('Weißenfelser Straße')}`;
  assert.deepEqual([await titles('query=weissen'), await titles(exact)], [[], []]);

  const ctx = h.service.contexts.system() as Steps<ContentServices>;
  await Promise.all([reindexEntries(ctx), reindexEntries(ctx)]);
  assert.deepEqual(await titles('query=weissen'), ['Weißenfelser Straße']);
  assert.deepEqual(await titles('query=wei%C3%9Fen'), ['Weißenfelser Straße']);
  assert.deepEqual(await titles(exact), ['Weißenfelser Straße']);
  const after = await call('GET', `/entries/${entry.id}`);
  assert.deepEqual([after.body, after.headers.get('etag')], [before.body, before.headers.get('etag')]);
});
