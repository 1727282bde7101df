import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test from 'node:test';
import { raw, startServer } from './app.ts';

test('a request that arrives during shutdown gets 503 with the usual body and Retry-After', async () => {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = await startServer((app) => {
    app.get('/slow', { config: { access: 'public' } }, async () => {
      requested.resolve();
      await released.promise;
      return {};
    });
  });
  const late = connect(server.port, '127.0.0.1');
  // A connection in the middle of a request is not idle, so shutdown doesn't close it.
  late.write('GET /slow HTTP/1.1\r\nhost: x\r\n');
  const slow = raw(server.port, 'GET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await requested.promise;
  const closed = server.app.close();
  late.write('\r\n');
  let response = '';
  for await (const chunk of late) response += chunk;
  released.resolve();
  assert.match(await slow, /^HTTP\/1\.1 200 /);
  await closed;
  const [head, body] = response.split('\r\n\r\n') as [string, string];
  assert.match(head, /^HTTP\/1\.1 503 /);
  assert.match(head, /\r\nretry-after: 1\r\n/i);
  assert.match(head, /\r\nconnection: close(\r\n|$)/i);
  const { error, message, details } = JSON.parse(body);
  assert.deepEqual([error, details], ['UNAVAILABLE', []]);
  assert.match(message, /shutting down/);
});
