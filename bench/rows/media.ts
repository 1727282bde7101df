/** File requests to a service as `npm start` runs it, and its memory use above idle. */
import { randomBytes } from 'node:crypto';
import { createReadStream, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { type Bench, type Line, plainLine, type Row, ratioLine } from '../types.ts';
import { startWorking, type Working } from '../working.ts';
import { bearer } from './accounts.ts';

const MEBIBYTE = 1_048_576;
const AT_ONCE = 16;
const QUOTA = { MEDIA_QUOTA: '100000' };

type Watched = { seconds: number; idleMb: number; maxMb: number; loopMs: number };

/** The peak memory of a new process while `work` runs, and the 99th percentile of its event loop delay. */
async function withService(
  bench: Bench,
  settings: NodeJS.ProcessEnv,
  work: (service: Working) => Promise<unknown>,
): Promise<Watched> {
  const service = await startWorking(bench, settings);
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  let isOver = false;
  try {
    await pause(2000);
    // Reading the metrics starts a new histogram of the event loop delay.
    await metrics();
    const idleMb = await service.memoryMb();
    let maxMb = idleMb;
    const watching = (async () => {
      while (!isOver) {
        maxMb = Math.max(maxMb, await service.memoryMb());
        await pause(50);
      }
    })();
    const startedAt = performance.now();
    await work(service).finally(() => {
      isOver = true;
    });
    const seconds = (performance.now() - startedAt) / 1000;
    await watching;
    const loopMs = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await metrics())![1]) * 1000;
    return { seconds, idleMb, maxMb, loopMs };
  } finally {
    service.stop();
  }
}

const memoryLine = (operation: string, { seconds, idleMb, maxMb }: Watched): Line =>
  plainLine({
    operation,
    ours: `+${maxMb - idleMb} MB in ${seconds.toFixed(1)} s`,
    memory: `${maxMb} MB`,
    goal: '≤ 100 MB above idle',
    met: maxMb - idleMb <= 100,
  });

const loopLine = (operation: string, { loopMs }: Watched): Line =>
  plainLine({
    operation,
    ours: `${loopMs.toFixed(1)} ms`,
    p99: `${loopMs.toFixed(1)} ms`,
    goal: 'p99 < 30 ms',
    met: loopMs < 30,
  });

const baseOf = ({ shop }: Bench, url: string) => `${url}/v1/businesses/${shop.businessId}`;

// biome-ignore lint/suspicious/noExplicitAny: responses are untyped.
type Json = any;

async function bodyOf(response: Response): Promise<Json> {
  if (!response.ok) throw new Error(`${response.url} returned ${response.status}: ${await response.text()}`);
  return response.json();
}

async function upload(bench: Bench, url: string, bytes: Buffer): Promise<Json> {
  const body = new FormData();
  body.append('files', new Blob([bytes as never]), 'file');
  const headers = bearer(bench.shop.adminToken);
  return (await bodyOf(await fetch(`${baseOf(bench, url)}/upload`, { method: 'POST', headers, body }))).items[0];
}

/** A different file each time. */
async function uploadMany(bench: Bench, url: string, count: number, make: () => Buffer): Promise<void> {
  let left = count;
  const one = async () => {
    while (left-- > 0) await upload(bench, url, make());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Two megabytes that start like a PDF. */
const pdf = () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(2_000_000)]);

export const uploadsRow: Row = {
  name: 'uploads',
  async run(bench) {
    const [files, images] = bench.large ? [1000, 100] : [200, 16];
    const name = (count: number, what: string) =>
      `${count.toLocaleString('en')} uploads of ${what}, ${AT_ONCE} concurrent`;
    const plain = await withService(bench, QUOTA, ({ url }) => uploadMany(bench, url, files, pdf));
    const photo = await makePhoto();
    // Random trailing bytes make each file different.
    const another = () => Buffer.concat([photo, randomBytes(16)]);
    const drawn = await withService(bench, QUOTA, ({ url }) => uploadMany(bench, url, images, another));
    return [
      memoryLine(name(files, '2 MB'), plain),
      loopLine(`Event loop during ${name(files, '2 MB')}`, plain),
      memoryLine(name(images, 'photos of 2 MB'), drawn),
    ];
  },
};

async function makePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const small = sharp({ create: { width: 800, height: 600, channels: 3, background: '#888', noise } }).png();
  return sharp(await small.toBuffer())
    .resize(3200, 2400)
    .jpeg({ quality: 80 })
    .toBuffer();
}

const BARE_FILE = 'bare-image';

/** The smallest size of an image, compared with a route that streams the same bytes from a file. */
export const imageRow: Row = {
  name: 'image',
  async run(bench) {
    const { resolutions } = await upload(bench, bench.url, await makePhoto());
    const { pathname } = new URL(resolutions.small.url);
    const image = await fetch(`${bench.url}${pathname}`);
    const file = join(bench.env.DATA_DIR!, BARE_FILE);
    writeFileSync(file, Buffer.from(await image.arrayBuffer()));
    const request = (path: string) => [{ method: 'GET', path }];
    const result = await bench.compare(
      { server: 'souk', requests: request(pathname), connections: AT_ONCE },
      { server: 'bare', requests: request(`/${BARE_FILE}`), connections: AT_ONCE },
    );
    return [ratioLine(`GET an image of ${Math.round(statSync(file).size / 1024)} KB`, 0.8, result)];
  },
};

export function bareMedia(app: FastifyInstance): void {
  const file = join(process.env.DATA_DIR!, BARE_FILE);
  app.get(`/${BARE_FILE}`, (_request, reply) =>
    reply.type('image/jpeg').header('content-length', statSync(file).size).send(createReadStream(file)),
  );
}

/** Uploaded in parts through the service, checked by its job, and read back. */
export const largeFileRow: Row = {
  name: 'large-file',
  async run(bench) {
    const mebibytes = bench.large ? 5120 : 256;
    const name = (where: string) => `${mebibytes.toLocaleString('en')} MiB through the service to ${where} and back`;
    const send = ({ url }: Working) => sendParts(bench, url, mebibytes * MEBIBYTE);
    const toDisk = await withService(bench, QUOTA, send);
    const S3rver = createRequire(import.meta.url)('@20minutes/s3rver');
    const directory = join(bench.env.DATA_DIR!, 's3');
    const buckets = { configureBuckets: [{ name: 'souk' }] };
    const s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, ...buckets });
    const { port } = await s3.run();
    try {
      const url = `s3://S3RVER:S3RVER@127.0.0.1:${port}/souk?scheme=http`;
      const toS3 = await withService(bench, { ...QUOTA, STORAGE_URL: url }, send);
      return [memoryLine(name('disk'), toDisk), memoryLine(name('S3'), toS3)];
    } finally {
      await s3.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

async function sendParts(bench: Bench, url: string, size: number): Promise<void> {
  const path = `/v1/businesses/${bench.shop.businessId}/media/uploads`;
  const upload: Json = await bench.call('POST', path, { url, body: { fileName: 'film.mp4', size, direct: false } });
  const bytes = randomBytes(upload.partSize);
  Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex').copy(bytes);
  for (const part of upload.parts) {
    const headers = { ...upload.headers, ...bearer(bench.shop.adminToken) };
    await bodyOf(await fetch(part.url, { method: 'PUT', headers, body: bytes.subarray(0, part.size) }));
  }
  await bench.call('POST', `${path}/${upload.id}/complete`, { url });
  for (;;) {
    const { status, media, problem }: Json = await bench.call('GET', `${path}/${upload.id}`, { url });
    if (status === 'FAILED') throw new Error(problem);
    if (status === 'DONE') {
      let read = 0;
      for await (const chunk of (await fetch(media.url)).body!) read += chunk.length;
      if (read !== size) throw new Error(`${read} of ${size} bytes were read back.`);
      return;
    }
    await pause(200);
  }
}
