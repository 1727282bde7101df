import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { indexPlaces } from '../../src/domains/pricing/addresses/places.ts';
import { casesOf } from '../cases.ts';

type Entry = { countries: string[]; states?: string[]; zips?: string[]; value: object };

const digits = (length: number) =>
  fc.integer({ min: 0, max: 10 ** length - 1 }).map((n) => String(n).padStart(length, '0'));
const pattern = fc.oneof(
  digits(3),
  fc.tuple(fc.integer({ min: 0, max: 3 }), digits(3)).map(([length, text]) => `${text.slice(0, length)}*`),
  fc.tuple(digits(3), digits(3)).map((pair) => pair.sort().join('-')),
  fc.tuple(digits(2), digits(2)).map((pair) => pair.sort().join('-')),
);
const entry = fc.record(
  {
    countries: fc.subarray(['DE', 'FR'], { minLength: 1 }),
    states: fc.subarray(['A', 'B']),
    zips: fc.array(pattern, { maxLength: 3 }),
    value: fc.constant(null).map(() => ({})),
  },
  { requiredKeys: ['countries', 'value'] },
);
const place = fc.record({
  country: fc.constantFrom('DE', 'FR', 'IT'),
  state: fc.constantFrom('A', 'C'),
  zip: digits(3),
});

/** Reads the rules of docs/shop/shipping.md one by one. Null if the zone does not contain the place. */
function rank({ countries, states = [], zips = [] }: Entry, { country, state, zip }: Record<string, string>) {
  if (!countries.includes(country!) || (states.length > 0 && !states.includes(state!))) return null;
  const shared = zips.flatMap((each) => {
    if (each.endsWith('*')) return zip!.startsWith(each.slice(0, -1)) ? [each.length - 1] : [];
    const [from = '', to] = each.split('-');
    if (to === undefined) return zip === each ? [each.length + 0.5] : [];
    const start = zip!.slice(0, from.length);
    const differs = [...from].findIndex((character, i) => character !== to[i]);
    return from <= start && start <= to ? [differs < 0 ? from.length : differs] : [];
  });
  if (zips.length > 0 && shared.length === 0) return null;
  return [Math.max(-1, ...shared), states.length > 0 ? 1 : 0] as const;
}

test('the most specific zone of random zones applies, and the first of equally specific ones', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), place, (entries, to) => {
      const ranked = entries.flatMap((each) => {
        const found = rank(each, to);
        return found ? [{ value: each.value, found }] : [];
      });
      const [best = null] = ranked.toSorted((a, b) => b.found[0] - a.found[0] || b.found[1] - a.found[1]);
      assert.equal(indexPlaces(entries).find(to), best?.value ?? null);
    }),
    { numRuns: casesOf(2000, 50_000) },
  );
});
