/** Checks an address before it is sent. The service checks it again, and has the last word. */
import type { AddressFormat, PartialAddress } from '@souk/client';
import type { AddressField, TypedAddress } from './typed.ts';

const ADDRESS_FIELDS = ['name', 'company', 'street', 'street2', 'city', 'state', 'zip'] as const;

const inSentence = (label: string) => (/^[A-Z]{2}/.test(label) ? label : label.toLowerCase());

/** What is wrong with a field, as a sentence. */
export function problemIn(address: TypedAddress, field: AddressField, format: AddressFormat): string | undefined {
  const found = format.fields.find(({ name }) => name === field);
  if (!found) return undefined;
  const text = address[field]?.trim() ?? '';
  if (text === '') return found.required || field === 'name' ? `${found.label} is required.` : undefined;
  if (field === 'state' && !hasState(format, text)) return `${found.label} is required.`;
  if (field === 'zip' && !isZip(format, text)) {
    return `Enter a valid ${inSentence(found.label)}, for example ${format.zipExample}.`;
  }
  return undefined;
}

export const problemsIn = (address: TypedAddress, format: AddressFormat, path: string): Record<string, string> =>
  Object.fromEntries(
    format.fields.flatMap(({ name }) => {
      const problem = problemIn(address, name, format);
      return problem ? [[`${path}.${name}`, problem]] : [];
    }),
  );

export const hasState = ({ states }: AddressFormat, state: string) =>
  states.length === 0 || states.some(({ code }) => code === state);

/** Accepts what the service corrects: spaces, and the prefix of the country. */
export function isZip({ country, zipPattern }: AddressFormat, text: string): boolean {
  if (zipPattern === null) return text !== '';
  const pattern = new RegExp(`^(?:${zipPattern})$`);
  const upper = text.trim().toUpperCase().replace(/\s+/g, ' ');
  const bare = upper.replace(new RegExp(`^(?:${country}|[A-Z]{1,2}(?=[- ]?\\d))[- ]?`), '');
  return [upper, bare, bare.replaceAll(/[ -]/g, ''), `${country}-${bare}`, `${country}${bare}`].some((each) =>
    pattern.test(each),
  );
}

/** The fields that exist in the country, without empty ones. */
export function withFieldsOf(format: AddressFormat | undefined, address: TypedAddress): PartialAddress {
  const { country = '' } = address;
  const fields: AddressField[] = [...(format?.fields.map(({ name }) => name) ?? ADDRESS_FIELDS), 'phone'];
  const entries = fields.map((field) => [field, address[field]?.trim() ?? ''] as const);
  const kept = entries.filter(
    ([field, text]) => text !== '' && (field !== 'state' || !format || hasState(format, text)),
  );
  return { ...Object.fromEntries(kept), country };
}
