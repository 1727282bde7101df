import type { ListedEntry } from '@souk/client';
import { DataList } from '../../parts/list/data-list.tsx';
import { useLoad } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PlannedChips } from '../../parts/publishing/chips.tsx';
import { entryName } from '../../parts/records/sources.ts';
import { DateTime, StatusBadge, statusOf, statusText } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;

export default function Entries({ collectionId }: { collectionId: string }) {
  const collection = useLoad(`collection ${collectionId}`, (signal) => souk.collections.get(collectionId, { signal }));
  const create = can('CONTENT_WRITE') && (
    <a class="button" href={href(`/content/${collectionId}/new`)}>
      {t('content.newEntry')}
    </a>
  );
  const edit = can('CONTENT_WRITE') && (
    <a class="button quiet" href={href(`/content/${collectionId}/schema`)}>
      {t('content.editSchema')}
    </a>
  );
  const actions = (
    <>
      {can('CONTENT_WRITE') && (
        <a class="button quiet" href={href(`/imports?type=entries&collection=${collectionId}`)}>
          {t('imports.title')}
        </a>
      )}
      {edit}
      {create}
    </>
  );
  return (
    <PageFrame title={collection.data?.name ?? t('content.title')} back="/content" actions={actions}>
      <Problem error={collection.error} retry={collection.reload} />
      <DataList<ListedEntry>
        name={`entries ${collectionId}`}
        label={t('content.entries')}
        search={t('content.searchEntries')}
        filters={[
          { name: 'status', label: t('content.status'), options: STATUSES.map((each) => [each, statusText(each)]) },
        ]}
        load={({ q, status }, cursor, signal) =>
          souk.entries
            .list(
              { collectionId, limit: 50, ...(q ? { query: q } : {}), ...(status ? { status: status as 'DRAFT' } : {}) },
              { signal },
            )
            .page(cursor)
        }
        columns={[
          { head: t('content.name'), cell: entryName },
          { head: t('content.language'), cell: ({ locale }) => locale, isWide: true },
          { head: t('content.updated'), cell: ({ updatedAt }) => <DateTime at={updatedAt} />, isWide: true },
          {
            head: t('content.status'),
            cell: ({ statuses }) => <StatusBadge status={statusOf(statuses)} />,
          },
          { head: t('publishing.planned'), cell: (record) => <PlannedChips record={record} />, isWide: true },
        ]}
        rowHref={({ id }) => href(`/content/${collectionId}/${id}`)}
        rowName={entryName}
        empty={<EmptyState title={t('content.noEntries')} text={t('content.noEntriesText')} action={create} />}
      />
    </PageFrame>
  );
}
