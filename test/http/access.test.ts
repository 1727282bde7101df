import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import test, { after } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { bodyStream } from '../../src/http/bodies/body-stream.ts';
import { acceptStreams } from '../../src/http/bodies/multipart.ts';
import { NO_FACTORS, type Permission } from '../../src/shared/security/caller.ts';
import { startServer } from './app.ts';

const MIB = 1_048_576;
const permissions = new Map<string, Set<Permission>>();
const handled: string[] = [];
const slices: number[] = [];
const server = await startServer(
  (app) => {
    const config = { access: 'ADMIN' as const };
    app.post('/:businessId/json', { config }, () => handled.push('json'));
    acceptStreams(app as unknown as FastifyInstance, 'text/csv');
    app.post('/:businessId/stream', { config }, async (received) => {
      const body = bodyStream(received).on('data', ({ length }) => slices.push(length));
      return handled.push(`stream of ${(await buffer(body)).length}`);
    });
  },
  {
    access: {
      authenticate: (userId) =>
        permissions.has(userId)
          ? {
              userId,
              provider: 'EMAIL',
              email: null,
              isGuest: false,
              isConfirmed: true,
              name: '',
              sessionId: null,
              keyId: null,
              factors: NO_FACTORS,
              permissions: new Map([['biz', permissions.get(userId)!]]),
            }
          : null,
      businessExists: () => true,
      recordRoleUse: () => undefined,
    },
  },
);
after(server.stop);

/** Sends the headers and returns the request once the server has checked its access. */
async function begin(path: string, type: string) {
  permissions.set('ada', new Set(['ADMIN']));
  handled.length = 0;
  slices.length = 0;
  const arrived = once(server.app.server, 'request');
  const sending = request(`${server.url}/biz/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer ada', 'content-type': type },
  });
  sending.on('error', () => {});
  sending.flushHeaders();
  await arrived;
  return sending;
}

const statusOf = async (sending: ReturnType<typeof request>) => (await once(sending, 'response'))[0].statusCode;

test('a caller who loses the permission or the session while the body arrives is rejected', async () => {
  for (const [path, type, body] of [
    ['json', 'application/json', '{}'],
    ['stream', 'text/csv', 'a,b'],
  ] as const) {
    const demoted = await begin(path, type);
    permissions.set('ada', new Set());
    demoted.end(body);
    assert.equal(await statusOf(demoted), 403);

    const loggedOut = await begin(path, type);
    permissions.delete('ada');
    loggedOut.end(body);
    assert.equal(await statusOf(loggedOut), 401);
    assert.deepEqual(handled, []);

    const allowed = await begin(path, type);
    allowed.end(body);
    assert.equal(await statusOf(allowed), 200);
    assert.equal(handled.length, 1);
  }
});

test('an upload is aborted as soon as its caller loses the permission', async () => {
  const sending = await begin('stream', 'text/csv');
  sending.write(Buffer.alloc(MIB));
  while (slices.reduce((sum, length) => sum + length, 0) < MIB) await new Promise((next) => setImmediate(next));
  permissions.set('ada', new Set());
  sending.write(Buffer.alloc(2 * MIB));
  assert.equal(await statusOf(sending), 403);
  assert.deepEqual(handled, []);
  sending.destroy();
});
