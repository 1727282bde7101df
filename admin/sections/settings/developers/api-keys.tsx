import { CopyButton } from '../../../parts/copy-button.tsx';
import { ApiKeys } from '../../../parts/keys/api-keys.tsx';
import { Section } from '../../../parts/page.tsx';
import { business, can } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { PublishableKeys } from './publishable-keys.tsx';

export default function Page() {
  return (
    <SettingsPage path="api-keys">
      {() => (
        <>
          <ApiKeys />
          {can('ADMIN') && <PublishableKeys />}
          <BusinessId id={business.value!.id} />
        </>
      )}
    </SettingsPage>
  );
}

const BusinessId = ({ id }: { id: string }) => (
  <Section title={t('settings.businessId')}>
    <p class="quiet">{t('settings.businessIdText')}</p>
    <code class="breaks">{id}</code> <CopyButton text={id} label={t('settings.copyBusinessId')} />
  </Section>
);
