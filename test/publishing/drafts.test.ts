import assert from 'node:assert/strict';
import test from 'node:test';
import { asOthersSee, type Json, startHarness } from '../harness.ts';
import { createSite, MUGS, ok, passTo, problems, titled, titleOf } from './site.ts';

const h = await startHarness();
const site = await createSite(h);
const { byAda, byBo, byReader } = site;

test('two editors draft for a day while readers see the old entry; it is published at a time, then rolled back: each step is a version', async () => {
  const entry = await site.entry('Old');
  const path = `entries/${entry.id}`;
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
  assert.deepEqual(await site.seen(path), before, 'readers see it as it was');
  assert.deepEqual((await ok(byReader('GET', 'entries?query=newer'))).items, []);

  const at = h.clock.seconds() + 3600;
  const planned = await ok(byBo('POST', `${path}/publish`, { at }));
  assert.deepEqual(
    planned.scheduled.map(({ status, timestamp }: Json) => [status, timestamp]),
    [['PUBLISHED', at]],
  );
  await passTo(h, at - 600);
  assert.equal(titleOf(await site.seen(path)), 'Old');
  await passTo(h, at);
  const published = await site.seen(path);
  assert.equal(titleOf(published), 'Newer');
  assert.deepEqual(
    (await ok(byReader('GET', 'entries?query=newer'))).items.map(({ id }: Json) => id),
    [entry.id],
  );
  assert.deepEqual([published.scheduled, published.hasDraft], [undefined, undefined]);
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

test('a draft may be incomplete but not wrong, and is published only when it is complete', async () => {
  const entry = await site.entry('Whole');
  const path = `entries/${entry.id}`;
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

test('an entry that nobody sees yet needs no draft: it is saved as ever, and publish makes it public', async () => {
  const entry = await site.entry('New', 'DRAFT');
  const saved = await ok(byAda('PUT', `entries/${entry.id}?draft=true`, { blocks: titled('Newest') }));
  assert.equal(saved.hasDraft, undefined);
  await ok(byAda('POST', `entries/${entry.id}/publish`));
  assert.equal(titleOf(await site.seen(`entries/${entry.id}`)), 'Newest');
  const again = await byAda('POST', `entries/${entry.id}/publish`);
  assert.deepEqual([again.status, again.headers.get('etag')], [200, '"3"']);
});

test('a draft of a product keeps price and name from readers, sets no stock, and brings that of new variants', async () => {
  const mug = await site.product('Mug');
  const path = `products/${mug.id}`;
  const before = await site.seen(path);
  const dear = { ...MUGS[0], pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1200 }] } };
  const small = { ...MUGS[0], id: 's', name: 'Small', inventory: { tracked: true, quantity: 4 } };
  const draft = await ok(
    byAda('PUT', `${path}?draft=true`, {
      name: 'Dear mug',
      variants: [{ ...dear, inventory: { quantity: 99 } }, small],
    }),
  );
  assert.deepEqual(
    draft.variants.map(({ inventory }: Json) => inventory.quantity),
    [7, 4],
  );
  assert.deepEqual(await site.seen(path), before);
  await ok(byAda('POST', `${path}/variants/m/inventory`, { adjust: -2 }));
  assert.equal((await ok(byAda('GET', `${path}?draft=true`))).variants[0].inventory.quantity, 5);
  await ok(byBo('POST', `${path}/publish`));
  const after = await site.seen(path);
  assert.deepEqual(
    [
      after.name,
      after.variants[0].pricing.markets[0].price,
      ...after.variants.map(({ inventory }: Json) => inventory.quantity),
    ],
    ['Dear mug', 1200, 5, 4],
  );
});

test('what is planned and drafted is for members: others see the record as if there were nothing of it', async () => {
  const at = h.clock.seconds() + 500;
  const tricky = `],"scheduled":[ ,"hasDraft":true,"createdAt":1,"updatedAt":1}`;
  const entry = await site.entry(tricky, 'PUBLISHED', { scheduled: [{ status: 'ARCHIVED', timestamp: at }] });
  await ok(byAda('PUT', `entries/${entry.id}?draft=true`, { blocks: titled('Other') }));
  const full = await ok(byAda('GET', `entries/${entry.id}`));
  assert.deepEqual([full.hasDraft, full.scheduled.length], [true, 1]);
  const { scheduled: _, hasDraft: __, ...rest } = asOthersSee(full);
  assert.deepEqual(await site.seen(`entries/${entry.id}`), rest);
});
