/** Media files in drafts and versions. Products and entries must behave the same. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { photo } from '../media/files.ts';
import { openLibrary } from '../media/library.ts';
import { ok } from './site.ts';

const h = await shareHarness();
const library = await openLibrary(h);
const { call } = library;

const collection = await ok(
  call('POST', '/collections', { name: 'Blog', status: 'PUBLISHED', blocks: [{ id: 'hero', type: 'MEDIA' }] }),
);
const hero = (item: Json) => [{ id: 'hero', type: 'MEDIA', value: item.id }];
const heroOf = ({ blocks }: Json) => blocks[0].value;

/** A published record that uses `item`, with functions to change and read its file. */
const KINDS = {
  entry: {
    create: (item: Json) =>
      ok(call('POST', '/entries', { collectionId: collection.id, status: 'PUBLISHED', blocks: hero(item) })),
    path: 'entries',
    body: (item: Json) => ({ blocks: hero(item) }),
    shown: heroOf,
  },
  product: {
    create: (item: Json) => ok(call('POST', '/products', { name: 'Shirt', gallery: [{ id: item.id }] })),
    path: 'products',
    body: (item: Json) => ({ gallery: [{ id: item.id }] }),
    shown: ({ gallery }: Json) => gallery[0] ?? null,
  },
};

let seed = 100;
const newItem = async () => library.item(await photo(40, 40, ++seed), `${seed}.jpg`);
const remove = async (item: Json) => (await call('DELETE', `/media/${item.id}`)).status;
const idsShown = async (paths: string[], shown: (record: Json) => Json) => {
  const records = await Promise.all(paths.map((path) => ok(call('GET', path))));
  return records.map((record) => shown(record)?.id ?? null);
};

for (const [kind, { create, path: folder, body, shown }] of Object.entries(KINDS)) {
  test(`${kind}: a file used only by the draft is protected until the draft is discarded`, async () => {
    const [first, second] = [await newItem(), await newItem()];
    const { id } = await create(first);
    const path = `/${folder}/${id}`;
    await ok(call('PUT', `${path}?draft=true`, body(second)));
    assert.deepEqual([await remove(first), await remove(second)], [409, 409]);
    await ok(call('DELETE', `${path}/draft`));
    assert.deepEqual([await remove(first), await remove(second)], [409, 200]);
  });

  test(`${kind}: a published draft protects its files and releases the replaced ones`, async () => {
    const [first, second] = [await newItem(), await newItem()];
    const { id } = await create(first);
    const path = `/${folder}/${id}`;
    await ok(call('PUT', `${path}?draft=true`, body(second)));
    await ok(call('POST', `${path}/publish`));
    assert.deepEqual(await idsShown([path], shown), [second.id]);
    assert.deepEqual([await remove(first), await remove(second)], [200, 409]);
  });

  test(`${kind}: a changed file is updated in the public record and in the draft, without a new version`, async () => {
    const [first, second] = [await newItem(), await newItem()];
    const { id } = await create(first);
    const path = `/${folder}/${id}`;
    await ok(call('PUT', `${path}?draft=true`, body(second)));
    for (const [item, title] of [
      [first, 'Public'],
      [second, 'Drafted'],
    ] as const) {
      await ok(call('PUT', `/media/${item.id}`, { title }));
    }
    const etag = (await call('GET', path)).headers.get('etag');
    await h.drain('media-refresh');
    const [open, draft] = await Promise.all([call('GET', path), call('GET', `${path}/draft`)]);
    assert.deepEqual([shown(open.body).title, shown(draft.body).title], ['Public', 'Drafted']);
    assert.notEqual(open.headers.get('etag'), etag);
    const { items } = await ok(call('GET', `${path}/versions`));
    assert.deepEqual(
      items.map(({ action }: Json) => action),
      ['DRAFT_SAVED', 'CREATED'],
    );
  });

  test(`${kind}: a deleted file is also removed from the draft, and a restored version does not include it`, async () => {
    const [first, second] = [await newItem(), await newItem()];
    const { id } = await create(first);
    const path = `/${folder}/${id}`;
    await ok(call('PUT', `${path}?draft=true`, body(second)));
    await ok(call('DELETE', `/media/${second.id}?force=true`));
    await h.drain('media-refresh');
    assert.deepEqual(await idsShown([path, `${path}/draft`], shown), [first.id, null]);
    await ok(call('DELETE', `${path}/draft`));
    const third = await newItem();
    await ok(call('PUT', path, body(third)));
    assert.equal(await remove(first), 200);
    await ok(call('POST', `${path}/versions/1/restore`));
    assert.deepEqual(await idsShown([path], shown), [null]);
  });
}
