/** The fields of a postal address in the format of its country. */
import type { AddressFormat, PartialAddress } from '@souk/client';
import { t } from '../../text/index.ts';
import { useAddressFormat } from './address-format.ts';
import { optional, SelectField, TextField } from './form.tsx';
import { IsoField } from './iso-fields.tsx';

type Part = Exclude<keyof PartialAddress, 'country'>;
type Field = { name: Part; label: string; required: boolean };

/** Before a country is chosen. */
const plainFields = (): Field[] => [
  { name: 'street', label: t('parts.street'), required: true },
  { name: 'zip', label: t('parts.zip'), required: true },
  { name: 'city', label: t('parts.city'), required: true },
  { name: 'state', label: t('parts.state'), required: false },
];

const PERSON = new Set(['name', 'company']);

type Props = {
  value: PartialAddress;
  onInput: (value: PartialAddress) => void;
  problem?: (part: string) => string | undefined;
  /** With name, company, phone number and VAT ID. */
  isPerson?: boolean;
};

export function AddressFields({ value, onInput, problem, isPerson = false }: Props) {
  const format = useAddressFormat(value.country);
  const bind = (part: keyof PartialAddress) => ({
    value: value[part] ?? '',
    onInput: (text: string) => onInput({ ...value, [part]: text }),
    problem: problem?.(part),
  });
  return (
    <div class="fields">
      <IsoField type="region" isOptional label={t('parts.country')} {...bind('country')} />
      {fieldsOf(format, value, isPerson).map(({ name, label, required }) =>
        name === 'state' && format && format.states.length > 0 ? (
          <StateField key={name} label={label} states={format.states} {...bind(name)} />
        ) : (
          <TextField
            key={name}
            maxLength={200}
            label={required ? label : optional(label)}
            {...(name === 'zip' && !isZip(format, value.zip) ? { hint: zipHint(format) } : {})}
            {...bind(name)}
          />
        ),
      )}
      {isPerson && (
        <>
          <TextField type="tel" maxLength={40} label={optional(t('addresses.phone'))} {...bind('phone')} />
          <TextField
            maxLength={50}
            label={optional(t('addresses.vatId'))}
            hint={t('addresses.vatIdHint')}
            {...bind('vatId')}
          />
        </>
      )}
    </div>
  );
}

/** A part that the country doesn't use is shown while it has a value. */
function fieldsOf(format: AddressFormat | undefined, value: PartialAddress, isPerson: boolean): Field[] {
  const fields = format
    ? format.fields.map((field) => ({ name: field.name, label: field.label, required: field.required }))
    : plainFields();
  const names = new Set<Part>(fields.map(({ name }) => name));
  const others = plainFields().filter(({ name }) => !names.has(name) && value[name]);
  const person = ['name' as const, 'company' as const]
    .filter((name) => !names.has(name))
    .map((name) => ({ name, label: t(`addresses.${name}`), required: false }));
  const all = [...person, ...fields, ...others.map((field) => ({ ...field, required: false }))];
  return isPerson ? all : all.filter(({ name }) => !PERSON.has(name) || value[name]);
}

/** Members can save any text, so this is only a hint. */
function isZip(format: AddressFormat | undefined, text = ''): boolean {
  if (!format?.zipPattern || text.trim() === '') return true;
  // At most 200 characters: the maximum of a part of an address.
  return new RegExp(`^(?:${format.zipPattern})$`).test(text.trim().toUpperCase());
}

const zipHint = (format: AddressFormat | undefined) => t('addresses.zipHint', { example: format?.zipExample ?? '' });

type StateProps = {
  label: string;
  states: AddressFormat['states'];
  value: string;
  onInput: (value: string) => void;
  problem?: string | undefined;
};

/** The stored state may be a code or a name. Other text stays available as an option. */
export function StateField({ states, value, ...field }: StateProps) {
  const text = value.trim().toLowerCase();
  const current = states.find(({ code, name }) => code.toLowerCase() === text || name.toLowerCase() === text)?.code;
  return (
    <SelectField
      {...field}
      value={current ?? value}
      options={[
        ['', ''],
        ...(current === undefined && value ? [[value, value] as const] : []),
        ...states.map(({ code, name }) => [code, name] as const),
      ]}
    />
  );
}

/** The address without its empty parts. */
export const filledAddress = (address: PartialAddress): PartialAddress =>
  Object.fromEntries(Object.entries(address).filter(([, text]) => text?.trim()));
