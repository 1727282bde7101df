import type { AddressText } from './check.ts';
import { countryName } from './countries.ts';
import { type AddressFormat, findAddressFormat } from './describe.ts';
import { findState } from './states.ts';

type Field = AddressFormat['fields'][number]['name'];
const FIELDS: readonly Field[] = ['name', 'company', 'street', 'street2', 'zip', 'city', 'state'];

/** The address as it is written on a parcel: the name first, the country last. */
export function addressLines(address: AddressText, language = 'en'): string[] {
  const country = address.country?.trim() ?? '';
  const format = findAddressFormat(country);
  const fields = format?.fields.map(({ name }) => name) ?? FIELDS;
  const lines: string[] = [];
  let previous: Field | null = null;
  for (const field of ['name' as const, ...fields.filter((each) => each !== 'name')]) {
    const given = address[field]?.replaceAll(/\s+/g, ' ').trim();
    if (!given) continue;
    const state = field === 'state' && format?.writesStateCodes === false ? findState(country, given) : null;
    const text = state?.name ?? given;
    if (isPlace(field) && isPlace(previous))
      lines.push(`${lines.pop()}${previous === 'city' && field === 'state' ? ', ' : ' '}${text}`);
    else lines.push(text);
    previous = field;
  }
  return country === '' ? lines : [...lines, countryName(country, language)];
}

const isPlace = (field: Field | null) => field === 'city' || field === 'state' || field === 'zip';
