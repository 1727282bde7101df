import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Steps } from '../../src/domains/media/context.ts';
import { checkUpload } from '../../src/domains/media/large-uploads/check-upload.ts';
import { LEASE_SECONDS } from '../../src/jobs/due-rows.ts';
import { type Harness, type Json, startHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { startService } from '../service.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';
import { startS3 } from './s3-server.ts';

const s3 = await startS3();
const [onDisk, onS3] = [await startHarness(), await startHarness({ STORAGE_URL: s3.url() })];
after(s3.remove);

const MEBIBYTE = 1_048_576;
/** The header of an MP4 video, followed by noise. */
const film = (bytes: number, seed: number) => {
  const whole = Buffer.alloc(bytes, `noise ${seed}`);
  Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex').copy(whole);
  return whole;
};

for (const [name, h, direct] of [
  ['on disk', onDisk, true],
  ['on S3, straight into the store', onS3, true],
  ['on S3, through the service', onS3, false],
] as [string, Harness, boolean][]) {
  test(`a large file ${name} is uploaded in parts, resumes after an interruption, and is usable after its check`, async () => {
    const { call, token } = await openLibrary(h);
    const bytes = film(17 * MEBIBYTE, direct ? 1 : 2);
    const input = { fileName: 'film.mp4', size: bytes.length, mimeType: 'text/html', direct };
    const { body: newUpload } = await call('POST', '/media/uploads', input);
    assert.deepEqual(
      newUpload.parts.map(({ size }) => size),
      [16 * MEBIBYTE, MEBIBYTE],
    );
    const put = (
      part: Json,
      content = bytes.subarray((part.number - 1) * newUpload.partSize).subarray(0, part.size),
    ) => {
      const isOurs = part.url.startsWith(h.url);
      assert.equal(isOurs, h === onDisk || !direct);
      const headers = { ...newUpload.headers, ...(isOurs ? { authorization: `Bearer ${token}` } : {}) };
      return fetch(part.url, { method: 'PUT', headers, body: content as never });
    };
    assert.equal((await put(newUpload.parts[1])).status, 200);
    if (h === onDisk || !direct) assert.equal((await put(newUpload.parts[0], Buffer.from('short'))).status, 422);
    assert.equal((await call('POST', `/media/uploads/${newUpload.id}/complete`)).status, 422, 'parts are missing');
    const { body: resumed } = await call('GET', `/media/uploads/${newUpload.id}`);
    assert.deepEqual(
      resumed.parts.map(({ isStored }) => isStored),
      [false, true],
    );
    for (const part of resumed.parts.filter(({ isStored }) => !isStored)) assert.equal((await put(part)).status, 200);
    assert.equal((await call('POST', `/media/uploads/${newUpload.id}/complete`)).body.status, 'CHECKING');
    assert.deepEqual((await call('GET', '/media')).body.items, [], 'not checked yet');
    await h.drain('media-check');
    const { body: done } = await call('GET', `/media/uploads/${newUpload.id}`);
    assert.deepEqual([done.status, done.media!.mimeType, done.media!.size], ['DONE', 'video/mp4', bytes.length]);
    const served = await fetchBytes(done.media!.url, { range: `bytes=${16 * MEBIBYTE - 2}-${16 * MEBIBYTE + 1}` });
    assert.deepEqual(served.bytes, bytes.subarray(16 * MEBIBYTE - 2, 16 * MEBIBYTE + 2));
    assert.equal((await fetchBytes(done.media!.url)).bytes.equals(bytes), true);
  });
}

test('a large file of an unsupported type fails with a reason and frees its quota', async () => {
  const { call, token, businessId } = await openLibrary(onDisk);
  const page = Buffer.from('<html>');
  const { body: newUpload } = await call('POST', '/media/uploads', { fileName: 'x.png', size: page.length });
  const headers = { ...newUpload.headers, authorization: `Bearer ${token}` };
  assert.equal((await fetch(newUpload.url!, { method: 'PUT', headers, body: page })).status, 200);
  await call('POST', `/media/uploads/${newUpload.id}/complete`);
  assert.equal(
    (await fetch(newUpload.url!, { method: 'PUT', headers, body: page })).status,
    409,
    'late parts are rejected',
  );
  await onDisk.drain('media-check');
  const { body: failed } = await call('GET', `/media/uploads/${newUpload.id}`);
  assert.deepEqual([failed.status, failed.media], ['FAILED', undefined]);
  assert.match(failed.problem!, /HTML/);
  const [usage] = await onDisk.pool`select bytes from media_usage where business_id = ${businessId}`;
  assert.equal(usage!.bytes, 0);
});

test('an upload can’t be canceled during its check, so that its quota is not lost', async () => {
  const { call, token, businessId } = await openLibrary(onDisk);
  const page = Buffer.from('<html>');
  const { body: newUpload } = await call('POST', '/media/uploads', { fileName: 'x.png', size: page.length });
  const headers = { ...newUpload.headers, authorization: `Bearer ${token}` };
  await fetch(newUpload.url!, { method: 'PUT', headers, body: page });
  await call('POST', `/media/uploads/${newUpload.id}/complete`);
  assert.equal((await call('DELETE', `/media/uploads/${newUpload.id}`)).status, 409);
  await onDisk.drain('media-check');
  assert.equal((await call('DELETE', `/media/uploads/${newUpload.id}`)).status, 200);
  const [usage] = await onDisk.pool`select bytes from media_usage where business_id = ${businessId}`;
  assert.equal(usage!.bytes, 0);
});

test('a check whose process died is taken over within a minute', async () => {
  const { call, token, businessId } = await openLibrary(onDisk);
  const bytes = film(1000, 9);
  const { body: newUpload } = await call('POST', '/media/uploads', { fileName: 'x.mp4', size: bytes.length });
  const headers = { ...newUpload.headers, authorization: `Bearer ${token}` };
  assert.equal((await fetch(newUpload.url!, { method: 'PUT', headers, body: bytes as never })).status, 200);
  await call('POST', `/media/uploads/${newUpload.id}/complete`);
  // As if a process had been killed while running the task.
  await onDisk.pool`
    update tasks set running = true, attempts = 1, due_at = ${onDisk.clock.seconds() + LEASE_SECONDS}
    where business_id = ${businessId} and queue = 'media-check'`;
  const check = async () => {
    await onDisk.drain('media-check');
    return (await call('GET', `/media/uploads/${newUpload.id}`)).body.status;
  };
  assert.equal(await check(), 'CHECKING', 'its process may still be alive');
  onDisk.clock.advance(LEASE_SECONDS);
  assert.equal(await check(), 'DONE');
});

test('a large file whose duplicate is deleted from the library during its check is checked again and becomes usable', async () => {
  const { call, token, item, businessId } = await openLibrary(onDisk);
  const bytes = film(1000, 10);
  const { id } = await item(bytes, 'x.mp4');
  const { body: newUpload } = await call('POST', '/media/uploads', { fileName: 'x.mp4', size: bytes.length });
  const headers = { ...newUpload.headers, authorization: `Bearer ${token}` };
  assert.equal((await fetch(newUpload.url!, { method: 'PUT', headers, body: bytes as never })).status, 200);
  await call('POST', `/media/uploads/${newUpload.id}/complete`);
  const ctx = onDisk.service.contexts.steps({ caller: null, businessId, address: '' }) as Steps;
  const checking = await onDisk.pool.transaction(async (tx) => {
    await tx`select from media_uploads where business_id = ${businessId} and id = ${newUpload.id} for update`;
    const check = checkUpload(ctx, { uploadId: newUpload.id });
    const outcome = check.then(
      () => 'done',
      (error: Error) => error.message,
    );
    await whenWaitingForLock(onDisk.pool, check);
    // Not with a request: with a pool of one, it would wait for the connection of the check.
    await onDisk.pool`delete from media where business_id = ${businessId} and id = ${id}`;
    return { outcome };
  });
  assert.match(await checking.outcome, /starts over/);
  assert.equal((await call('GET', `/media/uploads/${newUpload.id}`)).body.status, 'CHECKING');
  await onDisk.drain('media-check', 'media-delete-files');
  const { body: done } = await call('GET', `/media/uploads/${newUpload.id}`);
  assert.equal(done.status, 'DONE');
  assert.equal((await fetchBytes(done.media!.url)).bytes.equals(bytes), true);
});

test('images on S3 have the same sizes and formats as on disk', async () => {
  const { item, call } = await openLibrary(onS3);
  const { id, resolutions } = await item(await photo(700, 500), 'p.jpg');
  await onS3.drain('media-formats');
  const { status, headers } = await fetchBytes(resolutions!.small!.url, { accept: 'image/avif' });
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/avif']);
  assert.equal((await call('DELETE', `/media/${id}`)).status, 200);
  await onS3.drain('media-delete-files');
  assert.equal((await fetchBytes(resolutions!.small!.url)).status, 404);
});

test('a wrong secret or bucket prevents startup with a one-line error', { timeout: 60_000 }, async () => {
  const { host, user, password, database } = onDisk.target;
  const start = (url: string) =>
    startService('start', {
      PORT: '0',
      DATA_DIR: onDisk.config.dataDir,
      SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
      DATABASE_URL: `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`,
      STORAGE_URL: url,
    });
  await assert.rejects(start(s3.url('wrong')), /souk: STORAGE_URL: storage rejected the access key or secret/);
  await assert.rejects(start(s3.url('S3RVER', 'nobucket')), /souk: STORAGE_URL: the bucket nobucket does not exist/);
});
