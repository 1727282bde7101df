import type { ListedRelease } from '@souk/client';
import { DataList } from '../../parts/list/data-list.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { DateTime, number, StatusBadge, taskStatusText } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const STATUSES = ['SCHEDULED', 'PUBLISHED', 'FAILED', 'CANCELLED'] as const;

export default function Releases() {
  const create = (
    <a class="button" href={href('/content/releases/new')}>
      {t('publishing.newRelease')}
    </a>
  );
  return (
    <PageFrame title={t('publishing.releases')} back="/content" actions={create}>
      <DataList<ListedRelease>
        name="releases"
        label={t('publishing.releases')}
        filters={[
          {
            name: 'status',
            label: t('publishing.status'),
            options: STATUSES.map((each) => [each, taskStatusText(each)]),
          },
        ]}
        load={({ status }, cursor, signal) =>
          souk.releases.list({ limit: 50, ...(status ? { status: status as 'FAILED' } : {}) }, { signal }).page(cursor)
        }
        columns={[
          { head: t('publishing.name'), cell: ({ name }) => name },
          { head: t('publishing.at'), cell: ({ at }) => <DateTime at={at} />, isWide: true },
          { head: t('publishing.items'), cell: ({ itemCount }) => number(itemCount), isNumber: true, isWide: true },
          { head: t('publishing.status'), cell: ({ status }) => <StatusBadge status={status} isTask /> },
        ]}
        rowHref={({ id }) => href(`/content/releases/${id}`)}
        rowName={({ name }) => name}
        empty={<EmptyState title={t('publishing.noReleases')} text={t('publishing.releasesText')} action={create} />}
      />
    </PageFrame>
  );
}
