import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../forms.tsx';
import { useSite } from '../island.tsx';
import { canAutofill, createPasskey, fetchOptions, hasPasskeys, isKnown, usePasskey } from '../sign-in/passkeys.ts';

type PasskeyProps = {
  label: string;
  /** The URL and the hidden fields of the form. */
  action: string;
  fields: Record<string, string>;
  /** The challenge of a login, or of `options`. */
  challenge?: string;
  /** The WebAuthn options. Omit them for a login: they are then requested when needed. */
  options?: object;
  /** Creates a passkey, with a name. */
  isNew?: boolean;
  /** Also offers passkeys in the email field. */
  hasAutofill?: boolean;
};

/** Asks the browser for a passkey and sends it with a form. Shown only if the browser supports passkeys. */
export function PasskeyButton({ label, action, fields, isNew = false, hasAutofill = false, ...given }: PasskeyProps) {
  const { signIn, security } = useSite().texts;
  const form = useRef<HTMLFormElement>(null);
  const [isShown, setShown] = useState(false);
  const [problem, setProblem] = useState('');

  async function run(isAutofill: boolean) {
    const requested = given.options
      ? { challenge: given.challenge!, options: given.options }
      : await fetchOptions(given.challenge);
    const credential = isNew ? await createPasskey(requested.options) : await usePasskey(requested.options, isAutofill);
    const { elements } = form.current!;
    (elements.namedItem('challenge') as HTMLInputElement).value = requested.challenge;
    (elements.namedItem('credential') as HTMLInputElement).value = JSON.stringify(credential);
    form.current!.submit();
  }
  useEffect(() => {
    setShown(hasPasskeys());
    if (hasAutofill) canAutofill().then((can) => (can ? run(true).catch(() => {}) : undefined));
  }, []);

  const submit = (event: Event) => {
    event.preventDefault();
    setProblem('');
    run(false).catch((error) => setProblem(isKnown(error) ? signIn.passkeyKnown : signIn.passkeyFailed));
  };
  return (
    <>
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <form ref={form} action={action} method="post" hidden={!isShown} onSubmit={submit}>
        {Object.entries({ ...fields, challenge: '', credential: '' }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {isNew && (
          <Field name="name" label={security.passkeyName} hint={security.passkeyNameHint} maxLength={100} required />
        )}
        <button type="submit" class={isNew ? undefined : 'quiet'}>
          {label}
        </button>
      </form>
    </>
  );
}
