import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

let folder = '';
// Before the harness removes its own folder, which has this one in it.
after(() => folder && execFileSync('umount', [folder]));
const h = await startHarness();

/** A small disk of its own for the files. */
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

/** Leaves so much room on it. */
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

test('a full disk is 503 and never the fault of the file, whether it is full before or while sizes are made', {
  skip,
}, async () => {
  const library = await openLibrary(h);
  const picture = await photo(3000, 2400, 5);
  const upload = () => library.upload({ name: 'photo.jpg', bytes: picture });
  for (const room of [0, picture.length + 40_000]) {
    leave(room);
    const { status, body } = await upload();
    assert.deepEqual([status, body.message], [503, 'There is no space left for files.'], `with ${room} bytes`);
    assert.deepEqual(filesOf(library.businessId), []);
    assert.deepEqual((await library.call('GET', '/media')).body.items, []);
  }
  rmSync(filler);
  const { status, body } = await upload();
  assert.equal(status, 200);
  assert.equal((await fetchBytes(body.items[0].url)).status, 200);
});

test('a large file whose check finds no room waits for it, and is whole then', {
  skip,
}, async () => {
  rmSync(filler, { force: true });
  const library = await openLibrary(h);
  const picture = await photo(3000, 2400, 6);
  const { body: begun } = await library.call('POST', '/media/uploads', { fileName: 'p.jpg', size: picture.length });
  const headers = { authorization: `Bearer ${library.token}`, ...begun.headers };
  assert.equal((await fetch(begun.parts[0].url, { method: 'PUT', headers, body: picture as never })).status, 200);
  assert.equal((await library.call('POST', `/media/uploads/${begun.id}/complete`)).status, 200);
  leave(20_000);
  await assert.rejects(h.drain('media-check'));
  const waiting = await library.call('GET', `/media/uploads/${begun.id}`);
  assert.deepEqual([waiting.body.status, waiting.body.problem], ['CHECKING', undefined]);
  assert.deepEqual((await library.call('GET', '/media')).body.items, []);
  rmSync(filler);
  h.clock.advance(60);
  await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, 'media-resume', {}));
  await h.drain('media-resume', 'media-check');
  const { body: done } = await library.call('GET', `/media/uploads/${begun.id}`);
  assert.equal(done.status, 'DONE');
  for (const { url } of Object.values<Json>(done.media.resolutions)) assert.equal((await fetchBytes(url)).status, 200);
});

test('a full disk keeps formats from being made, not the image from being served, and they are made once there is room', {
  skip,
}, async () => {
  rmSync(filler, { force: true });
  await h.drain('media-formats');
  const library = await openLibrary(h);
  const { resolutions } = await library.item(await photo(3000, 2400, 7), 'p.jpg');
  const makeFormats = async () => {
    await h.pool`update jobs.job set start_after = now() where name = 'media-formats' and state = 'retry'`;
    await h.drain('media-formats');
  };
  const typeOfSmall = async () => {
    const { status, headers } = await fetchBytes(resolutions.small.url, { accept: 'image/avif' });
    return `${status} ${headers.get('content-type')}`;
  };
  for (const room of [0, 20_000, 150_000]) {
    leave(room);
    await assert.rejects(makeFormats(), /no space left/i, `with ${room} bytes`);
    assert.match(await typeOfSmall(), /^200 image\//);
    assert.deepEqual(readdirSync(join(folder, 'scraps')), []);
  }
  rmSync(filler);
  await makeFormats();
  assert.equal(await typeOfSmall(), '200 image/avif');
});
