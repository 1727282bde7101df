import { createRandom } from '../random.ts';

export type Random = ReturnType<typeof randomFrom>;

/** Random choices that repeat for the same seed. */
export function randomFrom(seed: number) {
  const below = createRandom(seed);
  return {
    /** An integer from `least` to `most`. */
    between: (least: number, most: number) => least + below(most - least + 1),
    isTrue: (share: number) => below(1000) < share * 1000,
    pick: <T>(values: readonly T[]): T => values[below(values.length)]!,
  };
}
