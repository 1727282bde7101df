import { setTimeout as pause } from 'node:timers/promises';

const MAX_PAUSE_MS = 200;

/** Spaces the newsletter mails of this process evenly: `perSecond` messages at most, over all connections. */
export function createRateLimiter(perSecond: number) {
  let nextSlotMs = 0;
  return {
    /** Waits until the next message may be sent; ends early when `isOver`. */
    async wait(isOver: () => boolean): Promise<void> {
      const slotMs = Math.max(performance.now(), nextSlotMs);
      nextSlotMs = slotMs + 1000 / perSecond;
      for (let left = slotMs - performance.now(); left > 0 && !isOver(); left = slotMs - performance.now()) {
        await pause(Math.min(left, MAX_PAUSE_MS));
      }
    },
  };
}
