/** Finds the businesses with single sign-on for an email's domain, and starts the login. */
import { useState } from 'preact/hooks';
import { Form, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { AuthPage } from '../../shell/login.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

async function start(businessId: string): Promise<void> {
  const { url } = await souk.users.loginUrl({
    provider: 'SSO',
    businessId,
    originUrl: location.origin,
    redirectUrl: `${location.origin}/admin/login/sso/${businessId}`,
  });
  location.assign(url);
}

type Found = { businessId: string; name: string }[];

export default function Page() {
  const [email, setEmail] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const go = useAction(start);
  const { run, isBusy, error } = useAction(async () => {
    const { items } = await souk.users.findSsoBusinesses({ email: email.trim() });
    if (items.length === 1) await start(items[0]!.businessId);
    else setFound(items);
  });
  const domain = email.trim().split('@').at(-1) ?? '';
  const problem = problemOf(error, 'email') ?? (found?.length === 0 ? t('auth.noSso', { domain }) : undefined);
  return (
    <AuthPage title={t('auth.logInWithSso')}>
      {!problem && <Problem error={error ?? go.error} />}
      {found && found.length > 1 ? (
        <>
          <p>{t('auth.ssoChoose')}</p>
          {found.map(({ businessId, name }) => (
            <button
              key={businessId}
              type="button"
              class="quiet full"
              disabled={go.isBusy}
              onClick={() => go.run(businessId)}
            >
              {name}
            </button>
          ))}
        </>
      ) : (
        <>
          <p>{t('auth.ssoText')}</p>
          <Form submit={run} busy={isBusy}>
            <TextField
              label={t('shell.email')}
              type="email"
              autocomplete="username"
              value={email}
              onInput={(next) => {
                setEmail(next);
                setFound(null);
              }}
              problem={problem}
            />
            <button type="submit" class="full">
              {t('auth.ssoContinue')}
            </button>
          </Form>
        </>
      )}
      <a href="/admin">{t('auth.toLogIn')}</a>
    </AuthPage>
  );
}
