type BoundOptions<Kind extends string> = {
  max: number;
  maxPer: Record<Kind, number>;
  /** If all places are taken, an owner of this kind with many places gives one to an owner with fewer. */
  fairBy?: NoInfer<Kind>;
};

/**
 * Limits concurrency in this process, in total and per owner, so that one owner can't block the others. `maxPer` has the
 * limit for each kind of owner, such as a business.
 */
export function createBound<Kind extends string>({ max, maxPer, fairBy }: BoundOptions<Kind>) {
  /** By owner, the functions that end what holds a place, oldest first. */
  const running = new Map<string, Set<() => void>>();
  let total = 0;

  const countOf = (owner: string) => running.get(owner)?.size ?? 0;

  /** Ends the oldest holder of the owner with the most places, unless this owner would then have more. */
  function makeRoom(kind: Kind, owner: string): void {
    const owners = [...running].filter(([each]) => each.startsWith(`${kind} `));
    const [, holders] = owners.reduce((most, each) => (each[1].size > most[1].size ? each : most));
    if (holders.size > countOf(owner) + 1) holders.values().next().value!();
  }

  return {
    /** Returns a function to call once at the end, or null if a limit is reached. `end` ends the holder of the place; it must be given with `fairBy`. */
    enter(ids: Record<Kind, string>, end: () => void = () => {}): (() => void) | null {
      const kinds = Object.keys(ids) as Kind[];
      const ownerOf = (kind: Kind) => `${kind} ${ids[kind]}`;
      if (kinds.some((kind) => countOf(ownerOf(kind)) >= maxPer[kind])) return null;
      if (total >= max && fairBy) makeRoom(fairBy, ownerOf(fairBy));
      if (total >= max) return null;
      const holder = () => end();
      for (const kind of kinds) running.set(ownerOf(kind), (running.get(ownerOf(kind)) ?? new Set()).add(holder));
      total++;
      return () => {
        for (const kind of kinds) {
          const holders = running.get(ownerOf(kind))!;
          holders.delete(holder);
          if (holders.size === 0) running.delete(ownerOf(kind));
        }
        total--;
      };
    },
  };
}
