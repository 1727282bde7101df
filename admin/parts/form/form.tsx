/**
 * Forms and their fields. A field has a label, an optional hint, and shows its error. Bind it to a record of `useRecord`
 * (`<TextField label={…} {...record.bind('name')} />`) or to any state with `value`, `onInput` and `problem`. Fields for numbers,
 * money and dates are in `number-fields.tsx`.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { type Bound, type Common, describe, FieldNotes, Frame } from './field-frame.tsx';

type TextProps = Common &
  Bound<string> & {
    type?: 'text' | 'email' | 'password' | 'url' | 'tel' | 'search';
    autocomplete?: string;
    placeholder?: string;
    multiline?: boolean;
    rows?: number;
    maxLength?: number;
    list?: readonly string[];
  };

export function TextField(props: TextProps) {
  const { value, onInput, type = 'text', autocomplete = 'off', multiline = false, rows = 5, list } = props;
  const id = useId();
  const shared = {
    id,
    value,
    dir: 'auto' as const,
    required: props.required,
    disabled: props.disabled,
    maxLength: props.maxLength,
    placeholder: props.placeholder,
    ...describe(id, props),
  };
  return (
    <Frame {...props} id={id}>
      {multiline ? (
        <textarea {...shared} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <input
          {...shared}
          type={type as 'text'}
          autocomplete={autocomplete as 'off'}
          list={list && `${id}-list`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </Frame>
  );
}

type SelectProps<V extends string> = Common & Bound<V> & { options: readonly (readonly [V, string])[] };

export function SelectField<V extends string>(props: SelectProps<V>) {
  const { value, onInput, options } = props;
  const id = useId();
  return (
    <Frame {...props} id={id}>
      <select
        id={id}
        value={value}
        disabled={props.disabled}
        required={props.required}
        onChange={(event) => onInput(event.currentTarget.value as V)}
        {...describe(id, props)}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function CheckField({ label, hint, value, onInput, problem, disabled }: Common & Bound<boolean>) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={value}
        disabled={disabled}
        onChange={(event) => onInput(event.currentTarget.checked)}
        {...describe(id, { hint, problem })}
      />
      <label for={id}>{label}</label>
      <FieldNotes id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** A list of short strings, separated by commas. */
export function TagsField(props: Common & Bound<string[]>) {
  const { value, onInput } = props;
  const id = useId();
  const split = (text: string) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean);
  const [text, setText] = useState(value.join(', '));
  useEffect(() => {
    if (split(text).join('\n') !== value.join('\n')) setText(value.join(', '));
  }, [value]);
  return (
    <Frame {...props} id={id}>
      <input
        id={id}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget: { value: typed } }) => {
          setText(typed);
          onInput([...new Set(split(typed))]);
        }}
        {...describe(id, props)}
      />
    </Frame>
  );
}

/** A form that is submitted with Enter or its button. While `busy`, it does not submit again. */
export function Form(props: { submit: () => unknown; busy?: boolean; class?: string; children: ComponentChildren }) {
  return (
    <form
      class={props.class ?? ''}
      noValidate
      aria-busy={props.busy || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        // The form may be in a dialog inside another form.
        event.stopPropagation();
        if (!props.busy) props.submit();
      }}
    >
      {props.children}
    </form>
  );
}

export const optional = (label: string) => `${label} (${t('parts.optional')})`;
