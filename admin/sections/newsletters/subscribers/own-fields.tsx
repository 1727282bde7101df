/** The fields of a subscriber that the business defined, by name. */
import { useState } from 'preact/hooks';
import type { Bound } from '../../../parts/form/field-frame.tsx';
import { TextField } from '../../../parts/form/form.tsx';
import { t } from '../../../text/index.ts';

type Props = Bound<Record<string, string>> & { disabled: boolean };

export function OwnFields({ value, onInput, problem, disabled }: Props) {
  const [name, setName] = useState('');
  const add = () => {
    if (name.trim() !== '' && !(name.trim() in value)) onInput({ ...value, [name.trim()]: '' });
    setName('');
  };
  const remove = (field: string) => {
    const { [field]: _, ...rest } = value;
    onInput(rest);
  };
  return (
    <fieldset class="field own-fields">
      <legend>{t('audience.fields')}</legend>
      {Object.entries(value).map(([field, text]) => (
        <div key={field} class="own-field">
          <TextField
            label={field}
            value={text}
            disabled={disabled}
            onInput={(next) => onInput({ ...value, [field]: next })}
          />
          {!disabled && (
            <button
              type="button"
              class="icon"
              aria-label={t('parts.removeItem', { name: field })}
              onClick={() => remove(field)}
            >
              ×
            </button>
          )}
        </div>
      ))}
      {!disabled && (
        <div class="own-field">
          <TextField label={t('audience.newField')} value={name} onInput={setName} />
          <button type="button" class="quiet" onClick={add}>
            {t('parts.add')}
          </button>
        </div>
      )}
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
