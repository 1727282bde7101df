import { countryName, isCountry } from './countries.ts';
import { FORMATS, type Format } from './formats.ts';
import { type LabelLanguage, labelOf } from './labels.ts';

export const ADDRESS_FIELDS = ['name', 'company', 'street', 'street2', 'city', 'state', 'zip'] as const;
type AddressField = (typeof ADDRESS_FIELDS)[number];

const FIELDS: Record<string, readonly AddressField[]> = {
  N: ['name'],
  O: ['company'],
  A: ['street', 'street2'],
  C: ['city'],
  S: ['state'],
  Z: ['zip'],
};

/** Elsewhere, addresses contain the name of the state. */
const WRITE_STATE_CODES: ReadonlySet<string> = new Set(['AU', 'BR', 'CA', 'IT', 'US']);

/** The fields of an address form, in the order used in the country. */
export type AddressFormat = {
  country: string;
  name: string;
  fields: { name: AddressField; type: string; label: string; required: boolean }[];
  states: { code: string; name: string }[];
  writesStateCodes: boolean;
  zipPattern: string | null;
  zipExample: string | null;
};

const described = new Map<string, AddressFormat>();

/** Labels are in the given language. */
export function findAddressFormat(country: string, language: LabelLanguage = 'en'): AddressFormat | null {
  if (!isCountry(country)) return null;
  const key = `${country} ${language}`;
  const found = described.get(key) ?? describe(country, FORMATS[country]!, language);
  described.set(key, found);
  return found;
}

function describe(country: string, format: Format, language: LabelLanguage): AddressFormat {
  const types = { city: 'city', state: 'province', zip: 'postal', ...format.labels };
  const fields = [...format.fields].flatMap((letter) =>
    FIELDS[letter]!.map((name) => {
      const type: string = types[name as keyof typeof types] ?? name;
      const required = name !== 'street2' && format.required.includes(letter);
      return { name, type, label: labelOf(type, language), required };
    }),
  );
  return {
    country,
    name: countryName(country),
    fields,
    states: (format.states ?? []).map(([code, name]) => ({ code: code!, name: name! })),
    writesStateCodes: WRITE_STATE_CODES.has(country),
    zipPattern: format.zip ?? null,
    zipExample: format.example ?? null,
  };
}
