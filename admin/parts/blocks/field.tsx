/**
 * The field of a block of any type: `<BlockField definition={…} value={…} onInput={…} locale="en" problem={…} />`. For entries,
 * custom fields of products and orders, and the form preview of a schema.
 */
import type { BlockDefinition, Media } from '@souk/client';
import { useId } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { CheckField, SelectField, TextField } from '../form/form.tsx';
import { type Localized, LocalizedField } from '../form/localized.tsx';
import { DateField, NumberField } from '../form/number-fields.tsx';
import { MediaField } from '../media/picker.tsx';
import { RecordField } from '../records/picker.tsx';
import type { Target } from '../records/sources.ts';
import { Place } from './place.tsx';
import { RichText } from './rich-text.tsx';

export type Settings = {
  variant?: 'PLAIN' | 'HTML';
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
  integer?: boolean;
  targetType?: Target;
  many?: boolean;
  options?: (string | { value: string; label?: string })[];
};

type Props = {
  definition: BlockDefinition;
  value: unknown;
  onInput: (value: unknown) => void;
  /** The language of untranslated text. */
  locale: string;
  problem?: string | undefined;
};

export const settingsOf = ({ settings }: BlockDefinition) => (settings ?? {}) as Settings;
export const labelOf = ({ label, id }: BlockDefinition) => label || id;
const optionsOf = (definition: BlockDefinition): [string, string][] =>
  (settingsOf(definition).options ?? []).map((each) =>
    typeof each === 'string' ? [each, each] : [each.value, each.label || each.value],
  );

const listOf = <T,>(value: unknown): T[] => (value == null ? [] : Array.isArray(value) ? value : [value as T]);

export function BlockField({ definition, value = null, onInput, locale, problem }: Props) {
  const label = labelOf(definition);
  const settings = settingsOf(definition);
  const shared = { label, problem, required: definition.required ?? false };
  switch (definition.type) {
    case 'TEXT':
      return <Text definition={definition} value={value} onInput={onInput} locale={locale} problem={problem} />;
    case 'NUMBER':
      return <NumberField {...shared} value={value as number | null} onInput={onInput} />;
    case 'BOOLEAN':
      return <CheckField {...shared} value={value === true} onInput={onInput} />;
    case 'DATE':
      return <DateField {...shared} withTime value={value as number | null} onInput={onInput} />;
    case 'SELECT':
      return (
        <SelectField
          {...shared}
          value={(value as string | null) ?? ''}
          options={[['', t('blocks.nothingChosen')], ...optionsOf(definition)]}
          onInput={(next) => onInput(next || null)}
        />
      );
    case 'MULTI_SELECT':
      return <Choices definition={definition} value={value} onInput={onInput} problem={problem} />;
    case 'GEO_LOCATION':
      return <Place {...shared} value={value as never} onInput={onInput} />;
    case 'MEDIA':
      return (
        <MediaField
          {...shared}
          many
          value={listOf<Media | string>(value).map((each) =>
            typeof each === 'string' ? ({ id: each, url: '', mimeType: '' } as Media) : each,
          )}
          onInput={(media) => onInput(media.length === 0 ? null : media.length === 1 ? media[0] : media)}
        />
      );
    case 'RELATIONSHIP':
      return (
        <RecordField
          {...shared}
          target={settings.targetType}
          many={settings.many ?? false}
          value={listOf<string>(value)}
          onInput={(ids) => onInput(ids.length === 0 ? null : settings.many ? ids : ids[0])}
        />
      );
  }
}

function Text({ definition, value, onInput, locale, problem }: Props) {
  const { variant, maxLength } = settingsOf(definition);
  const isLong = maxLength === undefined || maxLength > 300;
  return (
    <LocalizedField
      label={labelOf(definition)}
      value={value as Localized | null}
      onInput={onInput}
      locale={locale}
      field={({ label, value: text, onInput: set, lang }) =>
        variant === 'HTML' ? (
          <RichText label={label} lang={lang} problem={problem} value={text} onInput={set} />
        ) : (
          <TextField
            label={label}
            problem={problem}
            value={text}
            onInput={set}
            multiline={isLong}
            rows={isLong ? 3 : 1}
          />
        )
      }
    />
  );
}

function Choices({ definition, value, onInput, problem }: Omit<Props, 'locale'>) {
  const id = useId();
  const chosen = listOf<string>(value);
  const options = optionsOf(definition);
  const toggle = (option: string) => {
    const next = options.map(([each]) => each).filter((each) => chosen.includes(each) !== (each === option));
    onInput(next.length > 0 ? next : null);
  };
  return (
    <fieldset class="field" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend>{labelOf(definition)}</legend>
      {options.map(([option, text]) => (
        <CheckField key={option} label={text} value={chosen.includes(option)} onInput={() => toggle(option)} />
      ))}
      {problem && (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
