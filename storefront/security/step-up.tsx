/** Changes to factors require a recent step-up with a factor or, if there is none, the password. The page asks for it and then continues. */
import { isSoukError } from '@souk/client';
import { CurrentPassword, Field, FormFields, FormProblem, type Problems } from '../forms.tsx';
import { Island } from '../island.tsx';
import { PasskeyButton } from '../islands/passkey-button.tsx';
import type { Action, ActionResult, Site, Visit } from '../page.ts';
import { credentialIn, methodOf, problemsOf } from '../sign-in/log-in.ts';
import { link } from '../site.ts';

/** A form that waits for the step-up, with its fields. */
export type Pending = {
  challenge: string;
  methods: string[];
  options: object | null;
  fields: Record<string, string>;
  problems: Problems;
};

const PROOF = ['csrf', 'challenge', 'credential', 'password', 'code'];

/** Runs the action after a step-up. `ask` shows the page that asks for a factor. */
export function withStepUp<D>(
  action: Action<D>,
  ask: (visit: Visit, pending: Pending) => Promise<ActionResult<D>>,
): Action<D> {
  return async (visit, form) => {
    const problems = form.get('challenge') ? await prove(visit, form) : {};
    const isConfirmed = Object.keys(problems).length === 0;
    try {
      return await action(visit, form);
    } catch (error) {
      if (!isSoukError(error, 'STEP_UP_REQUIRED')) throw error;
      const fields = Object.fromEntries([...form].filter(([name]) => !PROOF.includes(name)));
      const { challenge = '', methods } = error;
      const passkey = methods.includes('PASSKEY') ? await visit.souk.users.getStepUpOptions() : null;
      return ask(visit, {
        challenge: passkey?.challenge ?? challenge ?? '',
        methods,
        options: passkey?.options ?? null,
        fields,
        problems: isConfirmed ? {} : problems,
      });
    }
  };
}

/** Keeps the token in the session: it is valid for all changes in the next few minutes. */
async function prove(visit: Visit, form: URLSearchParams): Promise<Problems> {
  const challenge = form.get('challenge') ?? '';
  const [code, password, credential] = [form.get('code')?.trim() ?? '', form.get('password'), credentialIn(form)];
  const proof = credential
    ? ({ challenge, method: 'PASSKEY', credential } as const)
    : password !== null
      ? ({ challenge, method: 'PASSWORD', password } as const)
      : ({ challenge, method: methodOf(code), code } as const);
  try {
    const { token } = await visit.souk.users.stepUp(proof);
    visit.setSession({ ...visit.session, stepUp: token });
    return {};
  } catch (error) {
    return problemsOf(error, visit);
  }
}

/** `path`: the page whose action waits. */
type ConfirmProps = { pending: Pending; site: Site; csrf: string; path: string };

export function Confirm({ pending, site, csrf, path }: ConfirmProps) {
  const { challenge, methods, options, fields, problems } = pending;
  const { signIn: words, account } = site.texts;
  const action = link(site, path);
  const cancel = (
    <a href={action} class="button quiet">
      {words.cancel}
    </a>
  );
  if (methods.includes('LOGIN')) {
    return (
      <>
        <p>{words.confirmByLogin}</p>
        {cancel}
      </>
    );
  }
  const isPassword = methods.includes('PASSWORD');
  const text = methods.includes('TOTP') ? words.confirmByApp : words.confirmByRecovery;
  return (
    <>
      <FormProblem text={problems[''] ?? problems.credential ?? problems.challenge} />
      {options && (
        <Island
          name="passkey-button"
          of={PasskeyButton}
          props={{ label: words.usePasskey, action, fields: { ...fields, csrf }, challenge, options }}
        />
      )}
      <p>{isPassword ? words.confirmByPassword : text}</p>
      <form action={action} method="post">
        <FormFields csrf={csrf} />
        {Object.entries({ ...fields, challenge }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {isPassword ? (
          <CurrentPassword name="password" label={account.password} problem={problems.password} />
        ) : (
          <Field name="code" label={words.code} autocomplete="one-time-code" required problem={problems.code} />
        )}
        <p class="actions">
          <button type="submit">{words.continue}</button>
          {cancel}
        </p>
      </form>
    </>
  );
}
