/** Checks an address before it is sent. The service checks it again. */
import type { AddressFormat, PartialAddress } from '@souk/client';
import { fill } from '../site.ts';
import type { Texts } from '../texts/index.ts';

type FormatField = AddressFormat['fields'][number];

const ENGLISH_LABELS = /^(Department|Eircode|Emirate|Island|Postal code|Prefecture|Province|Province or city|State)$/;

/** In English, labels start with a lowercase letter within a sentence. German nouns are always capitalized. */
export const inSentence = (label: string) => (ENGLISH_LABELS.test(label) ? label.toLowerCase() : label);

/** The errors, by field. */
export const problemsIn = (address: PartialAddress, format: AddressFormat, path: string, texts: Texts) =>
  Object.fromEntries(
    format.fields.flatMap((field) => {
      const problem = problemIn(address, field, format, texts);
      return problem ? [[`${path}.${field.name}`, problem]] : [];
    }),
  );

function problemIn(address: PartialAddress, field: FormatField, format: AddressFormat, texts: Texts) {
  const { name, required } = field;
  const text = address[name]?.trim() ?? '';
  const isMissing = text === '' ? required || name === 'name' : name === 'state' && !hasState(format, text);
  if (isMissing) return fill(texts.errors.required, { label: field.label });
  if (name === 'zip' && text !== '' && !isZip(format, text))
    return fill(texts.errors.zip, { label: inSentence(field.label), example: format.zipExample ?? '' });
  return undefined;
}

const hasState = ({ states }: AddressFormat, state: string) =>
  states.length === 0 || states.some(({ code }) => code === state);

/** Accepts what the service corrects: spaces, and the country prefix. */
export function isZip({ country, zipPattern }: AddressFormat, text: string): boolean {
  if (zipPattern === null) return text !== '';
  // At most 200 characters: `addressIn` cuts them. The patterns are linear too.
  const pattern = new RegExp(`^(?:${zipPattern})$`);
  const upper = text.trim().toUpperCase().replace(/\s+/g, ' ');
  // At most 200 characters: see above.
  const bare = upper.replace(new RegExp(`^(?:${country}|[A-Z]{1,2}(?=[- ]?\\d))[- ]?`), '');
  return [upper, bare, bare.replaceAll(/[ -]/g, ''), `${country}-${bare}`, `${country}${bare}`].some((each) =>
    pattern.test(each),
  );
}

/** The fields that exist in the country, without empty ones. */
export function withFieldsOf(format: AddressFormat | null, address: PartialAddress): PartialAddress {
  if (!format) return address;
  const known = new Set<string>([...format.fields.map(({ name }) => name), 'country', 'company', 'phone', 'vatId']);
  const kept = Object.entries(address).filter(
    ([field, text]) => known.has(field) && text && (field !== 'state' || hasState(format, text)),
  );
  return Object.fromEntries(kept);
}
