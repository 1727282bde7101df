import type { Socket } from 'node:net';

/**
 * Bytes that are in memory because of connections. Above the limit the connections whose bytes are the oldest are cut: clients
 * that read and write are done within moments, so these are the ones that stall.
 */
export function createInFlight(limitBytes: number) {
  const entries = new Map<symbol, { socket: Socket; bytes: number }>();
  let total = 0;

  function release(id: symbol): void {
    total -= entries.get(id)?.bytes ?? 0;
    entries.delete(id);
  }

  return {
    /** Returns what to call when the bytes are gone. */
    add(socket: Socket, bytes: number): () => void {
      const id = Symbol();
      entries.set(id, { socket, bytes });
      total += bytes;
      for (const [oldest, { socket: slow }] of entries) {
        if (total <= limitBytes || oldest === id) break;
        release(oldest);
        slow.destroy();
      }
      return () => release(id);
    },
  };
}
