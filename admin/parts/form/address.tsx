/** The fields of a postal address. */
import type { PartialAddress } from '@souk/client';
import { t } from '../../text/index.ts';
import { TextField } from './form.tsx';
import { IsoField } from './iso-fields.tsx';

const PARTS = [
  ['street', 'parts.street'],
  ['zip', 'parts.zip'],
  ['city', 'parts.city'],
  ['state', 'parts.state'],
  ['country', 'parts.country'],
] as const;

type Props = {
  value: PartialAddress;
  onInput: (value: PartialAddress) => void;
  problem?: (part: string) => string | undefined;
};

export const AddressFields = ({ value, onInput, problem }: Props) => (
  <div class="fields">
    {PARTS.map(([part, label]) => {
      const field = {
        label: t(label),
        value: value[part] ?? '',
        onInput: (text: string) => onInput({ ...value, [part]: text }),
        problem: problem?.(part),
      };
      return part === 'country' ? (
        <IsoField key={part} type="region" isOptional {...field} />
      ) : (
        <TextField key={part} maxLength={200} {...field} />
      );
    })}
  </div>
);

/** The address without its empty parts. */
export const filledAddress = (address: PartialAddress): PartialAddress =>
  Object.fromEntries(Object.entries(address).filter(([, text]) => text?.trim()));
