import { DataList } from '../../../parts/list/data-list.tsx';
import { forget } from '../../../parts/load.ts';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { entryName } from '../../../parts/records/sources.ts';
import { DateTime } from '../../../parts/show.tsx';
import { useEvents } from '../../../shell/events.ts';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { NewsletterFrame } from '../frame.tsx';
import { type Issue, IssueStatus, withSends } from './issue-status.tsx';

export default function Issues({ id }: { id: string }) {
  useEvents('newsletter.', () => forget(`list entries ${id}`));
  const create = can('CONTENT_WRITE') && (
    <a class="button" href={href(`/newsletters/${id}/new`)}>
      {t('newsletters.newIssue')}
    </a>
  );
  return (
    <NewsletterFrame id={id} part="issues" actions={create}>
      {() => (
        <DataList<Issue>
          name={`entries ${id}`}
          label={t('newsletters.issues')}
          search={t('newsletters.searchIssues')}
          load={async ({ q }, cursor, signal) => {
            const entries = souk.entries.list({ collectionId: id, limit: 50, ...(q ? { query: q } : {}) }, { signal });
            return withSends(await entries.page(cursor), signal);
          }}
          columns={[
            { head: t('newsletters.subject'), cell: entryName },
            { head: t('newsletters.updated'), cell: ({ updatedAt }) => <DateTime at={updatedAt} />, isWide: true },
            { head: t('newsletters.status'), cell: (issue) => <IssueStatus issue={issue} /> },
          ]}
          rowHref={(entry) => href(`/newsletters/${id}/${entry.id}`)}
          rowName={entryName}
          empty={<EmptyState title={t('newsletters.noIssues')} text={t('newsletters.noIssuesText')} action={create} />}
        />
      )}
    </NewsletterFrame>
  );
}
