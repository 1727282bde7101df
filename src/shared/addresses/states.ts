import { FORMATS } from './formats.ts';

type State = { code: string; name: string };

const byCountry = new Map<string, Map<string, State>>();

/** Finds a state by its code, with or without the country (`CA`, `US-CA`), or by its name, regardless of case, accents and punctuation. */
export function findState(country: string, text: string): State | null {
  const states = byCountry.get(country) ?? indexStates(country);
  return states.get(fold(text)) ?? states.get(fold(withoutCountry(text, country))) ?? null;
}

const withoutCountry = (text: string, country: string) =>
  text.toUpperCase().startsWith(`${country}-`) ? text.slice(country.length + 1) : text;

/** Codes take precedence over names. */
function indexStates(country: string): Map<string, State> {
  const states = FORMATS[country]?.states ?? [];
  const spellings = (from: number, to?: number) =>
    states.flatMap(([code, name, ...others]) =>
      [code!, name!, ...others]
        .slice(from, to)
        .map((text): [string, State] => [fold(text), { code: code!, name: name! }]),
    );
  const found = new Map([...spellings(1), ...spellings(0, 1)]);
  if (FORMATS[country]) byCountry.set(country, found);
  return found;
}

/** Ignores case, accents, punctuation and spaces. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
