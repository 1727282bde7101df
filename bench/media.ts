/**
 * `node bench/media.ts [uploads|pictures|large|s3|delivery]…`: files through the service as `npm start` runs it, in a process of its own.
 * Tells the memory of that process and the delay of its event loop, which `/metrics` measures.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import sharp from 'sharp';
import { START_FLAGS } from '../scripts/start-flags.ts';

const MEBIBYTE = 1_048_576;
const folder = mkdtempSync(join(tmpdir(), 'souk-media-'));
const wanted = process.argv.slice(2).filter((word) => /^[a-z]/.test(word));
const wants = (name: string) => wanted.length === 0 || wanted.includes(name);
const largeMebibytes = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5120);
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Json = any;

type Service = { child: ChildProcess; url: string; base: string; key: string };

async function start(settings: Record<string, string> = {}): Promise<Service> {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const child = spawn(process.execPath, [...START_FLAGS, 'src/main.ts', 'start'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      MALLOC_ARENA_MAX: '2',
      MEDIA_QUOTA: '100000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout!) {
    output += chunk;
    const [, url] = /^export SOUK=(.*)$/m.exec(output) ?? [];
    const [, key] = /^export KEY=(.*)$/m.exec(output) ?? [];
    if (url && key) return { child, url, key, base: `${url}/v1/businesses/biz_demo` };
  }
  throw new Error(`It did not start: ${output}`);
}

async function stop({ child }: Service): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

const rssOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the process uses at most while `work` runs, beyond what it used before, and the 99th percentile of its loop's delay. */
async function watch({ child, url }: Service, work: () => Promise<unknown>): Promise<string> {
  await pause(3000);
  await fetch(`${url}/metrics`);
  const before = rssOf(child.pid!);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, rssOf(child.pid!));
  }, 50);
  const began = performance.now();
  await work();
  clearInterval(timer);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const p99 = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)![1]) * 1000;
  return `${seconds} s, memory ${before.toFixed(0)} MB before and ${most.toFixed(0)} MB at most (+${(most - before).toFixed(0)}), event loop p99 ${p99.toFixed(1)} ms`;
}

async function uploadAll({ base, key }: Service, count: number, make: (i: number) => Promise<Buffer>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) {
      const form = new FormData();
      form.append('files', new Blob([(await make(next++)) as never]), 'file');
      const answer = await fetch(`${base}/upload`, { method: 'POST', headers: { 'x-api-key': key }, body: form });
      if (answer.status !== 200) throw new Error(await answer.text());
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
}

/** Two megabytes that begin as a PDF. */
const pdf = async () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(2_000_000)]);

async function makePhotos(): Promise<(i: number) => Promise<Buffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const small = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer();
  const photo = await sharp(small).resize(3200, 2400).jpeg({ quality: 80 }).toBuffer();
  // Bytes behind the end make each one another file.
  return async (i) => Buffer.concat([photo, Buffer.from(`photo ${i} ${Math.random()}`)]);
}

async function sendLarge({ base, key }: Service, mebibytes: number): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: body ? headers : { 'x-api-key': key },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(text);
    return JSON.parse(text);
  };
  const upload = await call('POST', '/media/uploads', {
    fileName: 'film.mp4',
    size: mebibytes * MEBIBYTE,
    direct: false,
  });
  const part = randomBytes(upload.partSize);
  Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex').copy(part);
  for (const { url, size } of upload.parts) {
    const body = part.subarray(0, size);
    const answer = await fetch(url, { method: 'PUT', headers: { ...upload.headers, 'x-api-key': key }, body });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
  }
  await call('POST', `/media/uploads/${upload.id}/complete`);
  for (;;) {
    const { status, media } = await call('GET', `/media/uploads/${upload.id}`);
    if (status === 'FAILED') throw new Error('The upload failed.');
    if (status === 'DONE') {
      let bytes = 0;
      for await (const chunk of (await fetch(media.url)).body!) bytes += chunk.length;
      if (bytes !== mebibytes * MEBIBYTE) throw new Error('It is not all there.');
      return;
    }
    await pause(200);
  }
}

async function requestsPerSecond(url: string): Promise<number> {
  const { requests, non2xx } = await autocannon({ url, connections: 16, duration: 4 });
  if (non2xx > 0) throw new Error(`${non2xx} answers were errors.`);
  return requests.average;
}

async function compareDelivery(service: Service): Promise<void> {
  const photos = await makePhotos();
  const form = new FormData();
  form.append('files', new Blob([(await photos(0)) as never]), 'photo.jpg');
  const answer = await fetch(`${service.base}/upload`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  const { items } = (await answer.json()) as Json;
  const { url } = items[0].resolutions.small;
  const file = join(folder, 'bare.jpg');
  await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).toFile(file);
  const bare = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': statSync(file).size });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < 4; round++) {
    theirs!.push(await requestsPerSecond(bareUrl));
    ours!.push(await requestsPerSecond(url));
  }
  bare.close();
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const [mine, other] = [median(ours!), median(theirs!)];
  console.log(
    `image of ${Math.round(statSync(file).size / 1024)} KB: ${mine.toFixed(0)}/s, bare file route ${other.toFixed(0)}/s (${Math.round((mine / other) * 100)} %)`,
  );
}

try {
  const service = await start();
  if (wants('uploads')) {
    console.log(`1,000 files of 2 MB, 16 at once: ${await watch(service, () => uploadAll(service, 1000, pdf))}`);
  }
  if (wants('pictures')) {
    const photos = await makePhotos();
    console.log(`100 photos of 2 MB, 16 at once: ${await watch(service, () => uploadAll(service, 100, photos))}`);
  }
  if (wants('delivery')) await compareDelivery(service);
  if (wants('large')) {
    console.log(
      `${largeMebibytes} MiB through the service to disk and back: ${await watch(service, () => sendLarge(service, largeMebibytes))}`,
    );
  }
  await stop(service);
  if (wants('s3')) {
    const S3rver = createRequire(import.meta.url)('@20minutes/s3rver');
    const s3 = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: join(folder, 's3'),
      configureBuckets: [{ name: 'souk' }],
    });
    const { port } = await s3.run();
    const onS3 = await start({ STORAGE_URL: `s3://S3RVER:S3RVER@127.0.0.1:${port}/souk?scheme=http` });
    console.log(
      `${largeMebibytes} MiB through the service to S3 and back: ${await watch(onS3, () => sendLarge(onS3, largeMebibytes))}`,
    );
    await stop(onS3);
    await s3.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
