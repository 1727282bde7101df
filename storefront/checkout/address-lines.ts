import type { AddressFormat, PartialAddress } from '@souk/client';

const FIELDS = ['name', 'company', 'street', 'street2', 'zip', 'city', 'state'] as const;

/** The name of a country in a language. */
export function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(locale.replace('_', '-'), { type: 'region' }).of(code) ?? code;
}

/** The address as it is written on a parcel. Without the format of its country, the postal code comes before the city. */
export function addressLines(address: PartialAddress, locale: string, format?: AddressFormat | null): string[] {
  const fields = format?.fields.map(({ name }) => name) ?? FIELDS;
  const lines: string[] = [];
  let isPlace = false;
  for (const name of [...fields.filter((each) => each === 'name'), ...fields.filter((each) => each !== 'name')]) {
    const text = address[name]?.trim();
    if (!text) continue;
    const isPart = name === 'city' || name === 'state' || name === 'zip';
    if (isPart && isPlace) lines.push(`${lines.pop()}${name === 'state' ? ', ' : ' '}${text}`);
    else lines.push(text);
    isPlace = isPart;
  }
  return [...lines, ...(address.country ? [countryName(address.country, locale)] : [])];
}
