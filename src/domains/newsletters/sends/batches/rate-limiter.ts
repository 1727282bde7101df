import { setTimeout as pause } from 'node:timers/promises';

const MAX_PAUSE_MS = 200;

/** Spaces newsletter emails from this process evenly, at most `perSecond` messages across all connections. */
export function createRateLimiter(perSecond: number) {
  let nextSlotMs = 0;
  return {
    /** Waits until the next message may be sent. Returns early if `isOver`. */
    async wait(isOver: () => boolean): Promise<void> {
      const slotMs = Math.max(performance.now(), nextSlotMs);
      nextSlotMs = slotMs + 1000 / perSecond;
      for (let left = slotMs - performance.now(); left > 0 && !isOver(); left = slotMs - performance.now()) {
        await pause(Math.min(left, MAX_PAUSE_MS));
      }
    },
  };
}
