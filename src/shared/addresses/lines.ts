import type { AddressText } from './check.ts';
import { countryName } from './countries.ts';
import { type AddressFormat, findAddressFormat } from './describe.ts';

type Field = AddressFormat['fields'][number]['name'];
const FIELDS: readonly Field[] = ['name', 'company', 'street', 'street2', 'zip', 'city', 'state'];

/** The address as it is written on a parcel: the name first, the country last. */
export function addressLines(address: AddressText, language = 'en'): string[] {
  const country = address.country?.trim() ?? '';
  const fields = findAddressFormat(country)?.fields.map(({ name }) => name) ?? FIELDS;
  const lines: string[] = [];
  let isPlace = false;
  for (const field of ['name' as const, ...fields.filter((each) => each !== 'name')]) {
    const text = address[field]?.replaceAll(/\s+/g, ' ').trim();
    if (!text) continue;
    const isPart = field === 'city' || field === 'state' || field === 'zip';
    if (isPart && isPlace) lines.push(`${lines.pop()}${field === 'state' ? ', ' : ' '}${text}`);
    else lines.push(text);
    isPlace = isPart;
  }
  return country === '' ? lines : [...lines, countryName(country, language)];
}
