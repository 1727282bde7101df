/** Time for starting requests in one turn of the event loop. */
const SLICE_MS = 5;

/** Callers behind an IP address, such as the visitors of a shop behind one server. */
export type Origin = { address: string; caller: string };

type Start = () => void;

/**
 * Spreads a burst of requests over several turns of the event loop, so that running requests make progress in between. Addresses
 * take turns, and so do the callers of an address: a caller with many waiting requests delays those of another by one request,
 * and a client that invents many callers delays other addresses no more than that.
 */
export function createTurns(
  now: () => number = () => performance.now(),
  nextTurn: (run: () => void) => void = setImmediate,
) {
  /** By address and caller, the next ones first. */
  const waiting = new Map<string, Map<string, Start[]>>();
  let usedMs = 0;
  let isScheduled = false;

  function begin(start: Start): void {
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
    for (const [address, callers] of waiting) {
      const [caller, starts] = callers.entries().next().value!;
      const start = starts.shift()!;
      // Moves both to the end.
      callers.delete(caller);
      if (starts.length > 0) callers.set(caller, starts);
      waiting.delete(address);
      if (callers.size > 0) waiting.set(address, callers);
      begin(start);
      if (usedMs >= SLICE_MS) break;
    }
    if (waiting.size > 0) schedule();
  }

  /** Starts a request now, or in a later turn if this turn's time is used up. */
  return function startInTurn({ address, caller }: Origin, start: Start): void {
    schedule();
    const callers = waiting.get(address);
    const starts = callers?.get(caller);
    if (starts) starts.push(start);
    else if (callers) callers.set(caller, [start]);
    else if (usedMs < SLICE_MS && waiting.size === 0) begin(start);
    else waiting.set(address, new Map([[caller, [start]]]));
  };
}
