import { countryName, isCountry } from './countries.ts';
import { FORMATS, type Format } from './formats.ts';

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

const LABELS: Record<string, string> = {
  name: 'Name',
  company: 'Company',
  street: 'Street address',
  street2: 'Apartment, floor, etc.',
  city: 'City',
  post_town: 'Town or city',
  suburb: 'Suburb',
  area: 'Area',
  county: 'County',
  department: 'Department',
  district: 'District',
  do_si: 'Province or city',
  emirate: 'Emirate',
  island: 'Island',
  oblast: 'Oblast',
  parish: 'Parish',
  prefecture: 'Prefecture',
  province: 'Province',
  state: 'State',
  postal: 'Postal code',
  zip: 'ZIP code',
  pin: 'PIN code',
  eircode: 'Eircode',
};

/** What a form for addresses in a country shows, in the order of the country. */
export type AddressFormat = {
  country: string;
  name: string;
  fields: { name: AddressField; type: string; label: string; required: boolean }[];
  states: { code: string; name: string }[];
  zipPattern: string | null;
  zipExample: string | null;
};

const described = new Map<string, AddressFormat>();

export function findAddressFormat(country: string): AddressFormat | null {
  if (!isCountry(country)) return null;
  const found = described.get(country) ?? describe(country, FORMATS[country]!);
  described.set(country, found);
  return found;
}

function describe(country: string, format: Format): AddressFormat {
  const types = { city: 'city', state: 'province', zip: 'postal', ...format.labels };
  const fields = [...format.fields].flatMap((letter) =>
    FIELDS[letter]!.map((name) => {
      const type: string = types[name as keyof typeof types] ?? name;
      const required = name !== 'street2' && format.required.includes(letter);
      return { name, type, label: LABELS[type]!, required };
    }),
  );
  return {
    country,
    name: countryName(country),
    fields,
    states: (format.states ?? []).map(([code, name]) => ({ code: code!, name: name! })),
    zipPattern: format.zip ?? null,
    zipExample: format.example ?? null,
  };
}
