import type { AddressFormat, PartialAddress } from '@souk/client';

const FIELDS = ['name', 'company', 'street', 'street2', 'zip', 'city', 'state'] as const;

/** The name of a country in a language. */
export function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(locale.replace('_', '-'), { type: 'region' }).of(code) ?? code;
}

/** By country. */
export type Formats = Record<string, AddressFormat>;

/** The address as it is written on a parcel. If the country's format is missing, the postal code comes before the city. */
export function addressLines(address: PartialAddress, locale: string, formats: Formats): string[] {
  const { country = '' } = address;
  const format = formats[country];
  const fields = format?.fields.map(({ name }) => name) ?? FIELDS;
  const lines: string[] = [];
  let previous = '';
  for (const name of ['name' as const, ...fields.filter((each) => each !== 'name')]) {
    const text = name === 'state' ? stateText(address, format) : address[name]?.trim();
    if (!text) continue;
    if (isPlace(name) && isPlace(previous))
      lines.push(`${lines.pop()}${previous === 'city' && name === 'state' ? ', ' : ' '}${text}`);
    else lines.push(text);
    previous = name;
  }
  return [...lines, ...(country ? [countryName(country, locale)] : [])];
}

const isPlace = (field: string) => field === 'city' || field === 'state' || field === 'zip';

function stateText({ state = '' }: PartialAddress, format: AddressFormat | undefined): string {
  const found = format?.writesStateCodes === false ? format.states.find(({ code }) => code === state) : undefined;
  return found?.name ?? state.trim();
}
