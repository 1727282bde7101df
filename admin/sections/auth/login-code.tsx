/**
 * Login with an emailed code. The link in the email opens this page with the code in the fragment; nothing is sent until the button is
 * pressed. The challenge stays in this browser: the code works in no other.
 */
import { useEffect, useState } from 'preact/hooks';
import { Form, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { AuthPage } from '../../shell/login.tsx';
import { demoLogin, logInWithCode, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const STORED = 'admin.login-code';
type Requested = { email: string; challenge: string };

function readRequested(): Requested | null {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? 'null');
  } catch {
    return null;
  }
}

export default function Page() {
  const [linked] = useState(() => new URLSearchParams(location.hash.slice(1)));
  const [requested, setRequested] = useState(() => (linked.get('code') ? readRequested() : null));
  useEffect(() => history.replaceState(null, '', location.pathname), []);
  const forget = () => {
    localStorage.removeItem(STORED);
    setRequested(null);
  };
  const keep = (next: Requested) => {
    localStorage.setItem(STORED, JSON.stringify(next));
    setRequested(next);
  };
  return (
    <AuthPage title={t('auth.logInWithCode')}>
      {requested ? (
        <CodeForm requested={requested} code={linked.get('code') ?? ''} forget={forget} />
      ) : (
        <>
          {linked.get('code') && <p class="notice">{t('auth.otherBrowser')}</p>}
          <EmailForm email={linked.get('email') ?? ''} done={keep} />
        </>
      )}
      <a href="/admin">{t('auth.toLogIn')}</a>
    </AuthPage>
  );
}

function EmailForm({ email: given, done }: { email: string; done: (requested: Requested) => void }) {
  const [email, setEmail] = useState(given);
  const { run, isBusy, error } = useAction(async () => {
    const { challenge } = await souk.users.codeLogin({ email: email.trim() });
    done({ email: email.trim(), challenge: challenge! });
  });
  const problem = problemOf(error, 'email');
  return (
    <>
      <p>{t('auth.codeText')}</p>
      {!problem && <Problem error={error} />}
      <Form submit={run} busy={isBusy}>
        <TextField
          label={t('shell.email')}
          type="email"
          autocomplete="username"
          value={email}
          onInput={setEmail}
          problem={problem}
        />
        <button type="submit" class="full">
          {t('auth.sendCode')}
        </button>
      </Form>
    </>
  );
}

type CodeFormProps = { requested: Requested; code: string; forget: () => void };

function CodeForm({ requested, code: given, forget }: CodeFormProps) {
  const [code, setCode] = useState(given);
  const { run, isBusy, error } = useAction(async () => {
    await logInWithCode({ ...requested, code: code.trim() });
    localStorage.removeItem(STORED);
  });
  const problem = problemOf(error, 'code');
  return (
    <>
      <p class="notice good" role="status">
        {t('auth.codeSent', { email: requested.email })}
      </p>
      {demoLogin && <a href="/dev/mailbox">{t('auth.mailbox')}</a>}
      {!problem && <Problem error={error} />}
      <Form submit={run} busy={isBusy}>
        <TextField
          label={t('auth.code')}
          hint={t('auth.codeHint')}
          autocomplete="one-time-code"
          maxLength={6}
          value={code}
          onInput={setCode}
          problem={problem}
        />
        <button type="submit" class="full">
          {t('shell.logIn')}
        </button>
      </Form>
      <button type="button" class="link" onClick={forget}>
        {t('auth.otherEmail')}
      </button>
    </>
  );
}
