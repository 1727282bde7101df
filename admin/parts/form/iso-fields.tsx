/** Pickers for currencies, countries and languages. An unknown stored code stays available as an option. */
import { t } from '../../text/index.ts';
import { useEuMembers } from './address-format.ts';
import { ChipsField } from './chips.tsx';
import type { Bound, Common } from './field-frame.tsx';
import { SelectField } from './form.tsx';
import { type IsoType, isoName, isoOptions } from './iso.ts';

type Props = Common & Bound<string> & { type: IsoType; isOptional?: boolean; without?: readonly string[] };

/** `isOptional` adds an empty option. `without`: codes to leave out. */
export function IsoField({ type, isOptional = false, without = [], ...field }: Props) {
  const { value } = field;
  const known = isoOptions(type).filter(([code]) => !without.includes(code));
  const current = known.find(([code]) => code.toLowerCase() === value.toLowerCase())?.[0];
  const isEmpty = value === '';
  return (
    <SelectField
      {...field}
      value={current ?? value}
      options={[
        ...(isOptional || isEmpty ? [['', ''] as const] : []),
        ...(current === undefined && !isEmpty ? [[value, isoName(type, value)] as const] : []),
        ...known,
      ]}
    />
  );
}

/** Several countries. The European Union can be added as a whole. */
export function CountriesField(props: Common & Bound<string[]>) {
  const eu = useEuMembers();
  const groups = [{ text: t('parts.eu'), detail: t('parts.countriesCount', { count: eu.length }), codes: eu }];
  return (
    <ChipsField
      {...props}
      placeholder={t('parts.searchCountries')}
      options={isoOptions('region')}
      groups={eu.length > 0 ? groups : []}
    />
  );
}
