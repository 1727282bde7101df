import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { createImages } from '../../src/providers/images/index.ts';
import { photo, slowSvg } from '../media/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'souk-images-'));
/** Never kills a child because of elapsed time, and starts no additional one. */
const images = createImages({ timeoutMs: 2 ** 31 - 1, overdueMs: 2 ** 31 - 1 });
after(() => {
  images.close();
  rmSync(folder, { recursive: true, force: true });
});
const path = join(folder, 'photo.jpg');
writeFileSync(path, await photo(600, 400));
const never = new AbortController().signal;

const slowFile = { path: join(folder, 'slow.svg'), mimeType: 'image/svg+xml' };
writeFileSync(slowFile.path, slowSvg());

function make(businessId: string, { signal = never, file = { path, mimeType: 'image/jpeg' }, by = images } = {}) {
  const output = mkdtempSync(join(folder, 'made-'));
  const task = {
    ...file,
    folder: output,
    whole: false,
    sizes: ['small'],
    formats: ['own'],
    focalPoint: { x: 0.5, y: 0.5 },
  } as const;
  return { output, made: by.make(task, { businessId, signal }) };
}

test('an image that takes more than five seconds of CPU time is abandoned, and the next image is processed', async () => {
  const given = make('biz_a', { file: slowFile }).made;
  const next = make('biz_a').made;
  await assert.rejects(given, { name: 'Error', code: 'DAMAGED', message: /too much time/ });
  assert.equal((await next).files.length, 1);
});

test('slow images of two businesses do not delay the images of a third', async () => {
  const processor = createImages({ timeoutMs: 2 ** 31 - 1, overdueMs: 1 });
  const slow = (businessId: string) => make(businessId, { file: slowFile, by: processor }).made;
  await assert.rejects(slow('biz_a'), { code: 'DAMAGED' });
  const endless = ['biz_b', 'biz_a'].map((id) => slow(id).catch(() => `the image of ${id} failed`));
  const fast = make('biz_c', { by: processor }).made.then(() => 'the image of biz_c was processed');
  assert.equal(await Promise.race([...endless, fast]), 'the image of biz_c was processed');
  processor.close();
  await Promise.all(endless);
});

test('a business with a slow image can use the reserved process again after a while', async () => {
  const expiring = createImages({ timeoutMs: 2 ** 31 - 1, overdueMs: 1, slowMs: 1 });
  const slow = (businessId: string) => make(businessId, { file: slowFile, by: expiring }).made;
  await assert.rejects(slow('biz_a'), { code: 'DAMAGED' });
  const endless = ['biz_b', 'biz_b'].map((id) => slow(id).catch(() => `an image of ${id} failed`));
  const fast = make('biz_a', { by: expiring }).made.then(() => 'the image of biz_a was processed');
  assert.equal(await Promise.race([...endless, fast]), 'the image of biz_a was processed');
  expiring.close();
  await Promise.all(endless);
});

test('businesses take turns, so that many images of one delay another by a few at most', async () => {
  const order: string[] = [];
  const track = (businessId: string) => make(businessId).made.then(() => order.push(businessId));
  await Promise.all([...Array.from({ length: 20 }, () => track('biz_a')), track('biz_b'), track('biz_c')]);
  assert.ok(order.indexOf('biz_b') < 5 && order.indexOf('biz_c') < 6, order.join(' '));
  assert.equal(order.length, 22);
});

test('waiting images are dropped when their client disconnects', async () => {
  const gone = new AbortController();
  const first = make('biz_a');
  const others = Array.from({ length: 5 }, () => make('biz_a', { signal: gone.signal }));
  const last = make('biz_a');
  gone.abort();
  const outcomes = await Promise.allSettled(others.map(({ made }) => made));
  // At most one of them had started.
  const dropped = others.filter((_, i) => outcomes[i]!.status === 'rejected');
  assert.ok(dropped.length >= 4);
  await Promise.all([first.made, last.made]);
  for (const { output } of dropped) assert.deepEqual(readdirSync(output), []);
  await assert.rejects(make('biz_a', { signal: gone.signal }).made, { name: 'AbortError' });
});

test('a business can have at most a hundred images waiting, and others can still add theirs', async () => {
  const gone = new AbortController();
  const waiting = Array.from({ length: 110 }, () => make('biz_a', { signal: gone.signal }).made);
  const other = make('biz_b').made;
  gone.abort();
  const outcomes = await Promise.allSettled(waiting);
  const busy = outcomes.filter(({ reason }: { reason?: Error } & object) => /Too many/.test(String(reason)));
  assert.ok(busy.length >= 8 && busy.length <= 10, String(busy.length));
  await other;
});

test('an image fails as busy if no process can be started, and the service keeps running', async () => {
  const script = `
    import { openSync } from 'node:fs';
    import { createImages } from ${JSON.stringify(new URL('../../src/providers/images/index.ts', import.meta.url).href)};
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    const make = () => createImages().make({}, { businessId: 'biz_1', signal: new AbortController().signal });
    const errors = await Promise.all([make(), make()].map((made) => made.catch((error) => error.constructor.name)));
    console.log(errors.join());`;
  const limited = ['-c', 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const { stdout } = await promisify(execFile)('sh', limited);
  assert.equal(stdout.trim(), 'ImagesBusy,ImagesBusy');
});
