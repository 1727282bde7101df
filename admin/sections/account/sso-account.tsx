/** The account in a session from single sign-on: what it shows, and why the rest is managed elsewhere. */
import { PageFrame, Section } from '../../parts/page.tsx';
import { business, logOut, me } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export default function Page() {
  const { name, email = '', roles = [] } = me.value ?? {};
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
          <div>
            <dt>{t('account.roles')}</dt>
            <dd>{roles.map((role) => role.name).join(', ')}</dd>
          </div>
        </dl>
      </Section>
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
