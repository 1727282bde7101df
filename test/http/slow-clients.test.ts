import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import test, { after } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { bodyStream } from '../../src/http/bodies/body-stream.ts';
import { acceptStreams } from '../../src/http/bodies/multipart.ts';
import { createInFlight } from '../../src/http/clients/in-flight.ts';
import { closeIfStalled } from '../../src/http/clients/slow-clients.ts';
import { raw, startServer } from './app.ts';

const LARGE = 'x'.repeat(8 * 1024 * 1024);
const HUGE = LARGE.repeat(6);
const slow = Promise.withResolvers<string>();
const server = await startServer(
  (app) => {
    const config = { access: 'public' as const };
    app.get('/large', { config }, () => LARGE);
    app.get('/huge', { config }, () => HUGE);
    app.get('/slow', { config }, () => slow.promise);
    app.get('/never', { config }, () => new Promise(() => {}));
    app.get('/small', { config }, () => 'small');
    app.post('/body', { config }, () => 'taken');
    app.get('/endless', { config }, (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write(LARGE);
      closeIfStalled(reply.raw, app.stallMs);
    });
    acceptStreams(app as unknown as FastifyInstance, 'text/csv');
    app.post('/stream', { config: { ...config, bodyMs: 600_000 } }, async (request) => {
      return (await buffer(bodyStream(request))).length;
    });
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

/** Requests the path and never reads. Resolves when the server has disconnected the client. */
async function stall(path: string): Promise<void> {
  const accepted = once(server.app.server, 'connection');
  const stalled = open().pause();
  stalled.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  const [ourSide] = (await accepted) as [Socket];
  await once(ourSide, 'close');
  stalled.destroy();
}

test('a client that stops reading is disconnected, but not one that reads slowly or waits for a slow response', async () => {
  const late = server.call('GET', '/slow');
  const reader = open();
  reader.write('GET /huge HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await once(reader, 'readable');
  // Reads about 10 MB a second until another client has been disconnected.
  let isOver = false;
  const disconnected = stall('/large').then(() => {
    isOver = true;
  });
  let bytes = 0;
  const startedAt = performance.now();
  while (!isOver) {
    if (bytes < (performance.now() - startedAt) * 10_000) bytes += reader.read()?.length ?? 0;
    await new Promise((next) => setImmediate(next));
  }
  await disconnected;
  assert.ok(bytes < HUGE.length);
  bytes += (await buffer(reader)).length;
  assert.ok(bytes > HUGE.length);
  slow.resolve('late');
  assert.equal((await late).body, 'late');
});

test('a client that stops sending a streamed body gets 408', async () => {
  const head = 'POST /stream HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\ncontent-length: 1000000\r\n\r\n';
  assert.match(await raw(server.port, `${head}half-open`), /^HTTP\/1\.1 408 /);
});

test('a client that does not read an endless response is disconnected', () => stall('/endless'));

test('an endless response is closed after a whole interval without progress, but not while its client keeps up', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const open = (isBlocked: boolean) => {
    const response = Object.assign(new EventEmitter(), { writableNeedDrain: isBlocked, isDestroyed: false });
    const destroy = () => {
      response.isDestroyed = true;
      response.emit('close');
    };
    closeIfStalled(Object.assign(response, { destroy }) as unknown as ServerResponse, 1000);
    return response;
  };
  const [idle, slow, stalled] = [open(false), open(true), open(true)];
  const closed = () => [idle, slow, stalled].map(({ isDestroyed }) => isDestroyed);
  t.mock.timers.tick(1999);
  assert.deepEqual(closed(), [false, false, false]);
  slow.emit('drain');
  t.mock.timers.tick(1);
  assert.deepEqual(closed(), [false, false, true]);
  slow.emit('drain');
  t.mock.timers.tick(1000);
  assert.deepEqual(closed(), [false, false, true]);
  t.mock.timers.tick(1000);
  assert.deepEqual(closed(), [false, true, true]);
});

test('a client that disconnects after an early rejection leaves no timer behind', async () => {
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

test('pipelined requests run one at a time, and other connections get their turn in between', async (t) => {
  const order: string[] = [];
  const server = await startServer((app) => {
    app.get('/:name', { config: { access: 'public' } }, ({ params }) => {
      order.push((params as { name: string }).name);
      return 'ok';
    });
  });
  t.after(server.stop);
  const get = (name: string, more = '') => `GET /${name} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;
  const close = 'connection: close\r\n';
  const sockets = ['a', 'b'].map(() => connect(server.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const [i, socket] of sockets.entries()) socket.write(get(`${'ab'[i]}`).repeat(5) + get('ab'[i]!, close));
  const responses = await Promise.all(sockets.map((socket) => text(socket)));
  for (const response of responses) assert.equal(response.match(/200 OK/g)?.length, 6);
  assert.ok(order.indexOf('b') < order.lastIndexOf('a'), order.join(''));
});

test('many large responses to one address delay a response to another address by at most two responses', async (t) => {
  const order: string[] = [];
  const { promise: ready, resolve: release } = Promise.withResolvers<void>();
  const server = await startServer((app) => {
    app.get('/:name', { config: { access: 'public' } }, async ({ params }, reply) => {
      const { name } = params as { name: string };
      order.push('waiting');
      const end = reply.raw.end.bind(reply.raw);
      reply.raw.end = ((...args: Parameters<typeof end>) => {
        order.push(name);
        for (const until = performance.now() + 6; performance.now() < until; );
        return end(...args);
      }) as typeof end;
      await ready;
      return 'x'.repeat(70_000);
    });
  });
  t.after(server.stop);
  const get = (name: string, address: string) =>
    new Promise<void>((resolve, reject) => {
      const sent = request(`http://127.0.0.1:${server.port}/${name}`, { localAddress: address, agent: false });
      sent.once('response', (response) => response.resume().once('end', resolve)).once('error', reject);
      sent.end();
    });
  const many = Array.from({ length: 20 }, () => get('a', '127.0.0.2'));
  while (order.length < 20) await turn();
  const other = get('b', '127.0.0.3');
  while (order.length < 21) await turn();
  order.length = 0;
  release();
  await Promise.all([...many, other]);
  assert.ok(order.indexOf('b') <= 2, order.join(''));
});

test('a client that pipelines a thousand requests is disconnected before they are parsed, and no other client is', async () => {
  let parsed = 0;
  const count = () => void parsed++;
  server.app.server.on('request', count);
  const response = await raw(server.port, 'GET /never HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000));
  server.app.server.off('request', count);
  assert.equal(response, '');
  assert.equal(parsed, 7);
  const last = 'GET /small HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  const ahead = await raw(server.port, `${'GET /small HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(5)}${last}`);
  assert.equal(ahead.match(/200 OK/g)?.length, 6);
  assert.equal((await server.call('GET', '/small')).status, 200);
});

/** A socket from one of the addresses of this machine. */
function from(address: string, port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address }).pause();
  socket.on('error', () => {});
  return socket;
}

const MIB = 2 ** 20;
const postOf = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

test('an address that fills memory with incomplete bodies loses its connections, and no other address does', async (t) => {
  const server = await startServer(
    (app) => {
      app.post('/body', { config: { access: 'public' } }, () => 'taken');
      acceptStreams(app as unknown as FastifyInstance, 'text/csv');
      const config = { access: 'public' as const, streamsBody: true };
      app.post('/stream', { config }, async ({ raw: body }) => `streamed ${(await buffer(body)).length}`);
    },
    { stallMs: 300_000, timeouts: { headersMs: 300_000, requestMs: 300_000 } },
  );
  t.after(server.stop);
  const body = JSON.stringify('x'.repeat(MIB - 2));
  const accepted: Socket[] = [];
  server.app.server.on('connection', (socket: Socket) => accepted.push(socket));
  /** Sends all but the last byte, and waits until the bytes have arrived. */
  async function begin(address: string, head: string, sent = body.slice(0, -1)): Promise<Socket> {
    const arrived = once(server.app.server, 'request');
    const socket = from(address, server.port);
    socket.write(head + sent);
    const [{ socket: ours }] = (await arrived) as [{ socket: Socket }];
    while (!ours.destroyed && ours.bytesRead < head.length + sent.length)
      await new Promise((next) => setImmediate(next));
    return socket;
  }
  const victims = [
    await begin('127.0.0.2', postOf('/body', 'application/json', body.length)),
    await begin('127.0.0.2', postOf('/stream', 'text/csv', body.length)),
  ];
  for (let i = 0; i < 80; i++) await begin('127.0.0.1', postOf('/body', 'application/json', body.length), '"');
  assert.equal(accepted.filter(({ destroyed }) => destroyed).length, 0, 'the declared length does not count');
  for (let i = 0; i < 40; i++) await begin('127.0.0.1', postOf('/body', 'application/json', body.length));
  const cut = accepted.filter(({ destroyed }) => destroyed);
  assert.ok(cut.length >= 8, `${cut.length} of 40 MiB`);
  assert.ok(cut.length <= 10, `${cut.length} of 40 MiB`);
  const responses = await Promise.all(
    victims.map((socket) => {
      socket.write(body.slice(-1));
      return text(socket);
    }),
  );
  assert.match(responses[0]!, /200 OK.*taken/s);
  assert.match(responses[1]!, /200 OK.*streamed 1048576/s);
});

test('an address that does not read its responses loses its connections, and no other does', async (t) => {
  const server = await startServer((app) => void app.get('/large', { config: { access: 'public' } }, () => LARGE), {
    stallMs: 300_000,
  });
  t.after(server.stop);
  const accepted: Socket[] = [];
  server.app.server.on('connection', (socket: Socket) => accepted.push(socket));
  const get = 'GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  const begin = async (address: string) => {
    const arrived = once(server.app.server, 'request');
    const socket = from(address, server.port);
    socket.write(get);
    await arrived;
    return socket;
  };
  const victim = await begin('127.0.0.2');
  for (let i = 0; i < 12; i++) await begin('127.0.0.1');
  while (accepted.filter(({ destroyed }) => destroyed).length < 5) await new Promise((next) => setImmediate(next));
  assert.ok((await text(victim)).length > LARGE.length);
});

test('above a limit, the largest connection of the largest address is closed', () => {
  const inFlight = createInFlight({ max: 100, maxPerAddress: 70 });
  const closed: string[] = [];
  const hold = (name: string, address: string, bytes: number) => {
    const holder = inFlight.track({ destroy: () => closed.push(name) } as unknown as Socket, address);
    holder.add(bytes);
    return holder;
  };
  const first = hold('first', 'a', 60);
  first.release();
  first.release();
  hold('small', 'a', 20);
  const large = hold('large', 'a', 30);
  hold('other', 'b', 45);
  assert.deepEqual(closed, []);
  hold('another', 'c', 10);
  assert.deepEqual(closed, ['large'], 'above the total');
  large.add(1000);
  hold('more', 'b', 25);
  assert.deepEqual(closed, ['large']);
  hold('last', 'b', 1);
  assert.deepEqual(closed, ['large', 'other'], 'above the limit per address');
});
