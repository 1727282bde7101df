import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { type Harness, type Json, startHarness } from '../harness.ts';
import { startService } from '../service.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

type S3Server = { run(): Promise<AddressInfo>; close(): Promise<void> };
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3Server;

const directory = mkdtempSync(join(tmpdir(), 'souk-s3-'));
const s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'souk' }] });
const { port } = await s3.run();
const storageUrl = (secret = 'S3RVER', bucket = 'souk') =>
  `s3://S3RVER:${secret}@127.0.0.1:${port}/${bucket}?scheme=http`;
const [onDisk, onS3] = [await startHarness(), await startHarness({ STORAGE_URL: storageUrl() })];
after(async () => {
  await s3.close();
  rmSync(directory, { recursive: true, force: true });
});

const MEBIBYTE = 1_048_576;
/** The beginning of an MP4 film, and noise. */
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
  test(`a large file ${name} arrives in parts, goes on after a break, and is usable once it was checked`, async () => {
    const { call, token } = await openLibrary(h);
    const bytes = film(33 * MEBIBYTE, direct ? 1 : 2);
    const input = { fileName: 'film.mp4', size: bytes.length, mimeType: 'text/html', direct };
    const { body: begun } = await call('POST', '/media/uploads', input);
    assert.deepEqual(
      begun.parts.map(({ size }: Json) => size),
      [16 * MEBIBYTE, 16 * MEBIBYTE, MEBIBYTE],
    );
    const put = (part: Json, content = bytes.subarray((part.number - 1) * begun.partSize).subarray(0, part.size)) => {
      const isOurs = part.url.startsWith(h.url);
      assert.equal(isOurs, h === onDisk || !direct);
      const headers = { ...begun.headers, ...(isOurs ? { authorization: `Bearer ${token}` } : {}) };
      return fetch(part.url, { method: 'PUT', headers, body: content as never });
    };
    assert.equal((await put(begun.parts[2])).status, 200);
    if (h === onDisk || !direct) assert.equal((await put(begun.parts[0], Buffer.from('short'))).status, 422);
    assert.equal((await call('POST', `/media/uploads/${begun.id}/complete`)).status, 422, 'parts are missing');
    const { body: resumed } = await call('GET', `/media/uploads/${begun.id}`);
    assert.deepEqual(
      resumed.parts.map(({ isStored }: Json) => isStored),
      [false, false, true],
    );
    for (const part of resumed.parts.filter(({ isStored }: Json) => !isStored))
      assert.equal((await put(part)).status, 200);
    assert.equal((await call('POST', `/media/uploads/${begun.id}/complete`)).body.status, 'CHECKING');
    assert.deepEqual((await call('GET', '/media')).body.items, [], 'it was not checked yet');
    await h.drain('media-check');
    const { body: done } = await call('GET', `/media/uploads/${begun.id}`);
    assert.deepEqual([done.status, done.media.mimeType, done.media.size], ['DONE', 'video/mp4', bytes.length]);
    const served = await fetchBytes(done.media.url, { range: `bytes=${16 * MEBIBYTE - 2}-${16 * MEBIBYTE + 1}` });
    assert.deepEqual(served.bytes, bytes.subarray(16 * MEBIBYTE - 2, 16 * MEBIBYTE + 2));
    assert.equal((await fetchBytes(done.media.url)).bytes.equals(bytes), true);
  });
}

test('a large file that is not what is accepted fails, says why and gives its room back', async () => {
  const { call, token, businessId } = await openLibrary(onDisk);
  const page = Buffer.from('<html>');
  const { body: begun } = await call('POST', '/media/uploads', { fileName: 'x.png', size: page.length });
  const headers = { ...begun.headers, authorization: `Bearer ${token}` };
  assert.equal((await fetch(begun.url, { method: 'PUT', headers, body: page })).status, 200);
  await call('POST', `/media/uploads/${begun.id}/complete`);
  assert.equal((await fetch(begun.url, { method: 'PUT', headers, body: page })).status, 409, 'no part comes late');
  await onDisk.drain('media-check');
  const { body: failed } = await call('GET', `/media/uploads/${begun.id}`);
  assert.deepEqual([failed.status, failed.media], ['FAILED', undefined]);
  assert.match(failed.problem, /HTML/);
  const [usage] = await onDisk.pool`select bytes from media_usage where business_id = ${businessId}`;
  assert.equal(usage!.bytes, 0);
});

test('a check whose process has died is taken over within two minutes', async () => {
  const { call, token } = await openLibrary(onDisk);
  const bytes = film(1000, 9);
  const { body: begun } = await call('POST', '/media/uploads', { fileName: 'x.mp4', size: bytes.length });
  const headers = { ...begun.headers, authorization: `Bearer ${token}` };
  assert.equal((await fetch(begun.url, { method: 'PUT', headers, body: bytes as never })).status, 200);
  await call('POST', `/media/uploads/${begun.id}/complete`);
  // As when a process is killed while it works on the job.
  await onDisk.pool`update jobs.job set state = 'active', started_on = now() where name = 'media-check' and state = 'created'`;
  const resume = async () => {
    await onDisk.pool.transaction((tx) => onDisk.service.jobs.enqueue(tx, 'media-resume', {}));
    await onDisk.drain('media-resume', 'media-check');
    return (await call('GET', `/media/uploads/${begun.id}`)).body.status;
  };
  assert.equal(await resume(), 'CHECKING', 'it may be alive');
  onDisk.clock.advance(60);
  assert.equal(await resume(), 'DONE');
});

test('pictures on S3 have all that pictures on disk have', async () => {
  const { item, call } = await openLibrary(onS3);
  const { id, resolutions } = await item(await photo(700, 500), 'p.jpg');
  await onS3.drain('media-formats');
  const { status, headers } = await fetchBytes(resolutions.small.url, { accept: 'image/avif' });
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/avif']);
  assert.equal((await call('DELETE', `/media/${id}`)).status, 200);
  await onS3.drain('media-delete-files');
  assert.equal((await fetchBytes(resolutions.small.url)).status, 404);
});

test('a wrong secret or bucket stops the start with one line that says so', { timeout: 60_000 }, async () => {
  const { host, user, password, database } = onDisk.target;
  const start = (url: string) =>
    startService('start', {
      PORT: '0',
      DATA_DIR: directory,
      SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
      DATABASE_URL: `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`,
      STORAGE_URL: url,
    });
  await assert.rejects(start(storageUrl('wrong')), /souk: STORAGE_URL: the store refuses the key or its secret/);
  await assert.rejects(start(storageUrl('S3RVER', 'nobucket')), /souk: STORAGE_URL: the store has no bucket nobucket/);
});

test('a store that is away stops nothing but files: 503 that says so, and nothing half is seen', async () => {
  const away = await startHarness({ STORAGE_URL: 's3://K:S@127.0.0.1:1/souk?scheme=http', LOG_LEVEL: 'silent' });
  const { upload, call } = await openLibrary(away);
  const answer = await upload({ name: 'a.txt', bytes: 'words' });
  assert.deepEqual([answer.status, answer.body.error], [503, 'UNAVAILABLE']);
  assert.match(answer.body.message, /file store cannot be reached/);
  assert.deepEqual((await call('GET', '/media')).body.items, []);
});

test('a store that goes away in the middle: 503 each time, nothing half is seen, and all goes on when it is back', async () => {
  const where = mkdtempSync(join(tmpdir(), 'souk-s3-'));
  const open = (at: number) =>
    new S3rver({
      port: at,
      address: '127.0.0.1',
      silent: true,
      directory: where,
      configureBuckets: [{ name: 'souk' }],
    });
  let store = open(0);
  const { port: at } = await store.run();
  const h = await startHarness({
    STORAGE_URL: `s3://S3RVER:S3RVER@127.0.0.1:${at}/souk?scheme=http`,
    LOG_LEVEL: 'silent',
  });
  const { call, upload, token, item } = await openLibrary(h);
  const bytes = film(17 * MEBIBYTE, 3);
  const input = { fileName: 'film.mp4', size: bytes.length, direct: false };
  const { body: begun } = await call('POST', '/media/uploads', input);
  const put = (number: number) => {
    const content = bytes.subarray((number - 1) * begun.partSize).subarray(0, begun.parts[number - 1].size);
    const headers = { ...begun.headers, authorization: `Bearer ${token}` };
    return fetch(begun.parts[number - 1].url, { method: 'PUT', headers, body: content as never });
  };
  assert.equal((await put(1)).status, 200);
  const kept = await item(await photo(300, 200, 8), 'kept.jpg');
  await store.close();
  const refused = await put(2);
  assert.equal(refused.status, 503, await refused.text());
  assert.equal((await upload({ name: 'photo.jpg', bytes: await photo(300, 200, 9) })).status, 503);
  assert.equal((await call('POST', `/media/uploads/${begun.id}/complete`)).status, 503);
  assert.equal((await call('GET', '/media')).body.items.length, 1);
  assert.equal((await fetchBytes(kept.url)).status, 503);

  store = open(at);
  await store.run();
  assert.equal((await fetchBytes(kept.url)).status, 200);
  assert.equal((await put(2)).status, 200);
  assert.equal((await call('POST', `/media/uploads/${begun.id}/complete`)).body.status, 'CHECKING');
  await store.close();
  await h.drain('media-check').catch(() => {});
  assert.equal((await call('GET', '/media')).body.items.length, 1, 'it could not be checked');
  store = open(at);
  await store.run();
  h.clock.advance(60);
  await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, 'media-resume', {}));
  await h.drain('media-resume');
  await h.drain('media-check');
  const { body: done } = await call('GET', `/media/uploads/${begun.id}`);
  assert.equal(done.status, 'DONE');
  assert.ok((await fetchBytes(done.media.url)).bytes.equals(bytes));
  await store.close();
  rmSync(where, { recursive: true, force: true });
});
