/** Fields for numeric values: numbers, amounts of money, dates. */
import { useEffect, useId, useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { moneyInput, numberInput, parseMoney, parseNumber } from '../show.tsx';
import { type Bound, type Common, describe, Frame } from './field-frame.tsx';

/** The text of an input that represents a value. It is replaced only when the value changes elsewhere. */
function useTyped<V>(value: V, format: (value: V) => string, parse: (text: string) => V | undefined) {
  const [text, setText] = useState(format(value));
  useEffect(() => {
    if (parse(text) !== value) setText(format(value));
  }, [value]);
  return [text, setText] as const;
}

type ParsedProps = Common &
  Bound<number | null> & {
    /** Undefined if the text is not a value. */
    parse: (text: string) => number | undefined;
    format: (value: number) => string;
    affix?: string | undefined;
  };

/** Text that can't be read is replaced by the previous value when the field loses the focus, with an error. */
function ParsedField(props: ParsedProps) {
  const { value, onInput, affix } = props;
  const id = useId();
  const parse = (typed: string) => (typed.trim() === '' ? null : props.parse(typed));
  const format = (each: number | null) => (each === null ? '' : props.format(each));
  const [text, setText] = useTyped<number | null>(value, format, parse);
  const [isRefused, setRefused] = useState(false);
  const problem = isRefused ? t('parts.notANumber') : props.problem;
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
            const next = parse(typed);
            if (next !== undefined) onInput(next);
          }}
          onBlur={() => {
            setRefused(parse(text) === undefined);
            setText(format(value));
          }}
          {...describe(id, { ...props, problem, affix })}
        />
        {affix && (
          <span id={`${id}-affix`} class="affix">
            {affix}
          </span>
        )}
      </span>
    </Frame>
  );
}

/** A number in the language's format. */
export function NumberField({ suffix, ...field }: Common & Bound<number | null> & { suffix?: string }) {
  const parse = (typed: string) => parseNumber(typed) ?? undefined;
  return <ParsedField {...field} parse={parse} format={numberInput} affix={suffix} />;
}

/** An amount in minor units, entered in major units. */
export function MoneyField({ currency, ...field }: Common & Bound<number | null> & { currency: string }) {
  return (
    <ParsedField
      {...field}
      parse={(typed) => parseMoney(typed, currency) ?? undefined}
      format={(each) => moneyInput(each, currency)}
      affix={currency.toUpperCase()}
    />
  );
}

/** Unix seconds, shown in the local time zone. */
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
