/** A proxy to PostgreSQL that calls back when a chosen statement arrives, and forwards neither that statement nor later ones. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bind and Query: the messages that run a statement. */
const RUNS = new Set(['B', 'Q']);

export async function startCuttingProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let cut: () => void = () => {};

  const server = createServer((client) => {
    const upstream = createConnection(`${target.host}/.s.PGSQL.${target.port}`);
    let received: Buffer = Buffer.alloc(0);
    let isStarted = false;
    client.on('data', (data) => {
      received = Buffer.concat([received, data]);
      for (;;) {
        const header = isStarted ? 1 : 0;
        if (received.length < header + 4) return;
        const length = header + received.readUInt32BE(header);
        if (received.length < length) return;
        const message = received.subarray(0, length);
        if (isStarted && RUNS.has(String.fromCharCode(message[0]!)) && left-- <= 0) {
          cut();
          for (const socket of sockets) socket.destroy();
          return;
        }
        isStarted = true;
        upstream.write(message);
        received = received.subarray(length);
      }
    });
    upstream.on('data', (data) => client.write(data));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const each of [client, upstream]) each.destroy();
      });
    }
  });
  const folder = mkdtempSync(join(tmpdir(), 'souk-cut-'));
  await new Promise<void>((resolve) => server.listen(join(folder, `.s.PGSQL.${target.port}`), resolve));
  return {
    host: folder,
    /** Forwards `count` more statements. */
    cutAfter(count: number, callback: () => void): void {
      left = count;
      cut = callback;
    },
    uncut(): void {
      left = Number.POSITIVE_INFINITY;
    },
    stop(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
