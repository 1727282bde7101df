/** The password, second factors and sessions. */
import type { Session } from '@souk/client';
import { useState } from 'preact/hooks';
import { Form, TextField } from '../../parts/form/form.tsx';
import { useAction, useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { DateTime } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { reloadMe, souk } from '../../shell/session.ts';
import { type TextKey, t } from '../../text/index.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { AccountPage } from './frame.tsx';
import { Passkeys } from './passkeys.tsx';
import { CodesDialog, RecoveryCodes } from './recovery-codes.tsx';

const MAX_RESULTS = 200;

export default function Page() {
  const sessions = useLoad('sessions', (signal) =>
    souk.users.listSessions({ limit: 100 }, { signal }).take(MAX_RESULTS),
  );
  return (
    <AccountPage path="security">
      <SecondFactors changed={sessions.reload} />
      <Password changed={sessions.reload} />
      <Sessions {...sessions} />
    </AccountPage>
  );
}

function SecondFactors({ changed }: { changed: () => void }) {
  const { data, error, reload } = useLoad('factors', (signal) => souk.users.getFactors({ signal }));
  const [codes, setCodes] = useState<string[]>([]);
  const update = (recoveryCodes: string[] = []) => {
    setCodes(recoveryCodes);
    reload();
    changed();
    void reloadMe();
  };
  return (
    <>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={2} />}
      {data && <Passkeys passkeys={data.passkeys} changed={update} />}
      {data && <AuthenticatorApp totp={data.totp} changed={update} />}
      {data && (data.totp || data.passkeys.length > 0) && (
        <RecoveryCodes left={data.recoveryCodesLeft} changed={update} />
      )}
      {codes.length > 0 && <CodesDialog codes={codes} close={() => setCodes([])} />}
    </>
  );
}

function Password({ changed }: { changed: () => void }) {
  const [oldPassword, setOld] = useState('');
  const [newPassword, setNew] = useState('');
  const { run, isBusy, error } = useAction(async () => {
    await souk.users.resetPassword({ oldPassword, newPassword });
    setOld('');
    setNew('');
    toast(t('account.passwordChanged'));
    changed();
  });
  const problems = [problemOf(error, 'oldPassword'), problemOf(error, 'newPassword')];
  return (
    <Section title={t('account.password')}>
      {!problems.some(Boolean) && <Problem error={error} />}
      <Form submit={run} busy={isBusy}>
        <div class="fields">
          <TextField
            label={t('account.oldPassword')}
            type="password"
            autocomplete="current-password"
            value={oldPassword}
            onInput={setOld}
            problem={problems[0]}
          />
          <TextField
            label={t('account.newPassword')}
            type="password"
            autocomplete="new-password"
            hint={t('account.passwordHint')}
            value={newPassword}
            onInput={setNew}
            problem={problems[1]}
          />
        </div>
        <button type="submit" disabled={isBusy || !oldPassword || !newPassword}>
          {t('account.changePassword')}
        </button>
      </Form>
    </Section>
  );
}

const PROVIDERS: Partial<Record<string, TextKey>> = {
  EMAIL: 'account.byEmail',
  PASSKEY: 'account.byPasskey',
  SUPPORT: 'account.bySupport',
};

type SessionsProps = { data: Session[] | undefined; error: unknown; reload: () => void };

function Sessions({ data, error, reload }: SessionsProps) {
  const end = useAction(async (ids: string[]) => {
    for (const id of ids) await souk.users.deleteSession(id);
    toast(t('account.ended', { count: ids.length }));
    reload();
  });
  const others = data?.filter(({ current }) => !current) ?? [];
  const endAll = others.length > 0 && (
    <button type="button" class="quiet" disabled={end.isBusy} onClick={() => end.run(others.map(({ id }) => id))}>
      {t('account.endOthers')}
    </button>
  );
  return (
    <Section title={t('account.sessions')} actions={endAll}>
      <Problem error={error ?? end.error} retry={error ? reload : undefined} />
      {!data && !error && <SkeletonRows count={2} />}
      <ul class="entries" aria-label={t('account.sessions')}>
        {data?.map(({ id, provider, device, address, createdAt, lastUsedAt, current }) => (
          <li key={id}>
            <span>{[device ?? t('account.unknownDevice'), address].filter(Boolean).join(' · ')}</span>
            <span class="small quiet">
              {`${t('account.loggedIn')} `}
              <DateTime at={createdAt} />
            </span>
            <span class="small quiet">
              {`${t('account.lastUsed')} `}
              <DateTime at={lastUsedAt} />
              {` · ${PROVIDERS[provider] ? t(PROVIDERS[provider]) : provider}`}
            </span>
            {current ? (
              <span class="badge good">{t('account.thisSession')}</span>
            ) : (
              <button type="button" class="quiet" disabled={end.isBusy} onClick={() => end.run([id])}>
                {t('account.end')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
