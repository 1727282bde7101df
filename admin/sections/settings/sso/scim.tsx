/** The SCIM token. It is shown once. */
import type { Sso } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { ReadOnlyField } from '../../../parts/form/read-only-field.tsx';
import { SecretDialog } from '../../../parts/keys/secret-dialog.tsx';
import { useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateOnly } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

export function Scim({ scim: given }: { scim: Sso['scim'] }) {
  const [scim, setScim] = useState(given);
  const [token, setToken] = useState<string | null>(null);
  const [isRevoking, setRevoking] = useState(false);
  const reload = async () => setScim((await souk.singleSignOn.getSso()).scim);
  const create = useAction(async () => {
    setToken((await souk.singleSignOn.createScimToken()).token);
    await reload();
  });
  const revoke = useAction(async () => {
    await souk.singleSignOn.deleteScimToken();
    toast(t('sso.tokenRevoked'));
    await reload();
  });
  return (
    <Section title={t('sso.scim')}>
      <p class="quiet">{t('sso.scimText')}</p>
      <Problem error={create.error ?? revoke.error} />
      <ReadOnlyField label={t('sso.scimUrl')} value={scim.url} />
      <p>
        {`${t('sso.token')}: `}
        {scim.createdAt === null ? (
          t('sso.noToken')
        ) : (
          <>
            <code>****{scim.lastFour}</code> · <DateOnly at={scim.createdAt} />
          </>
        )}
      </p>
      <div class="actions">
        <button type="button" class="quiet" disabled={create.isBusy} onClick={() => create.run()}>
          {t(scim.createdAt === null ? 'sso.createToken' : 'sso.replaceToken')}
        </button>
        {scim.createdAt !== null && (
          <button type="button" class="quiet" onClick={() => setRevoking(true)}>
            {t('sso.revokeToken')}
          </button>
        )}
      </div>
      {token && (
        <SecretDialog
          title={t('sso.tokenCreated')}
          text={t('sso.tokenOnce')}
          label={t('sso.token')}
          secret={token}
          close={() => setToken(null)}
        />
      )}
      {isRevoking && (
        <Confirm
          title={t('sso.revokeToken')}
          text={t('sso.revokeTokenText')}
          action={t('parts.revoke')}
          run={() => revoke.run()}
          close={() => setRevoking(false)}
        />
      )}
    </Section>
  );
}
