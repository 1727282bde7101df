/** Postal addresses: fields of one, `<AddressFields value={…} onInput={…} />`, and one as lines of text. */
import type { Address } from '@souk/client';
import { t } from '../text/index.ts';
import { TextField } from './form.tsx';

const PARTS = [
  ['street', 'parts.street'],
  ['zip', 'parts.zip'],
  ['city', 'parts.city'],
  ['state', 'parts.state'],
  ['country', 'parts.country'],
] as const;

type Props = { value: Address; onInput: (value: Address) => void; problem?: (part: string) => string | undefined };

export const AddressFields = ({ value, onInput, problem }: Props) => (
  <div class="fields">
    {PARTS.map(([part, label]) => (
      <TextField
        key={part}
        label={t(label)}
        value={value[part] ?? ''}
        onInput={(text) => onInput({ ...value, [part]: text })}
        problem={problem?.(part)}
        maxLength={200}
      />
    ))}
  </div>
);

/** Without its empty parts. */
export const filledAddress = (address: Address): Address =>
  Object.fromEntries(Object.entries(address).filter(([, text]) => text?.trim()));

export const addressText = ({ street, zip, city, state, country }: Address) =>
  [street, [zip, city].filter(Boolean).join(' '), state, country].filter(Boolean).join(', ');
