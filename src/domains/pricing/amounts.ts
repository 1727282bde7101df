/** Arithmetic with integer amounts. Products may exceed 2^53. Pure. */

/** Splits `amount` in proportion to `weights`, by largest remainder: shares add up exactly, and none exceeds its weight. */
export function spread(amount: number, weights: readonly number[]): number[] {
  const whole = BigInt(sum(weights));
  if (amount === 0 || whole === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const shares = exact.map((value) => Number(value / whole));
  const byRemainder = exact.map((value, i) => ({ i, rest: value % whole }));
  byRemainder.sort((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1));
  let missing = amount - sum(shares);
  for (const { i } of byRemainder) {
    if (missing === 0) break;
    shares[i]!++;
    missing--;
  }
  return shares;
}

/** amount × numerator / denominator, rounded half up. The product may exceed 2^53. Tax and percentage discounts are rounded here. */
export function multiplyRoundHalfUp(amount: number, numerator: number, denominator: number): number {
  return Number((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)));
}

export const sum = (values: readonly number[]) => values.reduce((whole, value) => whole + value, 0);
