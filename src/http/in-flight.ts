import type { Socket } from 'node:net';

/**
 * Bytes that connections make us hold in memory. Above the limit those that have held theirs longest are cut: clients that read
 * and write are done within moments, so the oldest are the ones that stall.
 */
export function createInFlight(limitBytes: number) {
  const held = new Map<symbol, { socket: Socket; bytes: number }>();
  let total = 0;

  function release(id: symbol): void {
    total -= held.get(id)?.bytes ?? 0;
    held.delete(id);
  }

  return {
    /** Returns what to call when the bytes are gone. */
    add(socket: Socket, bytes: number): () => void {
      const id = Symbol();
      held.set(id, { socket, bytes });
      total += bytes;
      for (const [oldest, { socket: slow }] of held) {
        if (total <= limitBytes || oldest === id) break;
        release(oldest);
        slow.destroy();
      }
      return () => release(id);
    },
  };
}
