/** The login: as a page, and as a dialog over the current page when the session expires. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Form, TextField } from '../parts/form/form.tsx';
import { useAction } from '../parts/load.ts';
import { useHeading } from '../parts/page.tsx';
import { Problem, problemOf } from '../parts/problem.tsx';
import { AuthLinks } from '../sections/auth/links.tsx';
import { t } from '../text/index.ts';
import { address, navigate } from './router.ts';
import { demoLogin, idp, logIn, logOut, me, pendingLogin, souk } from './session.ts';

function LoginForm({ email: given = '', isAgain = false }: { email?: string; isAgain?: boolean }) {
  const [email, setEmail] = useState(given);
  const [password, setPassword] = useState('');
  const { run, isBusy, error } = useAction(() => logIn({ provider: 'EMAIL', email: email.trim(), password }));
  const fields = [problemOf(error, 'email'), problemOf(error, 'password')];
  return (
    <>
      {!fields.some(Boolean) && <Problem error={error} />}
      <Form submit={run} busy={isBusy}>
        <TextField
          label={t('shell.email')}
          type="email"
          autocomplete="username"
          value={email}
          onInput={setEmail}
          problem={fields[0]}
          disabled={isAgain}
        />
        <TextField
          label={t('shell.password')}
          type="password"
          autocomplete="current-password"
          value={password}
          onInput={setPassword}
          problem={fields[1]}
        />
        <button type="submit" class="full">
          {t('shell.logIn')}
        </button>
      </Form>
      {idp && !isAgain && <IdpButton name={idp} />}
      {demoLogin && !isAgain && (
        <div class="notice demo">
          <p>{t('shell.demoText')}</p>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setEmail(demoLogin!.email);
              setPassword(demoLogin!.password);
            }}
          >
            {t('shell.demoLogin')}
          </button>
        </div>
      )}
    </>
  );
}

const callback = () => `${location.origin}/admin/login/callback`;

function IdpButton({ name }: { name: string }) {
  const { run, isBusy, error } = useAction(async () => {
    const { url } = await souk.users.loginUrl({
      provider: name as 'OAUTH_IDP',
      originUrl: location.origin,
      redirectUrl: callback(),
    });
    location.assign(url);
  });
  return (
    <>
      <Problem error={error} />
      <button type="button" class="quiet full" disabled={isBusy} onClick={run}>
        {t('shell.logInWith', { name })}
      </button>
    </>
  );
}

/** A logged-out page: a centered card. */
export function AuthPage({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useHeading(title);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main id="main" class="auth">
      <img src="/pages/icon.svg" alt="" width="48" height="48" />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}

export function LoginPage() {
  const { searchParams, pathname } = address.value;
  const { run, error } = useAction(logIn);
  useEffect(() => {
    const code = searchParams.get('code');
    const isSso = pathname.startsWith('/admin/login/sso/');
    const provider = isSso ? 'SSO' : pathname === '/admin/login/callback' ? idp : null;
    if (!code || !provider) return;
    const state = searchParams.get('state') ?? undefined;
    navigate('/admin', { replace: true });
    run({ provider: provider as 'OAUTH_IDP', code, originUrl: location.origin, ...(state ? { state } : {}) });
  }, []);
  return (
    <AuthPage title={t('shell.logInTitle')}>
      <Problem error={error} />
      <LoginForm />
      <AuthLinks />
    </AuthPage>
  );
}

/** Opens over the page, so that nothing typed is lost. Waiting calls continue after the login. */
export function LoginAgain() {
  if (!pendingLogin.value) return null;
  return (
    <Dialog title={t('shell.logInAgain')} close={null}>
      <p>{t('shell.logInAgainText')}</p>
      <LoginForm email={me.value?.email ?? ''} isAgain />
      <button type="button" class="link" onClick={() => logOut()}>
        {t('shell.useOtherAccount')}
      </button>
    </Dialog>
  );
}
