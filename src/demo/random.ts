/** A seeded random number generator (mulberry32): every run makes the same choices. */
export function createRandom(seed: number) {
  let state = seed;

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));

  function weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let rest = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of choices) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return choices.at(-1)![0];
  }

  /** A count from a Poisson distribution with this mean. */
  function poisson(mean: number): number {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = next(); product > limit; product *= next()) count++;
    return count;
  }

  return {
    /** An integer from `from` to `to`, inclusive. */
    between,
    chance: (probability: number) => next() < probability,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    weighted,
    poisson,
  };
}

export type Random = ReturnType<typeof createRandom>;
