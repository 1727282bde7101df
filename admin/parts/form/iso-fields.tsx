/** Pickers for currencies, countries and languages. An unknown stored code stays available as an option. */
import { useId } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { type Bound, type Common, Frame } from './field-frame.tsx';
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

/** Several countries, each with a button to remove it. */
export function CountriesField(props: Common & Bound<string[]>) {
  const { value, onInput, label } = props;
  const id = useId();
  return (
    <div class="countries">
      <Frame {...props} id={id}>
        <select
          id={id}
          value=""
          onChange={(event) => {
            const code = event.currentTarget.value;
            event.currentTarget.value = '';
            if (code) onInput([...value, code]);
          }}
          aria-describedby={props.hint ? `${id}-hint` : undefined}
        >
          <option value="">{t('parts.addCountry')}</option>
          {isoOptions('region')
            .filter(([code]) => !value.includes(code))
            .map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </select>
      </Frame>
      {value.length > 0 && (
        <ul class="chips" aria-label={label}>
          {value.map((code) => (
            <li key={code}>
              {isoName('region', code)}{' '}
              <button
                type="button"
                class="icon"
                aria-label={t('parts.removeItem', { name: isoName('region', code) })}
                onClick={() => onInput(value.filter((each) => each !== code))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
