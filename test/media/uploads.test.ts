import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import test, { after } from 'node:test';
import sharp from 'sharp';
import { spool } from '../../src/domains/media/uploads/spool.ts';
import { type Json, startHarness } from '../harness.ts';
import { eventually } from '../service.ts';
import { animation, bomb, gif, phonePhoto, photo, pngWithScript, slowSvg, svg } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

const h = await startHarness({ MEDIA_MAX_UPLOAD: '1', MEDIA_QUOTA: '3' });
const library = await openLibrary(h);
const codesOf = ({ body }: { body: Json }) => body.details.map(({ field, error }: Json) => `${field} ${error}`);
const folder = h.config.storage.type === 'disk' ? h.config.storage.folder : '';
const namesIn = (below: string) => {
  try {
    return readdirSync(join(folder, below), { recursive: true }).map(String);
  } catch {
    return [];
  }
};

test('a phone photo is rotated upright and reveals neither location, time nor camera', async () => {
  const sent = await phonePhoto();
  assert.ok((await sharp(sent).metadata()).exif?.includes('Phone'));
  const item = await library.item(sent, 'IMG_0001.jpg');
  assert.deepEqual([item.width, item.height, item.mimeType, item.fileName], [300, 400, 'image/jpeg', 'IMG_0001.jpg']);
  assert.match(item.blurhash!, /^.{20,}$/);
  for (const { url, width, height, size } of Object.values<Json>(item.resolutions!)) {
    const { bytes } = await fetchBytes(url);
    const seen = await sharp(bytes).metadata();
    assert.deepEqual([seen.width, seen.height, bytes.length], [width, height, size]);
    assert.deepEqual([seen.exif, seen.xmp, seen.orientation], [undefined, undefined, undefined]);
  }
  assert.ok(namesIn(`private/${library.businessId}`).length === 1, "the original is kept where it can't be fetched");
  assert.equal((await fetch(`${h.url}/media/${library.businessId}/..%2f..%2fprivate%2f`)).status, 404);
});

test('mislabeled, damaged and malicious files are rejected with a reason and leave nothing behind', async () => {
  const before = namesIn('public');
  const jpeg = await photo(800, 600);
  const response = await library.upload(
    { name: 'page.png', bytes: '<!doctype html><script>alert(1)</script>' },
    { name: 'bomb.png', bytes: bomb() },
    { name: 'cut.jpg', bytes: jpeg.subarray(0, jpeg.length / 2) },
    { name: 'frames.gif', bytes: gif(10_000) },
    { name: 'entity.svg', bytes: '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>' },
    { name: 'program.png', bytes: Buffer.from('7f454c4602010100', 'hex') },
    { name: 'empty.png', bytes: '' },
    { name: 'photo.heic', bytes: Buffer.from('000000186674797068656963000000006d69663168656963', 'hex') },
    { name: 'good.txt', bytes: 'good, but not alone' },
  );
  assert.equal(response.status, 422);
  assert.deepEqual(codesOf(response), [
    'files[0] UNSUPPORTED_TYPE',
    'files[1] TOO_MANY_PIXELS',
    'files[2] DAMAGED',
    'files[3] TOO_MANY_FRAMES',
    'files[4] UNSUPPORTED_TYPE',
    'files[5] UNSUPPORTED_TYPE',
    'files[6] EMPTY',
    'files[7] UNSUPPORTED_TYPE',
  ]);
  assert.match(response.body.details[7]!.message, /HEIC.*Save it as JPEG/);
  assert.deepEqual(namesIn('public'), before);
  assert.deepEqual(namesIn('scraps'), []);
});

test('an SVG with a filter that is slow to render is rejected; one with a shadow is not', async () => {
  const response = await library.upload(
    { name: 'noise.svg', bytes: svg('<filter id="f"><feTurbulence baseFrequency="0.01" numOctaves="99"/></filter>') },
    { name: 'shadow.svg', bytes: svg('<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>') },
  );
  assert.deepEqual(codesOf(response), ['files[0] UNSUPPORTED_FILTER']);
});

test('an upload whose client disconnects while its image waits is dropped', async () => {
  const { businessId, token, base, upload, call } = await openLibrary(h);
  const blocker = upload({ name: 'slow.svg', bytes: slowSvg() });
  const listImages = () => namesIn('scraps').filter((name) => /^image-[^/]+$/.test(name));
  const until = (count: number) => eventually(`${count} images`, async () => listImages().length === count);
  await until(1);
  const cut = new AbortController();
  const form = new FormData();
  form.append('files', new Blob([(await photo(60, 50, 7)) as never]), 'gone.jpg');
  const headers = { authorization: `Bearer ${token}` };
  const sending = fetch(`${h.url}${base}/upload`, { method: 'POST', headers, body: form, signal: cut.signal });
  await until(2);
  cut.abort();
  await assert.rejects(sending);
  await until(1);
  (h.service.contexts.system() as Json).media.images.close();
  assert.equal((await blocker).status, 422, 'its process was killed');
  await until(0);
  assert.deepEqual((await call('GET', '/media')).body.items, []);
  assert.deepEqual(await listOrphans(businessId), []);
});

test('a script in a PNG, after a GIF or in an SVG never runs: it is removed, or the file is download-only', async () => {
  const png = await fetchBytes((await library.item(await pngWithScript())).url);
  assert.equal(png.bytes.includes('script'), false);
  const polyglot = await fetchBytes(
    (await library.item(Buffer.concat([await animation(3), Buffer.from('<script>alert(1)</script>')]))).url,
  );
  assert.equal(polyglot.headers.get('content-type'), 'image/gif');
  assert.equal(polyglot.bytes.includes('script'), false);
  assert.equal((await sharp(polyglot.bytes, { animated: true }).metadata()).pages, 3, 'an animation stays animated');
  const drawing = await library.item(svg('<script>alert(1)</script>'), 'x.svg');
  const { headers } = await fetchBytes(drawing.url);
  assert.equal(headers.get('content-disposition'), 'attachment');
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
  assert.equal((await fetchBytes(drawing.resolutions!.thumbnail!.url)).headers.get('content-type'), 'image/png');
  const text = await fetchBytes((await library.item('plain words', 'words.html')).url);
  assert.deepEqual(
    ['content-type', 'content-disposition', 'x-content-type-options'].map((name) => text.headers.get(name)),
    ['text/plain; charset=utf-8', 'attachment', 'nosniff'],
  );
});

test('a polyglot file is served as one type, without any other content that could run', async () => {
  // Valid as a script, too: the size field of the GIF opens a comment.
  const gifAndScript = Buffer.concat([Buffer.from('GIF89a/*'), gif(1).subarray(10), Buffer.from('*/=1;alert(1)')]);
  const htmlAndPdf = '<!doctype html><script>alert(1)</script>\n%PDF-1.7\n%%EOF';
  const refused = await library.upload(
    { name: 'both.gif', bytes: gifAndScript },
    { name: 'both.pdf', bytes: htmlAndPdf, type: 'application/pdf' },
  );
  assert.deepEqual(codesOf(refused), ['files[0] DAMAGED', 'files[1] UNSUPPORTED_TYPE']);

  const pdf = await fetchBytes((await library.item('%PDF-1.7\n<script>alert(1)</script>\n%%EOF', 'a.html')).url);
  const shown = ['content-type', 'content-disposition', 'x-content-type-options'].map((name) => pdf.headers.get(name));
  assert.deepEqual(shown, ['application/pdf', 'attachment', 'nosniff']);
  assert.match(pdf.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);

  const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.from('evil.class'), Buffer.from('PK\x05\x06')]);
  const jpeg = await library.item(Buffer.concat([await photo(64, 48, 9), zip]), 'a.jpg');
  assert.equal(jpeg.mimeType, 'image/jpeg');
  for (const { url } of Object.values<Json>(jpeg.resolutions!)) {
    assert.equal((await fetchBytes(url)).bytes.includes('evil.class'), false);
  }
  assert.equal((await fetch(`${h.url}/healthz`)).status, 200);
});

test('a file name is displayed but never used in a path', async () => {
  const names = [
    '../../../etc/passwd',
    'a\\b\\c.txt',
    `${'x'.repeat(300)}.txt`,
    '\u202egnp.exe\u2066.txt',
    '...',
    'nul\0l.txt',
  ];
  const shown: string[] = [];
  for (const [i, name] of names.entries()) shown.push((await library.item(`text ${i}`, name)).fileName!);
  assert.deepEqual(shown, ['passwd', 'c.txt', `${'x'.repeat(196)}.txt`, 'gnp.exe.txt', 'file', 'null.txt']);
});

test('the same file uploaded twice is stored once and is one item, even concurrently', async () => {
  const bytes = await photo(90, 60, 7);
  const stored = () => namesIn('private').filter((name) => name.endsWith('.jpg')).length;
  const before = stored();
  const items = await Promise.all([1, 2, 3].map(() => library.item(bytes, 'twice.jpg')));
  assert.equal(new Set(items.map(({ id }) => id)).size, 1);
  await h.drain('media-delete-files');
  assert.equal(stored() - before, 1, 'later duplicates leave nothing behind');
  const { body } = await library.call('GET', '/media?query=twi');
  assert.deepEqual(
    body.items.map(({ id }) => id),
    [items[0]!.id],
  );
});

test('a file above the size limit gets 413 and one above the quota 422, and neither leaves anything behind', async () => {
  const large = await library.upload({ name: 'large.txt', bytes: 'a'.repeat(1_048_577) });
  assert.deepEqual([large.status, large.body.error], [413, 'PAYLOAD_TOO_LARGE']);
  const mebibyte = (letter: string) => ({ name: `${letter}.txt`, bytes: letter.repeat(1_048_576) });
  const responses = await Promise.all(['k', 'l', 'm', 'n', 'o'].map((letter) => library.upload(mebibyte(letter))));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 422, 422, 422]);
  assert.ok(
    responses
      .filter(({ status }) => status === 422)
      .every((response) => codesOf(response).includes('files QUOTA_EXCEEDED')),
  );
  const [item] = responses.find(({ status }) => status === 200)!.body.items;
  assert.equal((await library.call('DELETE', `/upload?mediaId=${item!.id}`)).status, 200);
  assert.equal((await library.upload(mebibyte('z'))).status, 200, 'deleting makes room');
  assert.deepEqual(namesIn('scraps'), []);
  await h.drain('media-delete-files');
  assert.deepEqual(await listOrphans(library.businessId), []);
});

/** Objects of the business without a row. */
async function listOrphans(businessId: string): Promise<string[]> {
  const rows = await h.pool<{ stem: string }[]>`select stem from media where business_id = ${businessId}`;
  const stems = new Set(rows.map(({ stem }) => stem));
  return ['public', 'private']
    .flatMap((kind) => namesIn(`${kind}/${businessId}`))
    .filter((name) => !stems.has(/^[a-z0-9]+/.exec(name)![0]));
}

test('concurrent uploads above the limit all get a response, and only acknowledged files are stored and counted', async () => {
  const { base, token, businessId, call, item } = await openLibrary(h);
  const send = (body: FormData | string) =>
    fetch(`${h.url}${base}${typeof body === 'string' ? '/media/uploads' : '/upload'}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      body,
    });
  const file = (text: string) => {
    const form = new FormData();
    form.append('files', new Blob([text]), 'many.txt');
    return form;
  };
  const bodies = Array.from({ length: 60 }, (_, i) => [
    file(`one of many: ${i}`),
    file('all the same'),
    JSON.stringify({ fileName: 'film.mp4', size: 1000, direct: false }),
  ]).flat();
  const responses = await Promise.all(bodies.map(send));
  for (const { status, headers } of responses) {
    assert.ok(status === 200 || (status === 503 && Number(headers.get('retry-after')) > 0), String(status));
  }
  await item('after all of them', 'next.txt');
  await h.drain('media-delete-files');
  const bodiesOf = await Promise.all(responses.filter(({ ok }) => ok).map((response) => response.json() as Json));
  const ids = new Set(bodiesOf.flatMap(({ items = [] }) => items.map(({ id }: Json) => id)));
  const { items } = (await call('GET', '/media?limit=100')).body;
  assert.equal(items.length, ids.size + 1);
  assert.deepEqual(await listOrphans(businessId), []);
  const [{ used, due }] = (await h.pool<{ used: number; due: number }[]>`
    select u.bytes as used,
      ((select sum(size) from media where business_id = ${businessId})
        + (select sum(size) from media_uploads where business_id = ${businessId}))::bigint as due
    from media_usage u where u.business_id = ${businessId}`) as [{ used: number; due: number }];
  assert.equal(used, due);
});

test('a file is fetched from a URL, through redirects, and never from a private network', async () => {
  const image = await photo(50, 40, 3);
  const server = createServer((request, response) => {
    if (request.url === '/away') return response.writeHead(302, { location: '/a/b%20c.jpg' }).end();
    if (request.url === '/inside') return response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    if (request.url === '/endless') return response.writeHead(302, { location: '/endless' }).end();
    if (request.url === '/long') return response.writeHead(200).end('a'.repeat(1_100_000));
    if (request.url === '/none') return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'text/html' }).end(image);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { token, base } = await openLibrary(h);
  const send = (files: string[]) => h.call('POST', `${base}/upload`, { token, body: { files } });
  const good = await send([`${origin}/away`]);
  assert.equal(good.status, 200, JSON.stringify(good.body));
  assert.deepEqual([good.body.items[0]!.fileName, good.body.items[0]!.mimeType], ['b c.jpg', 'image/jpeg']);
  const bad = await send([
    `${origin}/inside`,
    `${origin}/endless`,
    `${origin}/long`,
    `${origin}/none`,
    'file:///etc/passwd',
  ]);
  assert.deepEqual(codesOf(bad), [
    'files[0] INVALID_URL',
    'files[1] UNREACHABLE',
    'files[2] TOO_LARGE',
    'files[3] UNREACHABLE',
    'files[4] INVALID_URL',
  ]);
});

test('a file that is too large is rejected, even if the connection to its server is already closed', async () => {
  const server = createServer((_request, response) => {
    response.write('too large');
    response.end('not read');
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const call = request({ port: (server.address() as AddressInfo).port, agent: false });
  const closed = once(call, 'close');
  const [body] = await once(call.end(), 'response');
  await closed;
  await assert.rejects(spool(join(h.config.dataDir, 'spool'), body, 3), { kind: 'PAYLOAD_TOO_LARGE' });
});

test('a body that fails before it is read rejects the upload and does not end the process', async () => {
  const body = new PassThrough();
  const spooled = spool(join(h.config.dataDir, 'spool'), body, 3);
  body.destroy(new Error('The client disconnected'));
  await assert.rejects(spooled, /The client disconnected/);
});

test('a file that is deleted while it is uploaded again is rejected and never becomes an item without content', async () => {
  const { upload, item, call } = await openLibrary(h);
  const { id } = await item('deleted meanwhile', 'short-lived.txt');
  const server = createServer(async (_request, response) => {
    await call('DELETE', `/media/${id}`);
    response.end('the second file');
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const first = { name: 'short-lived.txt', bytes: 'deleted meanwhile' };
  const { status, body } = await upload(first, `http://127.0.0.1:${(server.address() as AddressInfo).port}/second.txt`);
  assert.deepEqual([status, body.error], [409, 'CONFLICT']);
  const again = await item(first.bytes, first.name);
  await h.drain('media-delete-files');
  assert.equal((await fetchBytes(again.url)).status, 200);
});

test('a member who loses the permission while a file is fetched adds nothing', async () => {
  const { businessId, userId, token, base } = await openLibrary(h);
  const server = createServer(async (_request, response) => {
    await h.pool.transaction(async (tx) => {
      await tx`delete from members where business_id = ${businessId} and user_id = ${userId}`;
      await h.service.broadcast.publish(tx, `user:${userId}`);
    });
    response.end('fetched too late');
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const files = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/late.txt`];
  assert.equal((await h.call('POST', `${base}/upload`, { token, body: { files } })).status, 403);
  assert.deepEqual(await h.pool`select id from media where business_id = ${businessId}`, []);
  assert.deepEqual(namesIn(`public/${businessId}`), []);
});

test('a client that disconnects during an upload leaves nothing behind', async () => {
  const cut = new AbortController();
  const { token, base, call } = await openLibrary(h);
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(Buffer.from('--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nbegun'));
      setImmediate(() => cut.abort());
    },
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' };
  const sending = fetch(`${h.url}${base}/upload`, {
    method: 'POST',
    headers,
    body,
    signal: cut.signal,
    duplex: 'half',
  } as never);
  await assert.rejects(sending);
  assert.deepEqual((await call('GET', '/media')).body.items, []);
});

test('while an account has 30 uploads in progress the next one gets 503, and succeeds once their clients have disconnected', async () => {
  const { token, base, upload } = await openLibrary(h);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': 5000,
  };
  const inProgress = Array.from({ length: 30 }, () => {
    const sending = request(`${h.url}${base}/upload`, { method: 'POST', headers });
    sending.on('error', () => {});
    sending.write('--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nbegun');
    return sending;
  });
  const until = (count: number) => eventually(`${count} files`, async () => namesIn('scraps').length === count);
  await until(30);
  const refused = await upload({ name: 'more.txt', bytes: 'one more' });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
  const other = await openLibrary(h);
  assert.equal((await other.upload({ name: 'more.txt', bytes: 'of another account' })).status, 200);
  for (const sending of inProgress) sending.destroy();
  await until(0);
  assert.equal((await upload({ name: 'more.txt', bytes: 'one more' })).status, 200);
});

test('a form with a part without headers gets 400', async () => {
  const { token, base } = await openLibrary(h);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' };
  const file = '--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\na file\r\n';
  for (const body of ['--x\r\nno headers\r\n--x--\r\n', `${file}--x\r\nno headers\r\n--x--\r\n`]) {
    const signal = AbortSignal.timeout(5000);
    const response = await fetch(`${h.url}${base}/upload`, { method: 'POST', headers, body, signal });
    assert.equal(response.status, 400);
  }
  assert.deepEqual(namesIn('scraps'), []);
});

test('a form with more than 20 files gets 413 immediately and leaves nothing behind', async () => {
  const { token, base, upload } = await openLibrary(h);
  const file = (i: number, bytes: string) =>
    `--x\r\ncontent-disposition: form-data; name="files"; filename="${i}.txt"\r\n\r\n${bytes}\r\n`;
  for (const bytes of ['short', 'x'.repeat(100_000)]) {
    const many = Array.from({ length: 25 }, (_, i) => ({ name: `${i}.txt`, bytes: `${i} ${bytes}` }));
    assert.equal((await upload(...many)).status, 413);
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' };
  const unfinished = Array.from({ length: 110 }, () => {
    const sending = request(`${h.url}${base}/upload`, { method: 'POST', headers }).on('error', () => {});
    sending.write(Array.from({ length: 21 }, (_, i) => file(i, 'unfinished')).join(''));
    return sending;
  });
  const responses = await Promise.all(unfinished.map((sending) => once(sending, 'response')));
  assert.equal(responses[0]![0].statusCode, 413);
  await eventually('an upload', async () => (await upload({ name: 'one.txt', bytes: 'one' })).status === 200);
  for (const sending of unfinished) sending.destroy();
  await eventually('no files left', async () => namesIn('scraps').length === 0);
});

test('a form field over 8 KiB gets 413 and is never truncated', async () => {
  const { upload } = await openLibrary(h);
  assert.equal((await upload(`https://example.com/${'x'.repeat(8192)}`)).status, 413);
});

test('the files of a deleted business are deleted', async () => {
  const owner = await h.user();
  const { body } = await h.call('POST', '/v1/businesses', { token: owner.token, body: { name: 'Short-lived' } });
  const form = new FormData();
  form.append('files', new Blob([(await photo(300, 200)) as never]), 'photo.jpg');
  const headers = { authorization: `Bearer ${owner.token}` };
  const path = `/v1/businesses/${body.id}` as const;
  const sent = await fetch(`${h.url}${path}/upload`, { method: 'POST', headers, body: form });
  const { items } = (await sent.json()) as Json;
  assert.equal((await fetch(items[0].url)).status, 200);
  assert.equal((await h.call('DELETE', path, { token: owner.token })).status, 200);
  await h.drain('clear-businesses');
  assert.equal((await fetch(items[0].url)).status, 404);
  for (const kind of ['public', 'private']) assert.deepEqual(namesIn(`${kind}/${body.id}`), [], kind);
});

test('old orphaned files are swept, new ones are kept, and missing files are reported', async () => {
  const { item, businessId } = { ...(await openLibrary(h)) };
  const kept = await item('kept', 'kept.txt');
  const orphan = `public/${businessId}/${'0'.repeat(48)}.txt`;
  mkdirSync(join(folder, 'scraps'), { recursive: true });
  writeFileSync(join(folder, orphan), 'nobody’s');
  writeFileSync(join(folder, 'scraps', 'begun'), 'half');
  const sweep = async () => {
    await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, '', 'media-sweep', {}));
    await h.drain('media-sweep');
  };
  await sweep();
  assert.ok(namesIn(`public/${businessId}`).includes(`${'0'.repeat(48)}.txt`));
  h.clock.advance(90_000);
  await sweep();
  assert.deepEqual(namesIn(`public/${businessId}`), [new URL(kept.url).pathname.split('/').at(-1)]);
  assert.deepEqual(namesIn('scraps'), []);
  rmSync(join(folder, 'public', businessId), { recursive: true });
  await sweep();
  const lost = await h.pool`select id from media where business_id = ${businessId} and is_missing`;
  assert.deepEqual(lost, [{ id: kept.id }]);
});
