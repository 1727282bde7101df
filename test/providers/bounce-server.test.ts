import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startBounceServer } from '../../src/providers/mail-events/bounce-server.ts';

async function start(t: TestContext, maxMs?: number) {
  const server = await startBounceServer({
    host: '127.0.0.1',
    port: 0,
    accepts: () => true,
    receive: async () => {},
    ...(maxMs === undefined ? {} : { maxMs }),
  });
  t.after(server.close);
  return (localAddress: string) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, localAddress });
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    return { socket, greeting: once(socket, 'data').then(([data]) => String(data)) };
  };
}

test('an IP address can have at most five connections, and others can still connect', async (t) => {
  const open = await start(t);
  for (let i = 0; i < 5; i++) assert.match(await open('127.0.0.2').greeting, /^220/);
  assert.match(await open('127.0.0.2').greeting, /^421/);
  assert.match(await open('127.0.0.3').greeting, /^220/);
});

test('a client that sends a byte now and then is eventually disconnected', { timeout: 20_000 }, async (t) => {
  const open = await start(t, 300);
  const { socket, greeting } = open('127.0.0.2');
  let isOpen = true;
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve())).then(() => {
    isOpen = false;
  });
  await greeting;
  while (isOpen) {
    socket.write('E');
    await Promise.race([closed, pause(20)]);
  }
});
