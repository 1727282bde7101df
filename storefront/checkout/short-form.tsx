/** The address in a shop whose prices don't depend on it. */
import { Field, problemOf } from '../parts.tsx';
import { exampleIn, type TypedAddress, typed, typeShipping } from './typed.ts';

const FIELDS = [
  { name: 'name', label: 'Name', autocomplete: 'name' },
  { name: 'street', label: 'Street address', autocomplete: 'street-address' },
  { name: 'zip', label: 'Postal code', autocomplete: 'postal-code' },
  { name: 'city', label: 'City', autocomplete: 'address-level2' },
] as const;

export const shortAddress = (): TypedAddress => ({ ...exampleIn('US'), ...typed.value.shipping });

export function ShortForm({ error }: { error: unknown }) {
  const address = shortAddress();
  const field = ({ name, label, autocomplete }: (typeof FIELDS)[number]) => (
    <Field
      key={name}
      label={label}
      autocomplete={autocomplete}
      value={address[name] ?? ''}
      problem={problemOf(error, name)}
      onInput={(value) => typeShipping({ [name]: value })}
    />
  );
  return (
    <fieldset class="address">
      <legend>Shipping address</legend>
      {FIELDS.slice(0, 2).map(field)}
      <div class="field-row">{FIELDS.slice(2).map(field)}</div>
    </fieldset>
  );
}
