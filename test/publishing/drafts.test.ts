import assert from 'node:assert/strict';
import test from 'node:test';
import { asPublic, type Json, shareHarness } from '../harness.ts';
import { createSite, MUGS, ok, passTo, problems, titled, titleOf } from './site.ts';

const h = await shareHarness();
const site = await createSite(h);
const { byAda, byBo, byReader } = site;

test('editors work on a draft while readers see the published entry, and scheduling, publishing and restoring create versions', async () => {
  const entry = await site.entry('Old');
  const path = `entries/${entry.id}` as const;
  const read = () => byAda('GET', `${path}?draft=true`);
  const before = await site.seen(path);
  const first = await byAda('PUT', `${path}?draft=true`, { blocks: titled('') }, { 'if-match': '"1"' });
  assert.deepEqual([first.status, first.body.hasDraft], [200, true]);
  h.clock.advance(86_400);
  const etag = (await read()).headers.get('etag')!;
  await ok(byBo('PUT', `${path}?draft=true`, { blocks: titled('Newer') }, { 'if-match': etag }));
  assert.equal(
    (await byAda('PUT', `${path}?draft=true`, { blocks: titled('Mine') }, { 'if-match': etag })).status,
    412,
  );
  assert.deepEqual(await site.seen(path), before, 'readers see the published version');
  assert.deepEqual((await ok(byReader('GET', 'entries?query=newer'))).items, []);

  const at = h.clock.seconds() + 3600;
  const planned = await ok(byBo('POST', `${path}/publish`, { at }));
  assert.deepEqual(
    planned.scheduled!.map(({ status, timestamp }: Json) => [status, timestamp]),
    [['PUBLISHED', at]],
  );
  await passTo(h, at - 600);
  assert.equal(titleOf(await site.seen(path)), 'Old');
  await passTo(h, at);
  const published = await site.seen(path);
  assert.equal(titleOf(published), 'Newer');
  assert.deepEqual(
    (await ok(byReader('GET', 'entries?query=newer'))).items.map(({ id }) => id),
    [entry.id],
  );
  assert.deepEqual([published!.scheduled, published!.hasDraft], [undefined, undefined]);
  await ok(byAda('POST', `${path}/versions/1/restore`));
  assert.equal(titleOf(await site.seen(path)), 'Old');

  const { items } = await ok(byAda('GET', `${path}/versions`));
  assert.deepEqual(
    items.map(({ action, userId, isDraft }: Json) => [action, userId === site.ada.userId ? 'Ada' : 'Bo', isDraft]),
    [
      ['RESTORED', 'Ada', false],
      ['PUBLISHED', 'Bo', false],
      ['DRAFT_SAVED', 'Bo', true],
      ['DRAFT_SAVED', 'Ada', true],
      ['CREATED', 'Ada', false],
    ],
  );
});

test('a draft may be incomplete but not invalid, and can be published only when complete', async () => {
  const entry = await site.entry('Whole');
  const path = `entries/${entry.id}` as const;
  const wrong = await byAda('PUT', `${path}?draft=true`, { blocks: [{ id: 'title', type: 'TEXT', value: 7 }] });
  assert.deepEqual(problems(wrong), [422, 'blocks[0].value INVALID_TYPE']);
  const down = await byAda('PUT', `${path}?draft=true`, { statuses: [{ status: 'DRAFT' }] });
  assert.deepEqual(problems(down), [422, 'statuses INVALID_VALUE']);
  await ok(byAda('PUT', `${path}?draft=true`, { blocks: titled('') }));
  assert.equal((await byAda('POST', `${path}/publish`)).status, 422);
  assert.equal((await byAda('POST', `${path}/publish`, { at: h.clock.seconds() + 60 })).status, 422);
  const discarded = await ok(byAda('DELETE', `${path}/draft`));
  assert.equal(discarded.hasDraft, undefined);
  assert.equal((await byAda('DELETE', `${path}/draft`)).status, 404);
  assert.equal(titleOf(await ok(byAda('GET', `${path}?draft=true`))), 'Whole');
});

test('an unpublished entry needs no draft: saving updates it, and publishing makes it public', async () => {
  const entry = await site.entry('New', 'DRAFT');
  const saved = await ok(byAda('PUT', `entries/${entry.id}?draft=true`, { blocks: titled('Newest') }));
  assert.equal(saved.hasDraft, undefined);
  await ok(byAda('POST', `entries/${entry.id}/publish`));
  assert.equal(titleOf(await site.seen(`entries/${entry.id}`)), 'Newest');
  const again = await byAda('POST', `entries/${entry.id}/publish`);
  assert.deepEqual([again.status, again.headers.get('etag')], [200, '"3"']);
});

test('a draft of a product hides its price and name from readers and sets the stock of new variants only', async () => {
  const mug = await site.product('Mug');
  const path = `products/${mug.id}` as const;
  const before = await site.seen(path);
  const expensive = { ...MUGS[0], pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1200 }] } };
  const small = { ...MUGS[0], id: 's', name: 'Small', inventory: { tracked: true, quantity: 4 } };
  const draft = await ok(
    byAda('PUT', `${path}?draft=true`, {
      name: 'Dear mug',
      variants: [{ ...expensive, inventory: { quantity: 99 } }, small],
    }),
  );
  assert.deepEqual(
    draft.variants.map(({ inventory }: Json) => inventory.quantity),
    [7, 4],
  );
  assert.deepEqual(await site.seen(path), before);
  await ok(byAda('POST', `${path}/variants/m/inventory`, { adjust: -2 }));
  assert.equal((await ok(byAda('GET', `${path}?draft=true`))).variants[0]!.inventory.quantity, 5);
  await ok(byBo('POST', `${path}/publish`));
  const after = await site.seen(path);
  assert.deepEqual(
    [
      after!.name,
      after!.variants[0]!.pricing.markets[0]!.price,
      ...after!.variants.map(({ inventory }: Json) => inventory.quantity),
    ],
    ['Dear mug', 1200, 5, 4],
  );
});

test('only members see schedules and drafts; others see only the published record', async () => {
  const at = h.clock.seconds() + 500;
  const tricky = `],"scheduled":[ ,"hasDraft":true,"createdAt":1,"updatedAt":1}`;
  const entry = await site.entry(tricky, 'PUBLISHED', { scheduled: [{ status: 'ARCHIVED', timestamp: at }] });
  await ok(byAda('PUT', `entries/${entry.id}?draft=true`, { blocks: titled('Other') }));
  const full = await ok(byAda('GET', `entries/${entry.id}`));
  assert.deepEqual([full.hasDraft, full.scheduled!.length], [true, 1]);
  const { scheduled: _, hasDraft: __, ...rest } = asPublic(full);
  assert.deepEqual(await site.seen(`entries/${entry.id}`), rest);
});

test('a draft of a product cannot change the status or take the slug of another product', async () => {
  await site.product('Taken', { slug: 'taken', variants: [] });
  const mug = await site.product('Mug', { variants: [] });
  const path = `products/${mug.id}`;
  const archived = await byAda('PUT', `${path}?draft=true`, { statuses: [{ status: 'ARCHIVED' }] });
  assert.deepEqual(problems(archived), [422, 'statuses INVALID_VALUE']);
  const renamed = await byAda('PUT', `${path}?draft=true`, { slug: 'taken' });
  assert.deepEqual(problems(renamed), [422, 'slug DUPLICATE']);
  assert.equal((await ok(byAda('GET', path))).hasDraft, undefined);
});

test('a draft cannot change the owner of its entry, and all invalid fields are reported at once', async () => {
  const entry = await site.entry('Owned');
  const body = { owner: 'reservation:r1', statuses: [{ status: 'ARCHIVED' }] };
  const moved = await byAda('PUT', `entries/${entry.id}?draft=true`, body);
  assert.deepEqual(problems(moved), [422, 'owner INVALID_VALUE', 'statuses INVALID_VALUE']);
});

test('a published draft is found by all of its words, and no longer by the replaced words', async () => {
  const entry = await site.entry('Ancient');
  const long = `<p>${'lorem ipsum '.repeat(2000)}zanzibar</p>`;
  const blocks = [...titled('Marigold'), { id: 'text', type: 'TEXT', value: long }];
  await ok(byAda('PUT', `entries/${entry.id}?draft=true`, { blocks }));
  await ok(byAda('POST', `entries/${entry.id}/publish`));
  const found = async (word: string) => (await ok(byReader('GET', `entries?query=${word}`))).items.length;
  assert.deepEqual(await Promise.all(['marigold', 'zanzibar', 'ancient'].map(found)), [1, 1, 0]);
});

test('a draft with long text can be updated without sending its blocks', async () => {
  const html = (text: string) => [
    ...titled('Long'),
    { id: 'text', type: 'TEXT', value: `<p>${text.repeat(4000)}</p>` },
  ];
  const { id } = await site.entry('Short');
  const path = `entries/${id}` as const;
  await ok(byAda('PUT', `${path}?draft=true`, { blocks: html('word ') }));
  const changed = await ok(byAda('PUT', `${path}?draft=true`, { locale: 'de' }));
  assert.deepEqual([changed.locale, changed.blocks.length], ['de', 2]);
  await ok(byAda('PUT', path, { blocks: html('other '), statuses: [{ status: 'DRAFT' }] }));
  const hidden = await ok(byAda('PUT', `${path}?draft=true`, { statuses: [{ status: 'PUBLISHED' }] }));
  assert.equal(titleOf(hidden), 'Long', 'an unpublished entry is updated directly, regardless of its draft');
});

test('saving an unchanged draft keeps its ETag and creates no version', async () => {
  for (const [folder, { id }, body] of [
    ['entries', await site.entry('Same'), { blocks: titled('Other') }],
    ['products', await site.product('Same'), { name: 'Other' }],
  ] as const) {
    const path = `${folder}/${id}`;
    const saved = await byAda('PUT', `${path}?draft=true`, body);
    const again = await byBo('PUT', `${path}?draft=true`, saved.body);
    assert.deepEqual([again.status, again.headers.get('etag')], [200, saved.headers.get('etag')]);
    assert.equal((await ok(byAda('GET', `${path}/versions`))).items.length, 2);
  }
});

test('publishing at a past time publishes immediately; a public record without a draft is not changed', async () => {
  for (const [folder, { id }, live] of [
    ['entries', await site.entry('Late', 'DRAFT'), 'PUBLISHED'],
    ['products', await site.product('Late', { status: 'DRAFT' }), 'ACTIVE'],
  ] as const) {
    const path = `${folder}/${id}`;
    const first = await byAda('POST', `${path}/publish`, { at: h.clock.seconds() - 60 });
    const { status, timestamp } = first.body.statuses.at(-1);
    assert.deepEqual([first.status, status, first.body.scheduled], [200, live, undefined]);
    assert.ok(timestamp > h.clock.seconds() - 60, 'its history records the time of publication');
    const again = await byAda('POST', `${path}/publish`);
    assert.deepEqual([again.body, again.headers.get('etag')], [first.body, first.headers.get('etag')]);
  }
});

test('a discarded draft does not come back when a status is scheduled with draft=true', async () => {
  const timestamp = h.clock.seconds() + 5000;
  for (const [folder, { id }, body, scheduled] of [
    ['entries', await site.entry('Kept'), { blocks: titled('Discarded') }, [{ status: 'ARCHIVED', timestamp }]],
    ['products', await site.product('Kept'), { name: 'Discarded' }, [{ status: 'ARCHIVED', timestamp }]],
  ] as const) {
    const path = `${folder}/${id}`;
    await ok(byAda('PUT', `${path}?draft=true`, body));
    await ok(byAda('DELETE', `${path}/draft`));
    const planned = await ok(byAda('PUT', `${path}?draft=true`, { scheduled }));
    assert.deepEqual([planned.hasDraft, planned.scheduled.length], [false, 1]);
    await ok(byAda('POST', `${path}/publish`));
    assert.doesNotMatch(JSON.stringify(await site.seen(path)), /Discarded/);
  }
});

test('publishing a public entry without a draft changes nothing, even if it no longer matches the schema', async () => {
  const blocks = [{ id: 'title', type: 'TEXT' }];
  const { id: collectionId } = await ok(byAda('POST', 'collections', { name: 'Moving', status: 'PUBLISHED', blocks }));
  const { id } = await site.entry('Fits', 'PUBLISHED', { collectionId });
  const required = { id: 'more', type: 'TEXT', required: true };
  await ok(byAda('PUT', `collections/${collectionId}`, { blocks: [...blocks, required] }));
  const published = await byAda('POST', `entries/${id}/publish`);
  assert.deepEqual([published.status, published.headers.get('etag')], [200, '"1"']);
});

test('restoring a version while a draft is open replaces the draft and publishes nothing', async () => {
  const entry = await site.entry('One');
  const path = `entries/${entry.id}` as const;
  await ok(byAda('PUT', path, { blocks: titled('Two') }));
  await ok(byAda('PUT', `${path}?draft=true`, { blocks: titled('Draft') }));
  const restored = await ok(byAda('POST', `${path}/versions/1/restore`));
  assert.deepEqual([titleOf(restored), restored.hasDraft], ['One', true]);
  assert.equal(titleOf(await site.seen(path)), 'Two');
  const { items } = await ok(byAda('GET', `${path}/versions`));
  assert.deepEqual([items[0]!.action, items[0]!.restoredFrom], ['RESTORED', 1]);
  await ok(byAda('POST', `${path}/publish`));
  assert.equal(titleOf(await site.seen(path)), 'One');
});
