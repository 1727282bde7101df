import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/domains/imports/context.ts';
import type { Batch, DetectedFile, Request } from '../../src/domains/imports/conversion/convert.ts';
import type { Item } from '../../src/domains/imports/conversion/convert-record.ts';
import { readBatches } from '../../src/domains/imports/conversion/read-batches.ts';
import { runImport } from '../../src/domains/imports/running/run-import.ts';
import { createConverter } from '../../src/shared/threads/index.ts';
import { shareHarness } from '../harness.ts';
import { countsOf, MARKETS, openShop } from './shop.ts';

const h = await shareHarness();
const converter = createConverter<Request, Batch | DetectedFile>(new URL('./marked-convert.ts', import.meta.url), {
  cpuMs: 400,
  heapBytes: 256 * 1_048_576,
  outputBytes: 64 * 1_048_576,
});

const HEADER = ['Handle', 'Title', 'Option1 Value', 'Variant Price'];
const fileOf = (names: string[]) => [HEADER.join(), ...names.map((name, i) => `p-${i},${name},M,9.50`)].join('\n');
const TOO_SLOW = 'This record takes too long to convert. Simplify it, or remove it from the file.';

/** The service's context with the converter of this test. */
const withConverter = (ctx: Steps): Steps =>
  new Proxy(ctx, {
    get(target, name) {
      if (name === 'imports') return { ...target.imports, converter };
      if (name === 'within')
        return (...given: Parameters<Steps['within']>) => withConverter(target.within(...given) as Steps);
      const value = Reflect.get(target, name, target);
      // `db` is a function with properties.
      return typeof value === 'function' && name !== 'db' ? value.bind(target) : value;
    },
  });

async function imported(names: string[], prepare?: (id: string) => Promise<unknown>) {
  const shop = await openShop(h, { configs: { markets: [MARKETS[0]] } });
  const { body } = await shop.post('type=products', fileOf(names));
  await prepare?.(body.id);
  const ctx = h.service.contexts.system().within(shop.businessId) as unknown as Steps;
  await runImport(withConverter(ctx), { businessId: shop.businessId, id: body.id });
  return { ...(await shop.get(`/imports/${body.id}`)), errors: await shop.errorsOf(body.id) };
}

test('records that take too long, grow too large or crash are reported with their row, and the others are imported', async () => {
  const done = await imported(['A', 'LOOP', 'B', 'GROW', 'LONG', 'CRASH', 'C']);
  assert.equal(countsOf(done), 'DONE +3 ~0 =0 -0 !4');
  assert.deepEqual(
    done.errors.map(({ row, error, message }) => [row, error, message]),
    [
      [3, 'TOO_COMPLEX', TOO_SLOW],
      [5, 'TOO_COMPLEX', TOO_SLOW],
      [6, 'TOO_LONG', 'This record is larger than 8 MiB. Shorten it.'],
      [7, 'TOO_COMPLEX', "This record can't be converted. Compare it with a record that was imported successfully."],
    ],
  );
});

test('an import with too many records that take too long fails with a reason', async () => {
  const failed = await imported(
    ['A', 'CRASH', 'B'],
    (id) => h.pool`update imports set slow_records = 20 where id = ${id}`,
  );
  assert.equal(failed.status, 'FAILED');
  assert.match(failed.error!, /^More than 20 records take too long/);
});

test('an aborted import ends its thread, even in the middle of a record', async () => {
  const stopped = new AbortController();
  const file = Buffer.from(fileOf(['LOOP']));
  const ctx = {
    signal: stopped.signal,
    imports: { converter, schemas: '{"product":{}}' },
    media: { storage: { open: async () => ({ body: file }) } },
  } as unknown as Steps;
  const options = { shape: 'csv', encoding: 'utf-8', hasMark: false, delimiter: ',', header: HEADER } as const;
  const row = {
    businessId: 'biz_1',
    type: 'products',
    format: 'shopify-products',
    options,
    size: file.length,
  } as never;
  const to = { businessId: 'biz_1', markets: [], market: null, collections: new Map(), collection: null } as never;
  const items: Item[] = [];
  const read = (async () => {
    for await (const batch of readBatches(ctx, { ...(row as object), position: 0, row: 0 } as never, async () => to))
      items.push(...batch);
  })();
  setImmediate(() => stopped.abort(new Error('stopped')));
  await assert.rejects(read, { message: 'stopped' });
  assert.deepEqual(items, []);
});
