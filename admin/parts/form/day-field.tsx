import { useId } from 'preact/hooks';
import { type Bound, type Common, describe, Frame } from './field-frame.tsx';

/** A day such as `2026-11-17`, in any time zone. Empty input keeps the previous day. */
export function DayField(props: Common & Bound<string>) {
  const id = useId();
  return (
    <Frame {...props} id={id}>
      <input
        id={id}
        type="date"
        value={props.value}
        onChange={({ currentTarget: { value } }) => value && props.onInput(value)}
        {...describe(id, props)}
      />
    </Frame>
  );
}
