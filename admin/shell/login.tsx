/** The login: as a page, and as a dialog over the current page when the session expires. */
import { isSoukError, type SoukError } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { FactorForm } from '../parts/factor-form.tsx';
import { Form, TextField } from '../parts/form/form.tsx';
import { useAction } from '../parts/load.ts';
import { useHeading } from '../parts/page.tsx';
import { Problem, problemOf } from '../parts/problem.tsx';
import { AuthLinks } from '../sections/auth/links.tsx';
import { t } from '../text/index.ts';
import { canAutofill, hasPasskeys, stopAutofill, usePasskey } from './passkeys.ts';
import { address, navigate } from './router.ts';
import { demoLogin, idp, logIn, logInWithFactor, logInWithPasskey, logOut, me, pendingLogin, souk } from './session.ts';

type Due = Pick<SoukError, 'challenge' | 'methods'>;
/** The challenge of a login that needs a second factor. */
const dueOf = (error: unknown): Due | null => (isSoukError(error, 'SECOND_FACTOR_REQUIRED') ? error : null);

const SecondFactor = ({ due: { challenge, methods }, back }: { due: Due; back: () => void }) => (
  <>
    <p>{t('security.loginText')}</p>
    <FactorForm
      challenge={challenge!}
      methods={methods}
      options={() => souk.users.getPasskeyLoginOptions({ challenge: challenge! })}
      prove={logInWithFactor}
    />
    <button type="button" class="link" onClick={back}>
      {t('security.back')}
    </button>
  </>
);

function LoginForm({ email: given = '', isAgain = false }: { email?: string; isAgain?: boolean }) {
  const [email, setEmail] = useState(given);
  const [password, setPassword] = useState('');
  const { run, isBusy, error, clear } = useAction(() => logIn({ provider: 'EMAIL', email: email.trim(), password }));
  const due = dueOf(error);
  if (due) return <SecondFactor due={due} back={clear} />;
  const fields = [problemOf(error, 'email'), problemOf(error, 'password')];
  return (
    <>
      {!fields.some(Boolean) && <Problem error={error} />}
      <Form submit={run} busy={isBusy}>
        <TextField
          label={t('shell.email')}
          type="email"
          autocomplete="username webauthn"
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
      {hasPasskeys && <PasskeyButton />}
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
      {!isAgain && <AuthLinks />}
    </>
  );
}

/** Passkeys are also offered in the email field, until the button asks for one. */
function PasskeyButton() {
  const logInBy = async (autofill: boolean) => {
    const { challenge, options } = await souk.users.getPasskeyLoginOptions({});
    await logInWithPasskey({ challenge, credential: await usePasskey(options, autofill) });
  };
  const { run, isBusy, error } = useAction(() => logInBy(false));
  useEffect(() => {
    // The offer ends when the user leaves the page or chooses another way to log in.
    canAutofill().then((can) => (can ? logInBy(true).catch(() => {}) : undefined));
    return () => void stopAutofill();
  }, []);
  return (
    <>
      <Problem error={error} />
      <button type="button" class="quiet full" disabled={isBusy} onClick={run}>
        {t('security.logInWithPasskey')}
      </button>
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
  const { run, error, clear } = useAction(logIn);
  const due = dueOf(error);
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
      {due ? (
        <SecondFactor due={due} back={clear} />
      ) : (
        <>
          <Problem error={error} />
          <LoginForm />
        </>
      )}
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
