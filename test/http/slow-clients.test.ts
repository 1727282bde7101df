import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { after } from 'node:test';
import { createInFlight } from '../../src/http/in-flight.ts';
import { raw, startServer } from './app.ts';

const LARGE = 'x'.repeat(8 * 1024 * 1024);
const server = await startServer(
  (app) => {
    const config = { access: 'public' as const };
    app.get('/large', { config }, () => LARGE);
    app.get('/slow', { config }, () => new Promise((resolve) => setTimeout(resolve, 1200, 'late')));
    app.get('/small', { config }, () => 'small');
    app.post('/body', { config }, () => 'taken');
    app.post('/members', { config: { access: 'token' as const, bodyMs: 600_000 } }, () => 'taken');
  },
  { stallMs: 500 },
);
after(server.stop);

function open(): Socket {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

test('a client that takes nothing of its answer is cut; one that reads slowly or waits for a slow answer is not', async () => {
  const accepted = once(server.app.server, 'connection');
  const stalled = open().pause();
  stalled.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  const [ourSide] = (await accepted) as [Socket];
  await once(ourSide, 'close');
  stalled.destroy();

  const slow = open();
  slow.write('GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let bytes = 0;
  for await (const chunk of slow) {
    const before = bytes;
    bytes += chunk.length;
    // Some of the answer is taken every now and then, for longer than a stall may last.
    if (Math.floor(bytes / 1_000_000) > Math.floor(before / 1_000_000))
      await new Promise((next) => setTimeout(next, 100));
  }
  assert.ok(bytes > LARGE.length);
  assert.equal((await server.call('GET', '/slow')).body, 'late');
});

test('a client that is refused before its body came, and goes away, leaves nothing that waits for it', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (let i = 0; i < 50; i++) {
    const accepted = once(server.app.server, 'connection');
    const socket = open();
    socket.write(
      'POST /members HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
    );
    const [ourSide] = (await accepted) as [Socket];
    const closed = once(ourSide, 'close');
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 401/);
    socket.destroy();
    await closed;
  }
  assert.ok(timers() < before + 10, `${timers() - before} timers`);
});

test('a client that sends a hundred requests ahead is cut, and nobody else', async () => {
  const answer = await raw(server.port, 'GET /slow HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100));
  assert.equal(answer, '');
  const last = 'GET /small HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  const ahead = await raw(server.port, `${'GET /small HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(9)}${last}`);
  assert.equal(ahead.match(/200 OK/g)?.length, 10);
  assert.equal((await server.call('GET', '/small')).status, 200);
});

test('answers that nobody takes, and bodies that do not arrive, are bounded in all: the oldest go first', async (t) => {
  const patient = await startServer(
    (app) => {
      const config = { access: 'public' as const };
      app.get('/large', { config }, () => LARGE);
      app.post('/body', { config }, () => 'taken');
    },
    { stallMs: 300_000, timeouts: { headersMs: 300_000, requestMs: 300_000 } },
  );
  t.after(patient.stop);
  const post = `POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${2 ** 20}\r\n\r\n{`;
  for (const { request, count } of [
    { request: 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n', count: 9 },
    { request: post, count: 65 },
  ]) {
    const accepted = once(patient.app.server, 'connection');
    const sockets: Socket[] = [];
    for (let i = 0; i < count; i++) {
      const socket = connect(patient.port, '127.0.0.1').pause();
      socket.on('error', () => {});
      socket.write(request);
      sockets.push(socket);
      // The first is the oldest, whatever the order in which connections are accepted.
      if (i === 0) await once(patient.app.server, 'request');
    }
    const [oldest] = (await accepted) as [Socket];
    if (!oldest.destroyed) await once(oldest, 'close', { signal: AbortSignal.timeout(20_000) });
    for (const socket of sockets) socket.destroy();
  }
});

test('above the limit of bytes held, those who have held theirs longest are cut', () => {
  const inFlight = createInFlight(100);
  const cut: string[] = [];
  const socket = (name: string) => ({ destroy: () => cut.push(name) }) as unknown as Socket;
  const release = inFlight.add(socket('first'), 60);
  release();
  release();
  inFlight.add(socket('second'), 60);
  inFlight.add(socket('third'), 40);
  assert.deepEqual(cut, []);
  inFlight.add(socket('fourth'), 30);
  assert.deepEqual(cut, ['second']);
  inFlight.add(socket('huge'), 1000);
  assert.deepEqual(cut, ['second', 'third', 'fourth']);
});
