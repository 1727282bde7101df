import type { Socket } from 'node:net';
import type pg from 'pg';

const CHECK_MS = 1000;

type Watched = pg.Client & { socket: Socket; silenceMs: number };

/** `confirmedBytes`: PostgreSQL has responded to all statements within this many written bytes. */
type Seen = { confirmedBytes: number; bytesRead: number; sinceMs: number };

const watched = new Map<Watched, Seen>();
let timer: NodeJS.Timeout | undefined;

/**
 * Closes a connection if a response is pending and nothing has arrived for `silenceMs`. PostgreSQL cancels statements
 * that take too long, but it can't if its machine is down. The kernel would keep retransmitting for 15 minutes.
 */
export function watchSilence(client: Watched): void {
  const { socket } = client;
  const seen = { confirmedBytes: socket.bytesWritten, bytesRead: 0, sinceMs: performance.now() };
  watched.set(client, seen);
  client.on('drain', () => {
    seen.confirmedBytes = socket.bytesWritten;
  });
  socket.once('close', () => {
    watched.delete(client);
    if (watched.size === 0) clearInterval(timer);
  });
  if (watched.size === 1) timer = setInterval(closeSilent, CHECK_MS).unref();
}

function closeSilent(): void {
  const now = performance.now();
  for (const [{ socket, silenceMs }, seen] of watched) {
    const { bytesRead, bytesWritten } = socket;
    if (bytesRead !== seen.bytesRead || bytesWritten === seen.confirmedBytes) {
      seen.bytesRead = bytesRead;
      seen.sinceMs = now;
    } else if (now - seen.sinceMs > silenceMs) {
      socket.destroy(new Error('Connection terminated: the server is not responding'));
    }
  }
}
