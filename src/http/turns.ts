/** Time for starting requests in one turn of the event loop. */
const SLICE_MS = 5;

/**
 * Spreads a burst of requests over several turns of the event loop, so that running requests make progress in between. Callers
 * take turns: a caller with many waiting requests delays those of another by one request.
 */
export function createTurns(
  now: () => number = () => performance.now(),
  nextTurn: (run: () => void) => void = setImmediate,
) {
  /** By caller, the next one first. */
  const waiting = new Map<string, (() => void)[]>();
  let usedMs = 0;
  let isScheduled = false;

  function begin(start: () => void): void {
    const beganAt = now();
    start();
    usedMs += now() - beganAt;
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    nextTurn(takeTurn);
  }

  function takeTurn(): void {
    isScheduled = false;
    usedMs = 0;
    for (const [caller, queue] of waiting) {
      // Moves the caller to the end.
      waiting.delete(caller);
      const start = queue.shift()!;
      if (queue.length > 0) waiting.set(caller, queue);
      begin(start);
      if (usedMs >= SLICE_MS) break;
    }
    if (waiting.size > 0) schedule();
  }

  /** Starts a request of a caller now, or in a later turn if this turn's time is used up. */
  return function startInTurn(caller: string, start: () => void): void {
    schedule();
    const queue = waiting.get(caller);
    if (queue) queue.push(start);
    else if (usedMs < SLICE_MS && waiting.size === 0) begin(start);
    else waiting.set(caller, [start]);
  };
}
