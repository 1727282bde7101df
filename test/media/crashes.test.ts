import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, watch } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Json, startHarness } from '../harness.ts';
import { photo } from './files.ts';
import { fetchBytes, openLibrary } from './library.ts';

const h = await startHarness();
const library = await openLibrary(h);
const { base, token, businessId, call } = library;
const folder = join(h.config.dataDir, 'media');
const headers = { authorization: `Bearer ${token}` };

/** Serves a different image for each path. */
const images = new Map<string, Buffer>();
const site = createServer((request, response) => response.end(images.get(request.url!)));
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
after(() => site.close());
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

async function startVictim() {
  const child = fork(fileURLToPath(new URL('./service-process.ts', import.meta.url)), {
    env: { ...process.env, DATA_DIR: h.config.dataDir, SOUK_TEST_DATABASE: JSON.stringify(h.target) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
}

type Uploaded = { item: Json; sent: Buffer };

/** Uploads until the service is killed: a document, an image, an image by URL, and a large video in three steps. */
async function uploadUntilKilled(url: string, uploaded: Uploaded[], completed: string[]): Promise<void> {
  const upload = async (name: string, sent: Buffer, part: Blob | string) => {
    const form = new FormData();
    if (typeof part === 'string') form.append('files', part);
    else form.append('files', part, name);
    const response = await fetch(`${url}${base}/upload`, { method: 'POST', headers, body: form });
    const { items } = (await response.json()) as Json;
    uploaded.push({ item: items[0], sent });
  };
  const film = async () => {
    const sent = Buffer.alloc(300_000, randomUUID());
    Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex').copy(sent);
    const json = { ...headers, 'content-type': 'application/json' };
    const body = JSON.stringify({ fileName: 'film.mp4', size: sent.length });
    const newUpload = (await (
      await fetch(`${url}${base}/media/uploads`, { method: 'POST', headers: json, body })
    ).json()) as Json;
    const bytes = { ...headers, 'content-type': 'application/octet-stream' };
    await fetch(newUpload.parts[0].url, { method: 'PUT', headers: bytes, body: sent as never });
    const done = await fetch(`${url}${base}/media/uploads/${newUpload.id}/complete`, { method: 'POST', headers });
    if (done.status === 200) completed.push(newUpload.id);
  };
  const text = Buffer.from(`words ${randomUUID()} `.repeat(5000));
  // Bytes after the end make each file different.
  const image = async () => Buffer.concat([await photo(1200, 900), Buffer.from(randomUUID())]);
  const [shown, fetched] = [await image(), await image()];
  const path = `/${randomUUID()}.jpg`;
  images.set(path, fetched);
  for (;;) {
    const works = [
      upload('words.txt', text, new Blob([text])),
      upload('photo.jpg', shown, new Blob([shown as never])),
      upload('fetched.jpg', fetched, `${siteUrl}${path}`),
      film(),
    ];
    const outcomes = await Promise.allSettled(works);
    if (outcomes.some(({ status }) => status === 'rejected')) return;
  }
}

const filesIn = (name: string): string[] =>
  existsSync(join(folder, name))
    ? readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : [];

test('kill -9 at any step of an upload leaves no partial file, loses no acknowledged file, and sweeps remove the rest', {
  timeout: 300_000,
}, async () => {
  mkdirSync(folder, { recursive: true });
  const uploaded: Uploaded[] = [];
  const completed: string[] = [];
  // The more files are touched before the kill, the further the uploads get.
  for (const touched of [1, 2, 4, 7, 11, 16, 23, 32, 45, 70]) {
    const { child, url } = await startVictim();
    const ended = once(child, 'exit');
    let count = 0;
    const watcher = watch(folder, { recursive: true }, () => {
      if (++count >= touched) child.kill('SIGKILL');
    });
    await uploadUntilKilled(url, uploaded, completed);
    child.kill('SIGKILL');
    await ended;
    watcher.close();
    const { items } = (await call('GET', '/media?limit=100')).body;
    for (const { url: address, resolutions } of items) {
      for (const each of [address, ...Object.values<Json>(resolutions!).map((size) => size.url)])
        assert.equal((await fetchBytes(each.replace(/^http:\/\/[^/]+/, h.url))).status, 200, each);
    }
  }
  for (const { item, sent } of uploaded) {
    const { body } = await call('GET', `/media/${item.id}`);
    assert.equal(body.hash, createHash('sha256').update(sent).digest('hex'));
    if (body.mimeType.startsWith('text/')) assert.ok((await fetchBytes(body.url)).bytes.equals(sent));
  }

  h.clock.advance(60);
  await h.drain('media-check');
  // Interrupted tasks run one after the other.
  for (let i = 0; i < completed.length; i++) {
    h.clock.advance(2);
    await h.drain('media-check');
  }
  for (const id of completed) assert.equal((await call('GET', `/media/uploads/${id}`)).body.status, 'DONE', id);

  h.clock.advance(90_000);
  await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, '', 'media-sweep', {}));
  await h.drain('media-sweep');
  const rows = await h.pool<{ stem: string; size: number }[]>`
      select stem, size from media where business_id = ${businessId}`;
  const stems = new Set(rows.map(({ stem }) => stem));
  for (const kind of ['public', 'private'])
    assert.deepEqual(
      filesIn(kind).filter((name) => !stems.has(/^[a-z0-9]+/.exec(name)![0])),
      [],
      kind,
    );
  assert.deepEqual([filesIn('scraps'), filesIn('uploads')], [[], []]);
  const [usage] = await h.pool<{ bytes: number }[]>`select bytes from media_usage where business_id = ${businessId}`;
  assert.equal(
    usage!.bytes,
    rows.reduce((sum, { size }) => sum + size, 0),
    'the counted usage matches the stored files',
  );
  assert.ok(uploaded.length > 0 && completed.length > 0, `${uploaded.length} uploaded, ${completed.length} completed`);
});
