/**
 * A client that reads a few pages and records, in a separate thread, so that the other clients don't delay it. Sends
 * the duration of each request in milliseconds when it gets a message.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { paths, url, token } = workerData as { paths: string[]; url: string; token: string };
const headers = { authorization: `Bearer ${token}` };
let took: number[] = [];
let failed: Record<string, number> = {};

parentPort!.on('message', () => {
  parentPort!.postMessage({ took, failed });
  took = [];
  failed = {};
});

for (let i = 0; ; i++) {
  const path = paths[i % paths.length]!;
  const startedAt = performance.now();
  const status = await fetch(url + path, { headers }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  took.push(performance.now() - startedAt);
  if (status !== 200) failed[`${status} ${path}`] = (failed[`${status} ${path}`] ?? 0) + 1;
  await pause(10);
}
