import type { Socket } from 'node:net';

const LOOK_MS = 1000;

type Watched = { socket: Socket; silenceMs: number; awaitsAnswer(): boolean };

type Seen = { bytesRead: number; sinceMs: number };

const watched = new Map<Watched, Seen>();
let timer: NodeJS.Timeout | undefined;

/**
 * Cuts a connection that owes an answer and has sent nothing for `silenceMs`. PostgreSQL itself ends what takes too long, but
 * not when its machine has vanished without a word; the kernel would wait for a quarter of an hour.
 */
export function watchSilence(client: Watched): void {
  watched.set(client, { bytesRead: 0, sinceMs: performance.now() });
  client.socket.once('close', () => {
    watched.delete(client);
    if (watched.size === 0) clearInterval(timer);
  });
  if (watched.size === 1) timer = setInterval(look, LOOK_MS).unref();
}

function look(): void {
  const now = performance.now();
  for (const [client, seen] of watched) {
    const { bytesRead } = client.socket;
    if (bytesRead !== seen.bytesRead || !client.awaitsAnswer()) watched.set(client, { bytesRead, sinceMs: now });
    else if (now - seen.sinceMs > client.silenceMs) {
      client.socket.destroy(new Error('Connection terminated: the server is silent'));
    }
  }
}
