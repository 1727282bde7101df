import type { AddressFormat, PartialAddress } from '@souk/client';
import { countryName } from './countries.ts';

const FIELDS = ['name', 'company', 'street', 'street2', 'zip', 'city', 'state'] as const;

/** The address as it is written on a parcel. Without the format of its country, the postal code comes before the city. */
export function addressLines(address: PartialAddress, format?: AddressFormat | undefined): string[] {
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
  return [...lines, ...(address.country ? [countryName(address.country)] : [])];
}
