import assert from 'node:assert/strict';
import test from 'node:test';
import { wordsOf as productWords } from '../../src/domains/catalog/words.ts';
import { sanitizeHtml } from '../../src/shared/blocks/html.ts';
import { prepareTexts } from '../../src/shared/blocks.ts';
import { wordsOf } from '../../src/shared/text-words.ts';
import { type Json, startHarness } from '../harness.ts';

const h = await startHarness();
const businessId = await h.business();
const { token } = await h.member(businessId, 'CONTENT_WRITE', 'CATALOG_WRITE');
const call = (method: string, path: string, body: object): Promise<Json> =>
  h.call(method, `/v1/businesses/${businessId}${path}`, { token, body });

/** Of this thread, whatever else the machine does. */
function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test('a text made of opening brackets is read as fast as any other', () => {
  const begun = performance.now();
  assert.deepEqual([...wordsOf(`one ${'<'.repeat(500_000)} <b>two</b>`)], ['one', 'two']);
  assert.ok(performance.now() - begun < 5000);
});

test('characters that grow eighteen times when they are folded cost no more than others', () => {
  const grown = '\ufdfa'.repeat(330_000);
  let characters = 0;
  for (const word of wordsOf(grown)) characters += word.length;
  assert.ok(characters > 0 && characters <= 1_000_000);
  const { vocabulary } = productWords([{ text: `first ${'x '.repeat(60_000)} last`, weight: 'D' }]);
  assert.deepEqual(vocabulary, ['first', 'x'], 'what comes after the first 100,000 characters is not looked at');
});

test('long and hostile rich text is cleaned without holding up anybody else', async () => {
  const blocks = [{ id: 'body', type: 'TEXT', settings: { variant: 'HTML' } }];
  const collection = (await call('POST', '/collections', { name: 'Rich', blocks })).body;
  const hostile = '<tr><td onclick="x">'.repeat(20_000);
  const alone = cpuMs(() => void sanitizeHtml(hostile));
  const before = process.threadCpuUsage();
  const values = [{ id: 'body', value: hostile }];
  const [entry, product] = await Promise.all([
    call('POST', '/entries', { collectionId: collection.id, blocks: values }),
    call('POST', '/products', { name: 'Rich', blocks: [{ ...blocks[0], ...values[0] }] }),
  ]);
  const { user, system } = process.threadCpuUsage(before);
  assert.deepEqual([entry.status, product.status], [200, 200]);
  for (const { body } of [entry, product]) {
    assert.ok(body.blocks[0].value.startsWith('<tr><td>') && !body.blocks[0].value.includes('onclick'));
  }
  const changed = await call('PUT', `/entries/${entry.body.id}`, { statuses: [{ status: 'PUBLISHED' }] });
  assert.equal(changed.status, 200, 'what is stored is prepared, too');
  const used = (user + system) / 1000;
  // Either of the two, cleaned here, would take as long again as everything else together.
  assert.ok(
    used < 1.6 * alone,
    `${Math.round(used)} ms of this thread; cleaning one text here takes ${Math.round(alone)}`,
  );
});

test('a text that takes too long is refused, and those that wait behind it are done', async () => {
  const slow = Array.from({ length: 40 }, (_, i) => ({ value: `${i}${'<tr><td>'.repeat(60_000)}` }));
  const fine = [{ value: `<p>${'x '.repeat(10_000)}</p>` }];
  const [refused, done] = await Promise.allSettled([prepareTexts(slow), prepareTexts(fine)]);
  assert.equal(refused.status, 'rejected');
  assert.match(String(refused.reason.message), /too long/);
  assert.equal(done.status, 'fulfilled');
  assert.deepEqual([...done.value.words(fine[0]!.value)], ['x']);
});

test('generated texts have a limit together', async () => {
  const blocks = Array.from({ length: 100 }, (_, i) => ({
    id: `b${i}`,
    type: 'TEXT',
    settings: { minLength: 40_000 },
  }));
  const { body } = await call('POST', '/collections/blocks/generate', { prompt: 'Linen', blocks });
  const lengths = body.blocks.map(({ value }: Json) => value?.length ?? 0);
  assert.deepEqual(lengths, [40_000, 40_000, ...Array(98).fill(0)]);
});
