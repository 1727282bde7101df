import { locale, t } from '../../text/index.ts';
import type { Bound } from '../form/field-frame.tsx';
import { TextField } from '../form/form.tsx';
import { LocalizedField } from '../form/localized.tsx';

export const AltField = ({ value, onInput, problem }: Bound<Record<string, string>>) => (
  <LocalizedField
    label={t('media.alt')}
    value={value}
    onInput={(next) => onInput(next as Record<string, string>)}
    locale={locale().slice(0, 2)}
    always
    field={({ label, value: text, onInput: set }) => (
      <TextField
        label={label}
        problem={problem}
        value={text}
        onInput={set}
        hint={t('media.altHint')}
        multiline
        rows={2}
      />
    )}
  />
);
