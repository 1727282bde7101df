/** Bounds what runs at once in this process: in all, and of one owner, who so leaves the others a chance. */
export function createBound({ inAll, ofOwner }: { inAll: number; ofOwner: number }) {
  const running = new Map<string, number>();
  let total = 0;

  return {
    /** What to call once at the end, or null: too much is running. */
    enter(owner: string): (() => void) | null {
      const count = running.get(owner) ?? 0;
      if (total >= inAll || count >= ofOwner) return null;
      running.set(owner, count + 1);
      total++;
      return () => {
        const left = running.get(owner)! - 1;
        if (left > 0) running.set(owner, left);
        else running.delete(owner);
        total--;
      };
    },
  };
}
