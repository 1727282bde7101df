import { useId } from 'preact/hooks';

type Props = { label: string; value: string; hint?: string };

/** A value to copy. Focus selects it. */
export function ReadOnlyField({ label, value, hint }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="secret"
        readOnly
        value={value}
        aria-describedby={hint && `${id}-hint`}
        onFocus={(event) => event.currentTarget.select()}
      />
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
