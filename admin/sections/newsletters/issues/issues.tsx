import type { ListedEntry } from '@souk/client';
import { DataList } from '../../../parts/list/data-list.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { entryName } from '../../../parts/records/sources.ts';
import { DateTime, StatusBadge, statusOf } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { NewsletterFrame } from '../frame.tsx';

export default function Issues({ id }: { id: string }) {
  const create = can('CONTENT_WRITE') && (
    <a class="button" href={href(`/newsletters/${id}/new`)}>
      {t('newsletters.newIssue')}
    </a>
  );
  return (
    <NewsletterFrame id={id} part="issues" actions={create}>
      {() => (
        <DataList<ListedEntry>
          name={`entries ${id}`}
          label={t('newsletters.issues')}
          search={t('newsletters.searchIssues')}
          load={({ q }, cursor, signal) =>
            souk.entries.list({ collectionId: id, limit: 50, ...(q ? { query: q } : {}) }, { signal }).page(cursor)
          }
          columns={[
            { head: t('newsletters.subject'), cell: entryName },
            { head: t('newsletters.updated'), cell: ({ updatedAt }) => <DateTime at={updatedAt} />, isWide: true },
            { head: t('newsletters.status'), cell: ({ statuses }) => <StatusBadge status={statusOf(statuses)} /> },
          ]}
          rowHref={(entry) => href(`/newsletters/${id}/${entry.id}`)}
          rowName={entryName}
          empty={<EmptyState title={t('newsletters.noIssues')} text={t('newsletters.noIssuesText')} action={create} />}
        />
      )}
    </NewsletterFrame>
  );
}
