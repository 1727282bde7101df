import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

const h = await shareHarness();
const library = await openLibrary(h);
const { call } = library;
const ids = (items: Json[]) => items.map(({ id }) => id);

test('products and entries contain a copy of their media, follow its changes, and are listed when it is deleted', async () => {
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
  assert.deepEqual(product.gallery[0]!.resolutions, item.resolutions);
  assert.deepEqual(ids(product.blocks[0]!.value as Json[]), [item.id, other.id]);
  const { body: entry } = await call('POST', '/entries', {
    owner: 'reservation:r1',
    blocks: [{ ...block, value: item }],
  });
  assert.equal((entry.blocks[0]!.value as Json).blurhash, item.blurhash);
  const back = await call('PUT', `/products/${product.id}`, product);
  assert.deepEqual([back.status, back.body.gallery], [200, product.gallery], 'sent back as read');

  const changed = await call('PUT', `/media/${item.id}`, {
    title: 'A shirt',
    alt: { en: 'White' },
    focalPoint: { x: 0, y: 1 },
  });
  assert.notEqual(changed.body.resolutions!.thumbnail!.url, item.resolutions!.thumbnail!.url);
  assert.equal((await fetchBytes(changed.body.resolutions!.thumbnail!.url)).status, 200);
  await h.drain('media-refresh');
  const read = async (): Promise<Json[]> => [
    (await call('GET', `/products/${product.id}`)).body,
    (await call('GET', `/entries/${entry.id}`)).body,
  ];
  const [productNow, entryNow] = await read();
  for (const copy of [productNow.gallery[0], productNow.blocks[0].value[0], entryNow.blocks[0]!.value]) {
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
    refused.body.details.map(({ field }) => field),
    [`entry:${entry.id}`, `product:${product.id}`],
  );
  assert.equal((await call('DELETE', `/media/${item.id}?force=true`)).status, 200);
  await h.drain('media-refresh', 'media-delete-files');
  const [productThen, entryThen] = await read();
  assert.deepEqual(
    [productThen.gallery, ids(productThen.blocks[0]!.value), entryThen.blocks[0]!.value],
    [[], [other.id], null],
  );
  assert.equal((await fetchBytes(item.url)).status, 404);
  assert.equal((await fetchBytes(item.resolutions!.small!.url)).status, 404);

  assert.equal((await call('DELETE', `/media/${other.id}`)).status, 409);
  assert.equal((await call('DELETE', `/products/${product.id}`)).status, 200);
  assert.equal((await call('DELETE', `/media/${other.id}`)).status, 200, 'an unused file can be deleted');
});

test('a file can’t be deleted while a record that uses it is written', async () => {
  const { id } = await library.item(await photo(60, 40, 7), 'contested.jpg');
  const other = await h.secondNode();
  const { creating, deleting } = await h.pool.transaction(async (tx) => {
    await tx`lock table products in share mode`;
    const creating = call('POST', '/products', { name: 'Contested', gallery: [{ id }] });
    await whenWaitingForLock(h.pool, creating);
    const deleting = other.call('DELETE', `${library.base}/media/${id}`, { token: library.token });
    await whenWaitingForLock(h.pool, deleting, 2);
    return { creating, deleting };
  });
  assert.deepEqual([(await creating).status, (await deleting).status], [200, 409]);
});

test('entries deleted with their collection release the files they used', async () => {
  const item = await library.item(await photo(60, 40, 9), 'hero.jpg');
  const blocks = [{ id: 'hero', type: 'MEDIA' }];
  const { body: collection } = await call('POST', '/collections', { name: 'Blog', blocks });
  await call('POST', '/entries', { collectionId: collection.id, blocks: [{ id: 'hero', value: item.id }] });
  assert.equal((await call('DELETE', `/media/${item.id}`)).status, 409);
  assert.equal((await call('DELETE', `/collections/${collection.id}?cascade=true`)).status, 200);
  await h.drain('clear-collections');
  assert.equal((await call('DELETE', `/media/${item.id}`)).status, 200);
});

test('an unknown media ID is rejected, and an item with its own URL is kept as is', async () => {
  const stranger = await openLibrary(h);
  const { id } = await stranger.item('theirs', 'theirs.txt');
  const blocks = [{ id: 'hero', type: 'MEDIA', value: id }];
  const refused = await call('POST', '/products', { name: 'Shirt', gallery: [{ id }, {}], blocks });
  assert.deepEqual(
    refused.body.details.map(({ field, error }) => `${field} ${error}`),
    ['gallery[0].id NOT_FOUND', 'gallery[1].url REQUIRED', 'blocks[0].value.id NOT_FOUND'],
  );
  assert.equal((await call('POST', '/entries', { owner: 'reservation:r1', blocks })).status, 422);
  const gallery = [{ id: 'front', url: 'https://cdn.example/a.jpg' }];
  const { body } = await call('POST', '/products', { name: 'Shirt', gallery });
  assert.deepEqual(body.gallery, [{ ...gallery[0], mimeType: 'image/jpeg' }]);
});

test('a product image must be an image or a video, but a product keeps the files that it already has', async () => {
  const text = await library.item('not an image', 'notes.txt');
  const image = await library.item(await photo(30, 20, 77), 'image.jpg');
  const create = (gallery: object[], variants: object[] = []) =>
    library.call('POST', '/products', {
      name: 'Framed',
      slug: `framed-${gallery.length}-${variants.length}`,
      gallery,
      variants,
    });
  const refused = await create([{ id: image.id }, { id: text.id }]);
  assert.deepEqual(
    [refused.status, refused.body.details[0]!.field, refused.body.details[0]!.error],
    [422, 'gallery[1]', 'UNSUPPORTED_TYPE'],
  );
  const byUrl = await create([{ url: 'https://example.com/a.txt', mimeType: 'text/plain' }]);
  assert.equal(byUrl.status, 422);
  const inVariant = await create([], [{ id: 'a', name: 'A', gallery: [{ id: text.id }] }]);
  assert.equal(inVariant.body.details[0]!.field, 'variants[0].gallery[0]');
  const { body: product } = await create([{ url: 'https://example.com/a' }, { id: image.id }]);
  await h.pool`update products set doc = jsonb_set(doc, '{gallery,0,mimeType}', '"text/plain"')
    where business_id = ${library.businessId} and id = ${product.id}`;
  const again = await library.call('PUT', `/products/${product.id}`, {
    gallery: [{ ...product.gallery[0], mimeType: 'text/plain' }],
  });
  assert.equal(again.status, 200, JSON.stringify(again.body));
});
