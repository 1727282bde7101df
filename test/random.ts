/** Random numbers that repeat for the same seed. Each call returns an integer from 0 up to `below`, exclusive. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
