import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

const h = await startHarness();
const library = await openLibrary(h);
const { call } = library;
const ids = (items: Json[]) => items.map(({ id }) => id);

test('a product and an entry that name an id carry the item, follow its changes, and are named when it is deleted', async () => {
  const item = await library.item(await photo(600, 400), 'shirt.jpg');
  const other = await library.item(await photo(60, 40, 5), 'other.jpg');
  const block = { id: 'hero', type: 'MEDIA', value: [item.id, { id: other.id }] };
  const variants = [{ id: 'one', name: 'One', gallery: [{ id: other.id }] }];
  const { body: product } = await call('POST', '/products', {
    name: 'Shirt',
    gallery: [{ id: item.id }],
    variants,
    blocks: [block],
  });
  assert.deepEqual(product.gallery[0].resolutions, item.resolutions);
  assert.deepEqual(ids(product.blocks[0].value), [item.id, other.id]);
  const { body: entry } = await call('POST', '/entries', {
    owner: 'reservation:r1',
    blocks: [{ ...block, value: item }],
  });
  assert.equal(entry.blocks[0].value.blurhash, item.blurhash);
  const back = await call('PUT', `/products/${product.id}`, product);
  assert.deepEqual([back.status, back.body.gallery], [200, product.gallery], 'sent back as it was read');

  const changed = await call('PUT', `/media/${item.id}`, {
    title: 'A shirt',
    alt: { en: 'White' },
    focalPoint: { x: 0, y: 1 },
  });
  assert.notEqual(changed.body.resolutions.thumbnail.url, item.resolutions.thumbnail.url);
  assert.equal((await fetchBytes(changed.body.resolutions.thumbnail.url)).status, 200);
  await h.drain('media-refresh');
  const read = async () => [
    (await call('GET', `/products/${product.id}`)).body,
    (await call('GET', `/entries/${entry.id}`)).body,
  ];
  const [productNow, entryNow] = await read();
  for (const copy of [productNow.gallery[0], productNow.blocks[0].value[0], entryNow.blocks[0].value]) {
    assert.deepEqual([copy.title, copy.alt, copy.resolutions], ['A shirt', { en: 'White' }, changed.body.resolutions]);
  }

  const uses = await call('GET', `/media/${item.id}/uses`);
  assert.deepEqual(uses.body, { entities: [`entry:${entry.id}`, `product:${product.id}`] });
  const guest = await h.guest();
  const hidden = await h.call('GET', `${library.base}/media/${item.id}/uses`, { token: guest.token });
  assert.equal(hidden.status, 403);

  const refused = await call('DELETE', `/media/${item.id}`);
  assert.equal(refused.status, 409);
  assert.deepEqual(
    refused.body.details.map(({ field }: Json) => field),
    [`entry:${entry.id}`, `product:${product.id}`],
  );
  assert.equal((await call('DELETE', `/media/${item.id}?force=true`)).status, 200);
  await h.drain('media-refresh', 'media-delete-files');
  const [productThen, entryThen] = await read();
  assert.deepEqual(
    [productThen.gallery, ids(productThen.blocks[0].value), entryThen.blocks[0].value],
    [[], [other.id], null],
  );
  assert.equal((await fetchBytes(item.url)).status, 404);
  assert.equal((await fetchBytes(item.resolutions.small.url)).status, 404);

  assert.equal((await call('DELETE', `/media/${other.id}`)).status, 409);
  assert.equal((await call('DELETE', `/products/${product.id}`)).status, 200);
  assert.equal((await call('DELETE', `/media/${other.id}`)).status, 200, 'what nothing uses any more is free');
});

test('entries that go with their collection free the files that they used', async () => {
  const item = await library.item(await photo(60, 40, 9), 'hero.jpg');
  const blocks = [{ id: 'hero', type: 'MEDIA' }];
  const { body: collection } = await call('POST', '/collections', { name: 'Blog', blocks });
  await call('POST', '/entries', { collectionId: collection.id, blocks: [{ id: 'hero', value: item.id }] });
  assert.equal((await call('DELETE', `/media/${item.id}`)).status, 409);
  assert.equal((await call('DELETE', `/collections/${collection.id}?cascade=true`)).status, 200);
  await h.drain('clear-collections');
  assert.equal((await call('DELETE', `/media/${item.id}`)).status, 200);
});

test('an id that is not in this library is refused, and one with an address of its own stays what it is', async () => {
  const stranger = await openLibrary(h);
  const { id } = await stranger.item('theirs', 'theirs.txt');
  const blocks = [{ id: 'hero', type: 'MEDIA', value: id }];
  const refused = await call('POST', '/products', { name: 'Shirt', gallery: [{ id }, {}], blocks });
  assert.deepEqual(
    refused.body.details.map(({ field, error }: Json) => `${field} ${error}`),
    ['gallery[0].id NOT_FOUND', 'gallery[1].url REQUIRED', 'blocks[0].value.id NOT_FOUND'],
  );
  assert.equal((await call('POST', '/entries', { owner: 'reservation:r1', blocks })).status, 422);
  const gallery = [{ id: 'front', url: 'https://cdn.example/a.jpg' }];
  const { body } = await call('POST', '/products', { name: 'Shirt', gallery });
  assert.deepEqual(body.gallery, [{ ...gallery[0], mimeType: 'image/jpeg' }]);
});
