import { useLoad } from '../../../parts/load.ts';
import { EmptyState, SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { StatusBadge } from '../../../parts/show.tsx';
import { isHidden } from '../../../parts/toast.tsx';
import { href } from '../../../shell/router.ts';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';

const MAX_RESULTS = 500;

const NewLink = () => (
  <a href={href('/settings/webhooks/new')} class="button">
    {t('settings.newWebhook')}
  </a>
);

export default function Page() {
  return (
    <SettingsPage path="webhooks" actions={<NewLink />}>
      {() => <Webhooks />}
    </SettingsPage>
  );
}

function Webhooks() {
  const { data, error, reload } = useLoad(`webhooks ${business.value?.id}`, (signal) =>
    souk.webhooks.list({ limit: 100 }, { signal }).take(MAX_RESULTS),
  );
  const shown = data?.filter(({ id }) => !isHidden(id));
  return (
    <>
      <Problem error={error} retry={reload} />
      {!shown && !error && <SkeletonRows count={3} />}
      {shown?.length === 0 && <EmptyState title={t('settings.noWebhooks')} text={t('settings.noWebhooksText')} />}
      {shown && shown.length > 0 && (
        <table class="plain-table">
          <caption class="visually-hidden">{t('settings.webhooks')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('settings.url')}</th>
              <th scope="col" class="wide-only">
                {t('settings.events')}
              </th>
              <th scope="col">{t('settings.status')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, url, description, events, enabled, failingSince }) => (
              <tr key={id}>
                <td class="breaks">
                  <a href={href(`/settings/webhooks/${id}`)}>{description || url}</a>
                  {description && <p class="small quiet">{url}</p>}
                </td>
                <td class="wide-only small">{events.join(', ')}</td>
                <td>
                  <StatusBadge status={!enabled ? 'DISABLED' : failingSince ? 'FAILING' : 'ENABLED'} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
