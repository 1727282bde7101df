import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 200;

/** Spreads all newsletter mail of this process evenly, `perSecond` messages at most. */
export function createPace(perSecond: number) {
  let free = 0;
  return {
    /** Waits for the next turn; ends early, without one, when `isOver`. */
    async next(isOver: () => boolean): Promise<void> {
      const at = Math.max(performance.now(), free);
      free = at + 1000 / perSecond;
      for (let left = at - performance.now(); left > 0 && !isOver(); left = at - performance.now()) {
        await pause(Math.min(left, STEP_MS));
      }
    },
  };
}

export type Pace = ReturnType<typeof createPace>;
