import { Field, FormFields, FormProblem, type Problems } from '../forms.tsx';
import { Island } from '../island.tsx';
import { PasskeyButton } from '../islands/passkey-button.tsx';
import type { Site } from '../page.ts';
import type { Due } from './log-in.ts';

type FactorProps = { due: Due; problems: Problems; action: string; csrf: string; site: Site };

/** The second step of a login. */
export function SecondFactor({ due: { challenge, methods }, problems, action, csrf, site }: FactorProps) {
  const { signIn: words, account } = site.texts;
  const fields = { csrf, action: 'factor', login: challenge, methods: methods.join(' ') };
  const hasApp = methods.includes('TOTP');
  return (
    <main id="main" class="narrow">
      <h1>{words.confirmTitle}</h1>
      <FormProblem text={problems[''] ?? problems.credential} />
      {methods.includes('PASSKEY') && (
        <Island
          name="passkey-button"
          of={PasskeyButton}
          props={{ label: words.usePasskey, action, fields, challenge }}
        />
      )}
      <p>{hasApp ? words.confirmByApp : words.confirmByRecovery}</p>
      <form action={action} method="post">
        <FormFields csrf={csrf} action="factor" />
        <input type="hidden" name="login" value={challenge} />
        <input type="hidden" name="methods" value={methods.join(' ')} />
        <Field name="code" label={words.code} autocomplete="one-time-code" required problem={problems.code} />
        <button type="submit">{account.logIn}</button>
      </form>
    </main>
  );
}
