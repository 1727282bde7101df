/**
 * Limits concurrency in this process, in total and per owner, so that one owner can't block the others. `maxPer` has the
 * limit for each kind of owner, such as a business.
 */
export function createBound<Kind extends string>({ max, maxPer }: { max: number; maxPer: Record<Kind, number> }) {
  const running = new Map<string, number>();
  let total = 0;

  function add(owner: string, change: number): void {
    const count = (running.get(owner) ?? 0) + change;
    if (count > 0) running.set(owner, count);
    else running.delete(owner);
  }

  return {
    /** Returns a function to call once at the end, or null if a limit is reached. */
    enter(ids: Record<Kind, string>): (() => void) | null {
      const kinds = Object.keys(ids) as Kind[];
      const ownerOf = (kind: Kind) => `${kind} ${ids[kind]}`;
      if (total >= max || kinds.some((kind) => (running.get(ownerOf(kind)) ?? 0) >= maxPer[kind])) return null;
      for (const kind of kinds) add(ownerOf(kind), 1);
      total++;
      return () => {
        for (const kind of kinds) add(ownerOf(kind), -1);
        total--;
      };
    },
  };
}
