import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import test, { after } from 'node:test';
import { StorageUnavailable } from '../../src/providers/storage/port.ts';
import { s3Storage } from '../../src/providers/storage/s3.ts';
import { type Json, startHarness } from '../harness.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';
import { startS3 } from './s3-server.ts';

const s3 = await startS3();
const h = await startHarness({ STORAGE_URL: s3.url(), LOG_LEVEL: 'silent' });
after(s3.remove);

const image = await photo(1200, 900, 4);
const site = createServer((_request, response) => response.end(image));
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
after(() => site.close());
const imageUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/p.jpg`;

const MEBIBYTE = 1_048_576;
const film = (bytes: number) => {
  const whole = Buffer.alloc(bytes, 'noise');
  Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex').copy(whole);
  return whole;
};

function assertUnavailable({ status, headers }: { status: number; headers: Headers }, what: string): void {
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'], what);
  assert.doesNotMatch(headers.get('cache-control') ?? '', /immutable/);
}

/** Stops storage during the first call of `work`, then during the second, and so on, until `work` succeeds. */
async function failAtEachCall<T>(work: () => Promise<T>, whenFailed: (result: T) => unknown): Promise<[T, number]> {
  for (let calls = 0; ; calls++) {
    s3.stopAfter(calls);
    const result = await work();
    const survived = s3.isRunning();
    if (!survived) await whenFailed(result);
    await s3.start();
    if (survived) return [result, calls];
  }
}

/** Runs due jobs and tasks like a worker. */
async function runJobs(name: string): Promise<Error | null> {
  await h.pool`update jobs.job set start_after = now() where name = ${name} and state = 'retry'`;
  await h.pool`update tasks set due_at = 0 where queue = ${name} and due_at is not null`;
  return h.drain(name).then(
    () => null,
    (error) => error,
  );
}

async function runCron(name: string): Promise<Error | null> {
  await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, '', name, {}));
  return runJobs(name);
}

async function assertWhole(item: Json): Promise<void> {
  for (const url of [item.url, ...Object.values<Json>(item.resolutions).map((size) => size.url)])
    assert.equal((await fetchBytes(url)).status, 200, url);
}

test('an upload fails with 503 and adds no file if storage fails during any call, and succeeds when retried', async () => {
  for (const [way, files] of [
    [
      'form',
      [
        { name: 'a.txt', bytes: 'words' },
        { name: 'p.jpg', bytes: image },
      ],
    ],
    ['address', [imageUrl]],
  ] as const) {
    const { upload, call } = await openLibrary(h);
    const [{ status, body }, calls] = await failAtEachCall(
      () => upload(...files),
      async (response) => {
        assertUnavailable(response, way);
        assert.match(response.body.message, /File storage/);
        assert.deepEqual((await call('GET', '/media')).body.items, []);
      },
    );
    assert.equal(status, 200);
    assert.ok(calls >= 5, `${calls} calls`);
    for (const item of body.items) await assertWhole(item);
  }
});

test('a large upload survives a storage outage at every step, counts once, and sweeps remove leftovers', {
  timeout: 120_000,
}, async () => {
  const { call, token, businessId } = await openLibrary(h);
  const bytes = film(17 * MEBIBYTE);
  s3.stop();
  const input = { fileName: 'film.mp4', size: bytes.length, direct: false };
  const { status, body: newUpload } = await call('POST', '/media/uploads', input);
  assert.equal(status, 200, 'starting needs no storage');
  const put = ({ number, size, url }: Json) => {
    const body = bytes.subarray((number - 1) * newUpload.partSize).subarray(0, size) as never;
    return fetch(url, { method: 'PUT', headers: { ...newUpload.headers, authorization: `Bearer ${token}` }, body });
  };
  const complete = () => call('POST', `/media/uploads/${newUpload.id}/complete`);
  assertUnavailable(await call('GET', `/media/uploads/${newUpload.id}`), 'the list of parts');
  await s3.start();
  for (const part of newUpload.parts)
    assert.equal(
      (
        await failAtEachCall(
          () => put(part),
          (response) => assertUnavailable(response, 'a part'),
        )
      )[0].status,
      200,
    );
  const [completed] = await failAtEachCall(complete, (response) => assertUnavailable(response, 'complete'));
  assert.equal(completed.body.status, 'CHECKING');

  const [, calls] = await failAtEachCall(
    async () => {
      return runJobs('media-check');
    },
    async () => {
      const { status: checked } = (await call('GET', `/media/uploads/${newUpload.id}`)).body;
      const { items } = (await call('GET', '/media')).body;
      assert.equal(items.length, checked === 'CHECKING' ? 0 : 1, checked);
    },
  );
  assert.ok(calls >= 6, `${calls} calls`);
  const { body: done } = await call('GET', `/media/uploads/${newUpload.id}`);
  assert.equal(done.status, 'DONE');
  assert.ok((await fetchBytes(done.media!.url)).bytes.equals(bytes));

  h.clock.advance(90_000);
  await failAtEachCall(
    () => runCron('media-sweep'),
    async (error) => assert.ok(error, 'it is retried'),
  );
  const lost = await h.pool`select id from media where business_id = ${businessId} and is_missing`;
  assert.deepEqual(lost, [], 'an unreachable storage has lost nothing');
  assert.deepEqual(s3.files(`public/${businessId}`), [done.media!.url.split('/').at(-1)]);
  assert.deepEqual(s3.files('uploads'), []);
  const [usage] = await h.pool`select bytes from media_usage where business_id = ${businessId}`;
  assert.equal(usage!.bytes, bytes.length);
});

test('formats are created when storage is back, however long it was down, and until then the original is served', async () => {
  const { item } = await openLibrary(h);
  assert.equal(await runJobs('media-formats'), null, 'formats of other tests');
  const { resolutions } = await item(image, 'p.jpg');
  const typeOfSmall = async () => {
    const { status, headers } = await fetchBytes(resolutions!.small!.url, { accept: 'image/avif' });
    return `${status} ${headers.get('content-type')}`;
  };
  s3.stop();
  // More retries than for any other job.
  for (let i = 0; i < 12; i++) assert.ok(await runJobs('media-formats'));
  await s3.start();
  assert.equal(await typeOfSmall(), '200 image/jpeg');
  const [, calls] = await failAtEachCall(
    () => runJobs('media-formats'),
    (error) => assert.ok(error),
  );
  assert.ok(calls >= 7, `${calls} calls`);
  assert.equal(await typeOfSmall(), '200 image/avif');
});

test("a crop that can't be stored changes nothing", async () => {
  const { item, call } = await openLibrary(h);
  const { id } = await item(image, 'p.jpg');
  const before = (await call('GET', `/media/${id}`)).body;
  const [changed] = await failAtEachCall(
    () => call('PUT', `/media/${id}`, { focalPoint: { x: 0.1, y: 0.2 } }),
    async (response) => {
      assertUnavailable(response, 'a crop');
      assert.deepEqual((await call('GET', `/media/${id}`)).body, before);
    },
  );
  assert.equal(changed.status, 200);
  await assertWhole(changed.body);
});

test('a request for a file gets 503 while storage is down, no file is silently truncated, and files are available afterward', async () => {
  const { item } = await openLibrary(h);
  const bytes = film(24 * MEBIBYTE);
  const { url } = await item(bytes, 'film.mp4');
  const broken = await fetch(url);
  s3.stop();
  await assert.rejects(broken.arrayBuffer());
  assertUnavailable(await fetchBytes(url), 'GET');
  assertUnavailable(await fetchBytes(url, {}, 'HEAD'), 'HEAD');
  assertUnavailable(await fetchBytes(url, { range: 'bytes=0-9' }), 'a range');
  await s3.start();
  assert.ok((await fetchBytes(url)).bytes.equals(bytes));
});

test('files deleted or canceled while storage is down disappear immediately, and their objects once it is back', async () => {
  const { item, call, token, businessId } = await openLibrary(h);
  const { id } = await item('words', 'a.txt');
  const { body: newUpload } = await call('POST', '/media/uploads', { fileName: 'a.mp4', size: 1000, direct: false });
  const headers = { ...newUpload.headers, authorization: `Bearer ${token}` };
  assert.equal((await fetch(newUpload.url!, { method: 'PUT', headers, body: film(1000) as never })).status, 200);
  s3.stop();
  assert.equal((await call('DELETE', `/media/${id}`)).status, 200);
  assert.equal((await call('DELETE', `/media/uploads/${newUpload.id}`)).status, 200);
  assert.ok(await runJobs('media-delete-files'));
  await s3.start();
  const stored = () => [...s3.files(`public/${businessId}`), ...s3.files(`uploads/${businessId}`)];
  assert.equal(stored().length, 2);
  assert.equal(await runJobs('media-delete-files'), null);
  assert.deepEqual(stored(), []);
  const [usage] = await h.pool`select bytes from media_usage where business_id = ${businessId}`;
  assert.equal(usage!.bytes, 0);
});

test('the service starts while storage is down, and only file requests fail', async () => {
  const away = await startHarness({ STORAGE_URL: 's3://K:S@127.0.0.1:1/souk?scheme=http', LOG_LEVEL: 'silent' });
  const { upload, call } = await openLibrary(away);
  const response = await upload({ name: 'a.txt', bytes: 'words' });
  assertUnavailable(response, 'an upload');
  assert.match(response.body.message, /^File storage is unreachable \(\w+\)\.$/);
  assert.deepEqual((await call('GET', '/media')).body.items, []);
});

test('a file that fails before it is sent rejects the upload and does not end the process', async () => {
  const storage = s3Storage({
    type: 's3',
    endpoint: imageUrl,
    bucket: 'b',
    region: 'r',
    key: 'k',
    secret: 's',
    publicUrl: null,
  });
  const body = new PassThrough();
  const stored = storage.putStream('key', body, 3);
  body.destroy(new Error('The file could not be opened'));
  await assert.rejects(stored, StorageUnavailable);
});
