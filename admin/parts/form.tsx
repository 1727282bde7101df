/**
 * Fields. Each has a label, a hint if need be, and shows what is wrong with it. They are bound to a record of `useRecord`
 * (`<TextField label={…} {...record.bind('name')} />`), or to any state: `value`, `onInput`, `problem`. The kinds: TextField (also
 * `multiline`, `type`), NumberField, MoneyField (minor units), SelectField, CheckField, TagsField, DateField (Unix seconds).
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { t } from '../text/index.ts';
import { moneyInput, parseMoney } from './show.tsx';

export type Bound<V> = { value: V; onInput: (value: V) => void; problem?: string | undefined };

type Common = { label: string; hint?: string; required?: boolean; hideLabel?: boolean; disabled?: boolean };

type FrameProps = Common & { id: string; problem?: string | undefined; children: ComponentChildren };

function Frame({ id, label, hint, problem, hideLabel = false, children }: FrameProps) {
  return (
    <div class="field">
      <label for={id} class={hideLabel ? 'visually-hidden' : ''}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

type Described = { hint?: string | undefined; problem?: string | undefined; affix?: string | undefined };

function describe(id: string, { hint, problem, affix }: Described) {
  const ids = [affix && `${id}-affix`, hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return { 'aria-invalid': problem ? true : undefined, 'aria-describedby': ids || undefined };
}

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

/** Text that means a value: it is taken as it is typed, and written anew when the value changes from elsewhere. */
function useTyped<V>(value: V, format: (value: V) => string, parse: (text: string) => V | undefined) {
  const [text, setText] = useState(format(value));
  useEffect(() => {
    if (parse(text) !== value) setText(format(value));
  }, [value]);
  return [text, setText] as const;
}

type NumberProps = Common & Bound<number | null> & { min?: number; max?: number; step?: number; suffix?: string };

export function NumberField(props: NumberProps) {
  const { value, onInput, min, max, step, suffix } = props;
  const id = useId();
  const [isRefused, setRefused] = useState(false);
  const problem = isRefused ? t('parts.noNumber') : props.problem;
  const parse = (typed: string) => (typed.trim() === '' ? null : Number(typed));
  const [text, setText] = useTyped<number | null>(value, (each) => (each === null ? '' : String(each)), parse);
  return (
    <Frame {...props} id={id} problem={problem}>
      <span class="affixed">
        <input
          {...{ id, min, max, step }}
          type="number"
          inputMode="decimal"
          value={text}
          required={props.required}
          disabled={props.disabled}
          onInput={({ currentTarget: { value: typed, validity } }) => {
            // What the browser cannot read is empty for us: that is not meant.
            setRefused(validity.badInput);
            if (validity.badInput) return;
            setText(typed);
            if (!Number.isNaN(Number(typed))) onInput(parse(typed));
          }}
          onBlur={({ currentTarget }) => {
            if (currentTarget.validity.badInput) currentTarget.value = text;
          }}
          {...describe(id, { ...props, problem, affix: suffix })}
        />
        {suffix && (
          <span id={`${id}-affix`} class="affix">
            {suffix}
          </span>
        )}
      </span>
    </Frame>
  );
}

/** An amount in minor units, typed as people write it. */
export function MoneyField(props: Common & Bound<number | null> & { currency: string }) {
  const { value, onInput, currency } = props;
  const id = useId();
  const parse = (typed: string) => (typed.trim() === '' ? null : (parseMoney(typed, currency) ?? undefined));
  const format = (each: number | null) => (each === null ? '' : moneyInput(each, currency));
  const [text, setText] = useTyped<number | null>(value, format, parse);
  const [isRefused, setRefused] = useState(false);
  const problem = isRefused ? t('parts.noNumber') : props.problem;
  return (
    <Frame {...props} id={id} problem={problem}>
      <span class="affixed">
        <input
          id={id}
          inputMode="decimal"
          autocomplete="off"
          value={text}
          required={props.required}
          disabled={props.disabled}
          onInput={({ currentTarget: { value: typed } }) => {
            setText(typed);
            setRefused(false);
            const amount = parse(typed);
            if (amount !== undefined) onInput(amount);
          }}
          onBlur={() => {
            setRefused(parse(text) === undefined);
            setText(format(value));
          }}
          {...describe(id, { ...props, problem, affix: currency })}
        />
        <span id={`${id}-affix`} class="affix">
          {currency.toUpperCase()}
        </span>
      </span>
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
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A list of short texts, typed with commas. */
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

/** Unix seconds, in the time of this device. */
export function DateField(props: Common & Bound<number | null> & { withTime?: boolean }) {
  const { value, onInput, withTime = false } = props;
  const id = useId();
  const local = (seconds: number) => {
    const at = new Date(seconds * 1000);
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, withTime ? 16 : 10);
  };
  return (
    <Frame {...props} id={id}>
      <input
        id={id}
        type={withTime ? 'datetime-local' : 'date'}
        value={value === null ? '' : local(value)}
        required={props.required}
        disabled={props.disabled}
        onChange={({ currentTarget: { value: typed } }) => {
          const at = Date.parse(withTime ? typed : `${typed}T00:00`);
          onInput(Number.isNaN(at) ? null : Math.floor(at / 1000));
        }}
        {...describe(id, props)}
      />
    </Frame>
  );
}

/** A form whose Enter and button do the same. `busy` marks that it is under way. */
export function Form(props: { submit: () => unknown; busy?: boolean; class?: string; children: ComponentChildren }) {
  return (
    <form
      class={props.class ?? ''}
      noValidate
      aria-busy={props.busy || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        // Of a dialog that is opened from within another form.
        event.stopPropagation();
        if (!props.busy) props.submit();
      }}
    >
      {props.children}
    </form>
  );
}

export const optional = (label: string) => `${label} (${t('parts.optional')})`;
