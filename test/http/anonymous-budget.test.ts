import assert from 'node:assert/strict';
import { request } from 'node:http';
import test, { after } from 'node:test';
import { limitAnonymous } from '../../src/http/clients/anonymous-budget.ts';
import { workOf } from '../../src/http/clients/request-work.ts';
import { startServer } from './app.ts';

let nowMs = 0;
const server = await startServer((app) => {
  limitAnonymous(app, 20, { now: () => nowMs, unitsPerMs: 0 });
  app.get('/small', { config: { access: 'public' } }, () => 'small');
  app.get('/large', { config: { access: 'public' } }, () => 'x'.repeat(16_384 * 50));
  app.get('/health', { config: { access: 'public', isFree: true } }, () => 'ok');
  app.get('/members', { config: { access: 'token' } }, () => 'ok');
});
after(server.stop);

const statusOf = (path: string, localAddress: string, token?: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    request(`${server.url}${path}`, { localAddress, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!));
    })
      .once('error', reject)
      .end();
  });

/** How many requests succeed before the first 429. */
async function countUntilLimited(path: string, address: string): Promise<number> {
  for (let i = 0; i < 1000; i++) if ((await statusOf(path, address)) === 429) return i;
  return 1000;
}

test('an IP address over its budget gets 429 until the budget refills, and other addresses are not affected', async () => {
  assert.equal(await countUntilLimited('/small', '127.0.0.2'), 100);
  assert.equal(await statusOf('/members', '127.0.0.2', 'ada'), 200);
  assert.equal(await statusOf('/health', '127.0.0.2'), 200);
  assert.equal(await statusOf('/small', '127.0.0.3'), 200);
  nowMs += 1000;
  assert.equal(await countUntilLimited('/small', '127.0.0.2'), 20);
  nowMs += 3_600_000;
  assert.equal(await countUntilLimited('/small', '127.0.0.2'), 100, 'unspent budget does not add up');
});

test('a large response costs more than a small one', async () => {
  assert.equal(await countUntilLimited('/large', '127.0.0.4'), 2);
});

test('a request is charged for the CPU time it takes', async () => {
  const slow = await startServer((app) => {
    limitAnonymous(app, 20, { now: () => nowMs });
    app.get('/slow', { config: { access: 'public' } }, (request) => {
      workOf(request)!.spend(1000);
      return 'slow';
    });
  });
  assert.equal((await fetch(`${slow.url}/slow`)).status, 200);
  assert.equal((await fetch(`${slow.url}/slow`)).status, 429);
  await slow.stop();
});
