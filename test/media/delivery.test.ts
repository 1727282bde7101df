import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

const h = await startHarness();
const library = await openLibrary(h);

test('a file is served for ever, in part, and not again to those who have it', async () => {
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
    const answer = await fetchBytes(url, headers);
    assert.deepEqual(
      [answer.status, answer.bytes.toString(), answer.headers.get('content-range')],
      [status, body, range],
      JSON.stringify(headers),
    );
  }
  const head = await fetchBytes(url, {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(text.length)]);
});

test('a browser gets the best format it knows, once a job has made it, and its own until then', async () => {
  const { resolutions, url } = await library.item(await photo(2400, 1200), 'wide.jpg');
  const typeFor = async (accept: string, of = resolutions.large.url) => {
    const { status, headers } = await fetchBytes(of, { accept });
    assert.equal(status, 200);
    return headers.get('content-type');
  };
  assert.equal(await typeFor('image/avif,image/webp,*/*'), 'image/jpeg');
  await h.drain('media-formats');
  assert.equal(await typeFor('image/avif,image/webp,*/*'), 'image/avif');
  assert.equal(await typeFor('image/webp,*/*'), 'image/webp');
  assert.equal(await typeFor('*/*'), 'image/jpeg');
  assert.equal(await typeFor('image/avif,image/webp,*/*', url), 'image/jpeg', 'the full size has one format');
  const { headers } = await fetchBytes(resolutions.large.url, { accept: 'image/webp' });
  assert.equal(headers.get('vary'), 'Accept');
  assert.deepEqual(
    Object.entries<Json>(resolutions).map(([size, { width, height }]) => [size, width, height]),
    [
      ['original', 2400, 1200],
      ['large', 1920, 960],
      ['medium', 1024, 512],
      ['small', 480, 240],
      ['thumbnail', 320, 320],
    ],
  );
});

test('no name leads out of the folder of public files', async () => {
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
