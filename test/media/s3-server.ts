/** A real S3 server on disk that can stop at any request and restart with its data. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type S3rver = { run(): Promise<AddressInfo>; httpServer: Server };
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3rver;

export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 'souk-s3-'));
  let running: Server | null = null;
  let port = 0;
  let callsLeft = Number.POSITIVE_INFINITY;

  function stop(): void {
    running?.close();
    running?.closeAllConnections();
    running = null;
  }
  async function start(): Promise<void> {
    callsLeft = Number.POSITIVE_INFINITY;
    if (running) return;
    const options = { port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'souk' }] };
    const s3 = new S3rver(options);
    port = (await s3.run()).port;
    running = s3.httpServer.prependListener('request', () => {
      if (--callsLeft < 0) stop();
    });
  }
  await start();

  return {
    stop,
    /** Starts on the previous port and responds to all requests. */
    start,
    isRunning: () => running !== null,
    /** Responds to this many requests, then stops during the next one. */
    stopAfter(calls: number): void {
      callsLeft = calls;
    },
    url: (secret = 'S3RVER', bucket = 'souk') => `s3://S3RVER:${secret}@127.0.0.1:${port}/${bucket}?scheme=http`,
    /** The names of the objects under a folder. */
    files: (folder: string) => {
      try {
        return readdirSync(join(directory, 'souk', folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && entry.name.endsWith('._S3rver_object'))
          .map((entry) => entry.name.replace('._S3rver_object', ''));
      } catch {
        return [];
      }
    },
    remove(): void {
      stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
