/** The fields of an address, as its country writes them. */
import type { AddressFormat } from '@souk/client';
import { Field, Problem } from '../parts.tsx';
import { problemIn } from './check-address.ts';
import { countryName, useFormat } from './countries.ts';
import type { Problems } from './problems.ts';
import type { AddressField, TypedAddress } from './typed.ts';

const AUTOCOMPLETE: Record<string, string> = {
  name: 'name',
  company: 'organization',
  street: 'address-line1',
  street2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  zip: 'postal-code',
};

type Props = {
  /** As in the request: errors of the service are at `shippingAddress.zip`. */
  path: 'shippingAddress' | 'billingAddress';
  kind: 'shipping' | 'billing';
  address: TypedAddress;
  countries: string[];
  change: (changes: TypedAddress) => void;
  chooseCountry: (country: string) => void;
  problems: Problems;
};

export function AddressForm({ path, kind, address, countries, change, chooseCountry, problems }: Props) {
  const { format, error } = useFormat(address.country);
  const at = (field: AddressField) => `${path}.${field}`;
  const choices = countries.map((code) => ({ code, name: countryName(code) }));
  const leave = (field: AddressField) => () => {
    if (format && address[field]?.trim()) problems.set(at(field), problemIn(address, field, format));
  };
  return (
    <div class="address">
      <Field
        label="Country"
        autocomplete={`${kind} country`}
        choices={choices}
        value={address.country ?? ''}
        problem={problems.of(at('country'))}
        onInput={(code) => {
          problems.clear(path);
          chooseCountry(code);
        }}
      />
      {!format && (error ? <Problem error={error} /> : <div class="skeleton fields" aria-hidden="true" />)}
      {format &&
        rowsOf(format).map((row) => (
          <div key={row[0]!.name} class={row.length > 1 ? 'field-row' : ''}>
            {row.map(({ name, label, required }) => (
              <Field
                key={name}
                label={label}
                autocomplete={`${kind} ${AUTOCOMPLETE[name]}`}
                isOptional={!required && name !== 'name'}
                inputMode={name === 'zip' && /^\d+$/.test(format.zipExample ?? '') ? 'numeric' : undefined}
                choices={name === 'state' && format.states.length > 0 ? format.states : undefined}
                value={address[name] ?? ''}
                problem={problems.of(at(name))}
                onInput={(text) => {
                  problems.set(at(name), undefined);
                  change({ [name]: text });
                }}
                onLeave={leave(name)}
              />
            ))}
          </div>
        ))}
      {kind === 'shipping' && (
        <Field
          label="Phone"
          type="tel"
          autocomplete="shipping tel"
          isOptional
          hint="Only for questions about your delivery"
          value={address.phone ?? ''}
          problem={problems.of(at('phone'))}
          onInput={(phone) => change({ phone })}
        />
      )}
    </div>
  );
}

type FormatField = AddressFormat['fields'][number];

/** City, state and postal code share a row where they follow each other. The company is asked for with the VAT ID. */
function rowsOf({ fields }: AddressFormat): FormatField[][] {
  const isShort = ({ name }: FormatField) => name === 'city' || name === 'state' || name === 'zip';
  const rows: FormatField[][] = [];
  for (const field of fields.filter(({ name }) => name !== 'company')) {
    const last = rows.at(-1);
    if (last && isShort(field) && isShort(last[0]!)) last.push(field);
    else rows.push([field]);
  }
  // The name comes first, as in every form.
  return rows.sort((a, b) => Number(b[0]!.name === 'name') - Number(a[0]!.name === 'name'));
}
