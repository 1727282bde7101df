import { useState } from 'preact/hooks';
import { Form, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { AuthPage } from '../../shell/login.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Mailed } from './mailed.tsx';

export default function Page() {
  const [email, setEmail] = useState('');
  const [isDone, setDone] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    await souk.users.forgotPassword({ email: email.trim() });
    setDone(true);
  });
  const problem = problemOf(error, 'email');
  return (
    <AuthPage title={t('shell.forgot')}>
      {isDone ? (
        <Mailed text={t('auth.forgotSent', { email: email.trim() })} />
      ) : (
        <>
          <p>{t('auth.forgotText')}</p>
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
              {t('auth.sendLink')}
            </button>
          </Form>
          <a href="/admin">{t('auth.toLogIn')}</a>
        </>
      )}
    </AuthPage>
  );
}
