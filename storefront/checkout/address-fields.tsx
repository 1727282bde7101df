/** The fields of an address in the format of its country. */
import type { AddressFormat, PartialAddress } from '@souk/client';
import { Field, type Problems } from '../forms.tsx';
import { useSite } from '../island.tsx';
import { countryName } from './address-lines.ts';

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
  /** As in the request: the service reports errors at `shippingAddress.zip`. */
  path: string;
  kind: 'shipping' | 'billing';
  address: PartialAddress;
  format: AddressFormat | null;
  countries: string[];
  problems: Problems;
  hasPhone?: boolean;
};

export function AddressFields({ path, kind, address, format, countries, problems, hasPhone = false }: Props) {
  const { texts, locale } = useSite();
  const { address: words } = texts;
  const choices = countries.map((code) => ({ code, name: countryName(code, locale) }));
  return (
    <div class="address">
      <Field
        name={`${path}.country`}
        label={words.country}
        autocomplete={`${kind} country`}
        choices={choices}
        value={address.country}
        problem={problems[`${path}.country`] ?? problems[path]}
      />
      <button type="submit" name="action" value="update" class="quiet without-script">
        {words.changeCountry}
      </button>
      {format &&
        rowsOf(format).map((row) => (
          <div key={row[0]!.name} class={row.length > 1 ? 'field-row' : ''}>
            {row.map(({ name, required, label }) => (
              <Field
                key={name}
                name={`${path}.${name}`}
                label={label}
                autocomplete={`${kind} ${AUTOCOMPLETE[name]}`}
                optional={required || name === 'name' ? undefined : words.optional}
                inputMode={name === 'zip' && /^\d+$/.test(format.zipExample ?? '') ? 'numeric' : undefined}
                choices={name === 'state' && format.states.length > 0 ? format.states : undefined}
                placeholder={words.choose}
                value={address[name]}
                problem={problems[`${path}.${name}`]}
              />
            ))}
          </div>
        ))}
      {hasPhone && (
        <Field
          name={`${path}.phone`}
          label={words.phone}
          type="tel"
          autocomplete={`${kind} tel`}
          optional={words.optional}
          hint={words.phoneHint}
          value={address.phone}
          problem={problems[`${path}.phone`]}
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
