import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

let folder = '';
// Before the harness removes its own folder, which contains this one.
after(() => folder && execFileSync('umount', [folder]));
const h = await startHarness();

/** Mounts a small disk for the files. */
function mountSmallDisk(): string | false {
  const below = join(h.config.dataDir, 'media');
  try {
    mkdirSync(below, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', below], { stdio: 'ignore' });
    folder = below;
    return false;
  } catch {
    return 'only root can mount a small disk';
  }
}
const skip = mountSmallDisk();
const filler = join(folder, 'filler');

/** Fills the disk except for this many bytes. */
function leave(bytes: number): void {
  rmSync(filler, { force: true });
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
}

const filesOf = (businessId: string) =>
  ['public', 'private', 'scraps'].flatMap((kind) => {
    try {
      const below = join(folder, kind, kind === 'scraps' ? '' : businessId);
      return readdirSync(below, { recursive: true }).filter((name) => statSync(join(below, String(name))).isFile());
    } catch {
      return [];
    }
  });

test('a full disk causes 503 and never an error about the file, before or during image processing', {
  skip,
}, async () => {
  const library = await openLibrary(h);
  const image = await photo(3000, 2400, 5);
  const upload = () => library.upload({ name: 'photo.jpg', bytes: image });
  for (const free of [0, image.length + 40_000]) {
    leave(free);
    const { status, body } = await upload();
    assert.deepEqual([status, body.message], [503, 'The server has no space left for files.'], `with ${free} bytes`);
    assert.deepEqual(filesOf(library.businessId), []);
    assert.deepEqual((await library.call('GET', '/media')).body.items, []);
  }
  rmSync(filler);
  const { status, body } = await upload();
  assert.equal(status, 200);
  assert.equal((await fetchBytes(body.items[0]!.url)).status, 200);
});

test('uploads to a full disk release their slots', { skip }, async () => {
  const library = await openLibrary(h);
  leave(0);
  const files = Array.from({ length: 5 }, (_, i) => ({ name: `${i}.txt`, bytes: `${i}`.repeat(20_000) }));
  for (let i = 0; i < 40; i++) assert.equal((await library.upload(...files)).status, 503);
  rmSync(filler);
  assert.equal((await library.upload(...files)).status, 200);
});

test('the check of a large file waits for disk space and then completes', {
  skip,
}, async () => {
  rmSync(filler, { force: true });
  const library = await openLibrary(h);
  const image = await photo(3000, 2400, 6);
  const { body: newUpload } = await library.call('POST', '/media/uploads', { fileName: 'p.jpg', size: image.length });
  const headers = { authorization: `Bearer ${library.token}`, ...newUpload.headers };
  assert.equal((await fetch(newUpload.parts[0]!.url, { method: 'PUT', headers, body: image as never })).status, 200);
  assert.equal((await library.call('POST', `/media/uploads/${newUpload.id}/complete`)).status, 200);
  leave(20_000);
  await assert.rejects(h.drain('media-check'));
  const waiting = await library.call('GET', `/media/uploads/${newUpload.id}`);
  assert.deepEqual([waiting.body.status, waiting.body.problem], ['CHECKING', undefined]);
  assert.deepEqual((await library.call('GET', '/media')).body.items, []);
  rmSync(filler);
  h.clock.advance(60);
  await h.drain('media-check');
  const { body: done } = await library.call('GET', `/media/uploads/${newUpload.id}`);
  assert.equal(done.status, 'DONE');
  for (const { url } of Object.values<Json>(done.media!.resolutions!))
    assert.equal((await fetchBytes(url)).status, 200);
});

test('on a full disk, formats wait for space while the image is still served', {
  skip,
}, async () => {
  rmSync(filler, { force: true });
  await h.drain('media-formats');
  const library = await openLibrary(h);
  const { resolutions } = await library.item(await photo(3000, 2400, 7), 'p.jpg');
  const makeFormats = async () => {
    await h.pool`update tasks set due_at = 0 where queue = 'media-formats' and due_at is not null`;
    await h.drain('media-formats');
  };
  const typeOfSmall = async () => {
    const { status, headers } = await fetchBytes(resolutions!.small!.url, { accept: 'image/avif' });
    return `${status} ${headers.get('content-type')}`;
  };
  for (const free of [0, 20_000, 150_000]) {
    leave(free);
    await assert.rejects(makeFormats(), /no space left/i, `with ${free} bytes`);
    assert.match(await typeOfSmall(), /^200 image\//);
    assert.deepEqual(readdirSync(join(folder, 'scraps')), []);
  }
  rmSync(filler);
  await makeFormats();
  assert.equal(await typeOfSmall(), '200 image/avif');
});
