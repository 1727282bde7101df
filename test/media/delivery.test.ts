import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { type Json, shareHarness } from '../harness.ts';
import { animation, avifCollection, photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

const h = await shareHarness();
const library = await openLibrary(h);

test('a file can be cached forever, fetched in ranges and revalidated', async () => {
  const text = 'a film, as it were';
  const { url } = await library.item(text, 'film.txt');
  const whole = await fetchBytes(url);
  assert.equal(whole.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  const etag = whole.headers.get('etag')!;
  const cases: [Record<string, string>, number, string, string | null][] = [
    [{ range: 'bytes=2-5' }, 206, 'film', `bytes 2-5/${text.length}`],
    [{ range: 'bytes=-4' }, 206, 'were', `bytes 14-17/${text.length}`],
    [{ range: 'bytes=14-' }, 206, 'were', `bytes 14-17/${text.length}`],
    [{ range: 'bytes=14-999' }, 206, 'were', `bytes 14-17/${text.length}`],
    [{ range: 'bytes=99-' }, 416, '', `bytes */${text.length}`],
    [{ range: 'bytes=0-1,4-5' }, 200, text, null],
    [{ range: 'bytes=2-5', 'if-range': etag }, 206, 'film', `bytes 2-5/${text.length}`],
    [{ range: 'bytes=2-5', 'if-range': '"other"' }, 200, text, null],
    [{ 'if-none-match': `"other", W/${etag}` }, 304, '', null],
    [{ 'if-none-match': '"other"' }, 200, text, null],
  ];
  for (const [headers, status, body, range] of cases) {
    const response = await fetchBytes(url, headers);
    assert.deepEqual(
      [response.status, response.bytes.toString(), response.headers.get('content-range')],
      [status, body, range],
      JSON.stringify(headers),
    );
  }
  const head = await fetchBytes(url, {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(text.length)]);
});

test('browsers get the best format they support once a job has created it, and the original until then', async () => {
  const { resolutions, url } = await library.item(await photo(2400, 1200), 'wide.jpg');
  const typeFor = async (accept: string, of = resolutions!.large!.url) => {
    const { status, headers } = await fetchBytes(of, { accept });
    assert.equal(status, 200);
    return headers.get('content-type');
  };
  assert.equal(await typeFor('image/avif,image/webp,*/*'), 'image/jpeg');
  await h.drain('media-formats');
  assert.equal(await typeFor('image/avif,image/webp,*/*'), 'image/avif');
  assert.equal(await typeFor('image/webp,*/*'), 'image/webp');
  assert.equal(await typeFor('*/*'), 'image/jpeg');
  assert.equal(await typeFor('image/avif,image/webp,*/*', url), 'image/jpeg', 'a large full size has one format');
  const { headers } = await fetchBytes(resolutions!.large!.url, { accept: 'image/webp' });
  assert.equal(headers.get('vary'), 'Accept');
  assert.deepEqual(
    Object.entries<Json>(resolutions!).map(([size, { width, height }]) => [size, width, height]),
    [
      ['original', 2400, 1200],
      ['large', 1920, 960],
      ['medium', 1024, 512],
      ['small', 480, 240],
      ['thumbnail', 320, 320],
    ],
  );
});

test('an image smaller than every size is also served as AVIF and WebP', async () => {
  const { resolutions, url } = await library.item(await photo(400, 300, 5), 'small.jpg');
  assert.equal(resolutions!.large!.url, url);
  const typeFor = async (accept: string) => (await fetchBytes(url, { accept })).headers.get('content-type');
  assert.equal(await typeFor('image/avif,image/webp,*/*'), 'image/jpeg');
  await h.drain('media-formats');
  assert.equal(await typeFor('image/avif,image/webp,*/*'), 'image/avif');
  assert.equal(await typeFor('image/webp,*/*'), 'image/webp');
  const plain = await fetchBytes(url, { accept: '*/*' });
  assert.deepEqual([plain.headers.get('content-type'), plain.headers.get('vary')], ['image/jpeg', 'Accept']);
  const { width, height } = await sharp((await fetchBytes(url, { accept: 'image/avif' })).bytes).metadata();
  assert.deepEqual([width, height], [400, 300]);
});

test('an animated GIF is resized and stays animated, and its full size stays a GIF', async () => {
  const { resolutions, url, mimeType } = await library.item(await animation(2, 500, 250), 'moving.gif');
  await h.drain('media-formats');
  const seen = async (of: string, accept = '*/*') => {
    const { format, width, height, pages } = await sharp((await fetchBytes(of, { accept })).bytes).metadata();
    return [format, width, height, pages];
  };
  assert.equal(mimeType, 'image/gif');
  assert.deepEqual(await seen(url), ['gif', 500, 250, 2]);
  assert.deepEqual(await seen(url, 'image/avif,image/webp'), ['webp', 500, 250, 2]);
  const { width, height } = resolutions!.small!;
  assert.deepEqual([width, height], [480, 240]);
  assert.deepEqual(await seen(resolutions!.small!.url), ['webp', 480, 240, 2]);
  assert.deepEqual(await seen(resolutions!.small!.url, 'image/avif,image/webp'), ['webp', 480, 240, 2]);
});

test('the first image of an AVIF file with several images is used', async () => {
  const avif = async (width: number, height: number) =>
    sharp(await photo(width, height, width))
      .avif()
      .toBuffer();
  const both = avifCollection(await avif(600, 400), await avif(900, 800));
  assert.equal((await sharp(both).metadata()).pages, 2);
  const { resolutions, width, height, mimeType } = await library.item(both, 'burst.avif');
  assert.deepEqual([width, height, mimeType], [600, 400, 'image/jpeg']);
  const small = await sharp((await fetchBytes(resolutions!.small!.url)).bytes).metadata();
  assert.deepEqual([small.width, small.height], [480, 320]);
});

test('no file name can escape the public folder', async () => {
  for (const key of [
    '..%2f..%2fsecret.key',
    '%2e%2e',
    'x.txt',
    `${'a'.repeat(48)}.txt%2f`,
    `${'a'.repeat(48)}.exe`,
    'a'.repeat(400),
  ]) {
    assert.equal((await fetch(`${h.url}/media/${library.businessId}/${key}`)).status, 404, key);
    assert.equal((await fetch(`${h.url}/media/..%2fprivate/${key}`)).status, 404, key);
  }
});
