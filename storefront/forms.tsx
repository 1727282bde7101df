/** Parts of forms. They work without JavaScript; errors come from the server. */
import type { ComponentChildren } from 'preact';

/** The hidden fields of every form on a personal page. */
export const FormFields = ({ csrf, action }: { csrf: string; action?: string | undefined }) => (
  <>
    <input type="hidden" name="csrf" value={csrf} />
    {action && <input type="hidden" name="action" value={action} />}
  </>
);

/** Submits the form to update the page. Used by the script and the Enter key. */
export const UpdateButton = () => (
  <button type="submit" name="action" value="update" hidden>
    Update
  </button>
);

/** Error messages by field. */
export type Problems = Readonly<Record<string, string | undefined>>;

type FieldProps = {
  name: string;
  label: string;
  value?: string | undefined;
  problem?: string | undefined;
  type?: 'text' | 'email' | 'password' | 'tel';
  autocomplete?: string;
  inputMode?: 'numeric' | 'tel' | undefined;
  required?: boolean;
  optional?: string | undefined;
  hint?: ComponentChildren;
  choices?: { code: string; name: string }[] | undefined;
  /** The empty first choice. */
  placeholder?: string | undefined;
  minLength?: number;
  maxLength?: number;
};

export function Field({
  name,
  label,
  value = '',
  problem,
  hint,
  optional,
  choices,
  placeholder,
  ...input
}: FieldProps) {
  const id = name.replaceAll('.', '-');
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  const common = { id, name, 'aria-invalid': problem ? true : undefined, 'aria-describedby': described } as const;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional"> {optional}</span>}
      </label>
      {choices ? (
        <select {...common} autocomplete={input.autocomplete} required={input.required}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {choices.map(({ code, name: text }) => (
            <option key={code} value={code} selected={code === value}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input {...common} {...input} type={(input.type ?? 'text') as 'text'} value={value} />
      )}
      {problem && (
        <p id={`${id}-problem`} class="field-error">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

type PasswordProps = Pick<FieldProps, 'name' | 'label' | 'problem'>;

/** Confirms a change. */
export const CurrentPassword = (props: PasswordProps) => (
  <Field {...props} type="password" autocomplete="current-password" required />
);

type OptionProps = {
  name: string;
  value: string;
  checked: boolean;
  label: ComponentChildren;
  note?: ComponentChildren;
  price?: string | undefined;
};

/** One of several choices: its name, a note and a price. */
export const Option = ({ name, value, checked, label, note, price }: OptionProps) => (
  <label class="option">
    <input type="radio" name={name} value={value} checked={checked} />
    <span class="option-text">
      <span>{label}</span>
      {note && <span class="quiet small">{note}</span>}
    </span>
    {price && <span class="option-price">{price}</span>}
  </label>
);

type CheckProps = {
  name: string;
  checked?: boolean;
  required?: boolean;
  problem?: string | undefined;
  children: ComponentChildren;
};

export const Check = ({ name, checked = false, required = false, problem, children }: CheckProps) => (
  <div class="check-field">
    <label class="check">
      <input
        type="checkbox"
        name={name}
        value="yes"
        checked={checked}
        required={required}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${name}-problem` : undefined}
      />
      <span>{children}</span>
    </label>
    {problem && (
      <p id={`${name}-problem`} class="field-error">
        {problem}
      </p>
    )}
  </div>
);

/** Form errors that don't belong to a field. */
export const FormProblem = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="notice bad" role="alert">
      {text}
    </p>
  ) : null;
