import type { ListedCollection } from '@souk/client';
import { DataList } from '../../parts/list/data-list.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { number, StatusBadge, statusOf } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { NewslettersFrame } from './frame.tsx';

export default function Newsletters() {
  const create = can('CONTENT_WRITE') && (
    <a class="button" href={href('/newsletters/new')}>
      {t('newsletters.new')}
    </a>
  );
  return (
    <NewslettersFrame part="newsletters" actions={create}>
      <DataList<ListedCollection>
        name="newsletters"
        label={t('newsletters.title')}
        search={t('newsletters.search')}
        load={({ q }, cursor, signal) =>
          souk.collections.list({ type: 'NEWSLETTER', limit: 50, ...(q ? { name: q } : {}) }, { signal }).page(cursor)
        }
        columns={[
          { head: t('newsletters.name'), cell: ({ name }) => name },
          { head: t('newsletters.plans'), cell: ({ plans }) => number(plans.length), isNumber: true, isWide: true },
          { head: t('newsletters.status'), cell: ({ statuses }) => <StatusBadge status={statusOf(statuses)} /> },
        ]}
        rowHref={({ id }) => href(`/newsletters/${id}`)}
        rowName={({ name }) => name}
        empty={<EmptyState title={t('newsletters.none')} text={t('newsletters.noneText')} action={create} />}
      />
    </NewslettersFrame>
  );
}
