import type { ListedCollection } from '@souk/client';
import { DataList } from '../../parts/list/data-list.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { PlannedChips } from '../../parts/publishing/chips.tsx';
import { DateTime, number, StatusBadge, statusOf } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export default function Collections() {
  const create = can('CONTENT_WRITE') && (
    <a class="button" href={href('/content/new')}>
      {t('content.newCollection')}
    </a>
  );
  const actions = (
    <>
      {can('CONTENT_WRITE') && (
        <a class="button quiet" href={href('/content/releases')}>
          {t('publishing.releases')}
        </a>
      )}
      {create}
    </>
  );
  return (
    <PageFrame title={t('content.title')} actions={actions}>
      <DataList<ListedCollection>
        name="collections"
        label={t('content.title')}
        search={t('content.search')}
        load={async ({ q }, cursor, signal) => {
          const page = await souk.collections.list({ limit: 50, ...(q ? { name: q } : {}) }, { signal }).page(cursor);
          // Newsletters have their own section.
          return { ...page, items: page.items.filter(({ type }) => type !== 'NEWSLETTER') };
        }}
        columns={[
          { head: t('content.name'), cell: ({ name }) => name },
          { head: t('content.fields'), cell: ({ blocks }) => number(blocks.length), isNumber: true, isWide: true },
          { head: t('content.updated'), cell: ({ updatedAt }) => <DateTime at={updatedAt} />, isWide: true },
          {
            head: t('content.status'),
            cell: ({ statuses }) => <StatusBadge status={statusOf(statuses)} />,
          },
          { head: t('publishing.planned'), cell: (record) => <PlannedChips record={record} />, isWide: true },
        ]}
        rowHref={({ id }) => href(`/content/${id}`)}
        rowName={({ name }) => name}
        empty={<EmptyState title={t('content.none')} text={t('content.noneText')} action={create} />}
      />
    </PageFrame>
  );
}
