import { useState } from 'preact/hooks';
import { Form, optional, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { AuthPage } from '../../shell/login.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Mailed } from './mailed.tsx';

export default function Page() {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    await souk.users.register({ email: email.trim(), password, ...(name.trim() ? { name: name.trim() } : {}) });
    setDone(true);
  });
  const problems = ['name', 'email', 'password'].map((field) => problemOf(error, field));
  if (isDone) {
    return (
      <AuthPage title={t('auth.registered')}>
        <Mailed text={t('auth.registeredText', { email: email.trim() })} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={t('shell.register')}>
      {!problems.some(Boolean) && <Problem error={error} />}
      <Form submit={run} busy={isBusy}>
        <TextField
          label={optional(t('auth.name'))}
          autocomplete="name"
          value={name}
          onInput={setName}
          problem={problems[0]}
        />
        <TextField
          label={t('shell.email')}
          type="email"
          autocomplete="username"
          value={email}
          onInput={setEmail}
          problem={problems[1]}
        />
        <TextField
          label={t('shell.password')}
          type="password"
          autocomplete="new-password"
          hint={t('auth.passwordHint')}
          value={password}
          onInput={setPassword}
          problem={problems[2]}
        />
        <button type="submit" class="full">
          {t('auth.create')}
        </button>
      </Form>
      <p class="quiet small">{t('auth.invitedText')}</p>
      <a href="/admin">{t('auth.hasAccount')}</a>
    </AuthPage>
  );
}
