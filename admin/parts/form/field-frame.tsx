/** The label, hint and error around an input. */
import type { ComponentChildren } from 'preact';

export type Bound<V> = { value: V; onInput: (value: V) => void; problem?: string | undefined };

export type Common = { label: string; hint?: string; required?: boolean; hideLabel?: boolean; disabled?: boolean };

type FrameProps = Common & { id: string; problem?: string | undefined; children: ComponentChildren };

export function Frame({ id, label, hint, problem, hideLabel = false, children }: FrameProps) {
  return (
    <div class="field">
      <label for={id} class={hideLabel ? 'visually-hidden' : ''}>
        {label}
      </label>
      {children}
      <FieldNotes id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** The hint and the error below an input. `describe` links the input to them. */
export function FieldNotes({
  id,
  hint,
  problem,
}: {
  id: string;
  hint?: string | undefined;
  problem?: string | undefined;
}) {
  return (
    <>
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
    </>
  );
}

type Described = { hint?: string | undefined; problem?: string | undefined; affix?: string | undefined };

/** Links the input to its hint, error and affix. */
export function describe(id: string, { hint, problem, affix }: Described) {
  const ids = [affix && `${id}-affix`, hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return { 'aria-invalid': problem ? true : undefined, 'aria-describedby': ids || undefined };
}
