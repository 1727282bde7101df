import assert from 'node:assert/strict';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { wordsOf as productWords } from '../../src/domains/catalog/search/words.ts';
import type { Converted } from '../../src/domains/imports/formats/format.ts';
import { collectFiles } from '../../src/domains/imports/formats/own/media.ts';
import { sanitizeHtml } from '../../src/shared/blocks/html.ts';
import { checkBlocks, NOTHING_PREPARED, prepareTexts } from '../../src/shared/blocks/index.ts';
import { wordsOf } from '../../src/shared/text/text-words.ts';
import { cpuMs } from '../cpu.ts';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const { token } = await h.member(businessId, 'CONTENT_WRITE', 'CATALOG_WRITE');
const call = <M extends string, P extends string>(method: M, path: P, body: object) =>
  h.call(method, `/v1/businesses/${businessId}${path}`, { token, body });

test('long text is processed under node --watch, which sends messages of its own from each thread', async () => {
  process.env.WATCH_REPORT_DEPENDENCIES = '1';
  const text = '<p>long <b onclick="x()">text</b></p>'.repeat(5000);
  const { sanitize } = await prepareTexts('biz_1', [{ id: 'body', type: 'TEXT', value: text }]);
  delete process.env.WATCH_REPORT_DEPENDENCIES;
  assert.equal(sanitize(text), text.replaceAll(' onclick="x()"', ''));
});

test('half a million opening brackets are parsed in linear time', () => {
  assert.deepEqual([...wordsOf(`one ${'<'.repeat(500_000)} <b>two</b>`)], ['one', 'two']);
});

test('characters that grow eighteenfold when folded cost no more than others', () => {
  const grown = '\ufdfa'.repeat(330_000);
  let characters = 0;
  for (const word of wordsOf(grown)) characters += word.length;
  assert.ok(characters > 0 && characters <= 1_000_000);
  const { vocabulary } = productWords([{ text: `first ${'x '.repeat(60_000)} last`, weight: 'D' }]);
  assert.deepEqual(vocabulary, ['first', 'x'], 'text beyond the first 100,000 characters is ignored');
});

test('long and hostile rich text is sanitized without blocking other requests', async () => {
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
    const value = body.blocks[0]!.value as string;
    assert.ok(value.startsWith('<tr><td>') && !value.includes('onclick'));
  }
  const changed = await call('PUT', `/entries/${entry.body.id}`, { statuses: [{ status: 'PUBLISHED' }] });
  assert.equal(changed.status, 200, 'stored text is prepared, too');
  const used = (user + system) / 1000;
  // Sanitizing either text on this thread would double the total time.
  assert.ok(
    used < 1.6 * alone,
    `${Math.round(used)} ms of this thread; sanitizing one text here takes ${Math.round(alone)}`,
  );
});

test('text that takes too long is rejected, and text queued behind it is processed', async (t) => {
  const usage = t.mock.method(Worker.prototype, 'cpuUsage', async () => ({ user: Infinity, system: 0 }), { times: 1 });
  const slow = Array.from({ length: 40 }, (_, i) => ({ value: `${i}${'<tr><td>'.repeat(60_000)}` }));
  const fine = [{ value: `<p>${'x '.repeat(10_000)}</p>` }];
  const both = await Promise.allSettled([prepareTexts('biz_1', slow), prepareTexts('biz_1', fine)]);
  const [refused, done] = both;
  assert.equal(usage.mock.callCount() > 0, true);
  assert.equal(refused.status, 'rejected');
  assert.match(String(refused.reason.message), /too long/);
  assert.equal(done.status, 'fulfilled');
  assert.deepEqual([...done.value.words(fine[0]!.value)], ['x']);
});

test('a business that saves many long texts at once delays nobody else and refuses none of their texts', async () => {
  const long = (i: number) => [{ value: `${i}${'<tr><td>'.repeat(20_000)}` }];
  const finished: string[] = [];
  const many = Array.from({ length: 70 }, (_, i) =>
    prepareTexts('biz_1', long(i)).then(
      () => finished.push('own'),
      ({ kind }) => finished.push(kind),
    ),
  );
  await prepareTexts('biz_2', long(0));
  assert.ok(finished.filter((each) => each === 'own').length < 10, finished.join(' '));
  await Promise.all(many);
  const refused = finished.filter((each) => each === 'UNAVAILABLE').length;
  assert.ok(refused > 0 && refused <= 20, `${refused} texts of the business itself were refused`);
});

test('an idle thread does not keep the process alive', async () => {
  await prepareTexts('biz_1', [{ value: 'x '.repeat(10_000) }]);
  assert.ok(!process.getActiveResourcesInfo().includes('MessagePort'));
});

test('generated values share a total limit', async () => {
  const blocks = Array.from({ length: 100 }, (_, i) => ({
    id: `b${i}`,
    type: 'TEXT',
    settings: { minLength: 40_000 },
  }));
  const { body } = await call('POST', '/collections/blocks/generate', { prompt: 'Linen', blocks });
  const lengths = body.blocks.map(({ value }) => (value as string | null)?.length ?? 0);
  assert.deepEqual(lengths, [40_000, 40_000, ...Array(98).fill(0)]);
});

test('values above a limit are rejected without being processed', async () => {
  const long = '<p>'.repeat(20_000);
  const locales = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`l${i}`, long]));
  const blocks = Array.from({ length: 501 }, (_, i) => ({ id: `b${i}`, type: 'TEXT', value: long }));
  assert.equal(await prepareTexts('biz_1', [{ value: locales }]), NOTHING_PREPARED);
  assert.equal(await prepareTexts('biz_1', blocks), NOTHING_PREPARED);
  const sanitize = () => assert.fail('sanitized');
  const translated = { id: 'a', type: 'TEXT', settings: { variant: 'HTML' }, value: locales };
  for (const sent of [[translated], blocks]) {
    const { errors } = checkBlocks(sent, 'blocks', { sanitize });
    assert.deepEqual(
      errors.map(({ error }) => error),
      ['TOO_LONG'],
    );
  }
});

test('an import does not search records with too many blocks for files', () => {
  const blocks = Array.from({ length: 501 }, (_, i) => ({
    id: `b${i}`,
    type: 'MEDIA',
    value: { url: 'https://x.example/' },
  }));
  const record = { kind: 'entry', data: { input: { blocks } }, keys: [] } as unknown as Converted;
  collectFiles(record, 1);
  assert.equal(record.images, undefined);
});
