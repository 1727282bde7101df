/** The account in a session from single sign-on: the role and API keys in its business, and why the rest is managed elsewhere. */
import { ApiKeys } from '../../parts/keys/api-keys.tsx';
import { OwnRoles } from '../../parts/own-roles.tsx';
import { PageFrame, Section } from '../../parts/page.tsx';
import { business, logOut, me } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export default function Page() {
  const { name, email = '' } = me.value ?? {};
  return (
    <PageFrame title={t('account.title')}>
      <Section title={t('account.profile')}>
        <dl class="facts">
          <div>
            <dt>{t('account.name')}</dt>
            <dd>{name || '–'}</dd>
          </div>
          <div>
            <dt>{t('shell.email')}</dt>
            <dd>{email}</dd>
          </div>
        </dl>
      </Section>
      <OwnRoles />
      <ApiKeys />
      <Section title={t('sso.session')}>
        <p>{t('sso.sessionText', { business: business.value?.name ?? '' })}</p>
        <p>{t('sso.sessionProvider')}</p>
        <p>{t('sso.sessionAccount')}</p>
        <button type="button" class="quiet" onClick={() => logOut()}>
          {t('account.end')}
        </button>
      </Section>
    </PageFrame>
  );
}
