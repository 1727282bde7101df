import type { ListedCollection } from '@souk/client';
import { DataList } from '../../parts/list/data-list.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { number, StatusBadge, statusOf } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export default function Newsletters() {
  const audience = can('SUBSCRIBER_READ') && (
    <>
      <a class="button quiet" href={href('/newsletters/segments')}>
        {t('segments.title')}
      </a>
      <a class="button quiet" href={href('/newsletters/forms')}>
        {t('forms.title')}
      </a>
      <a class="button quiet" href={href('/newsletters/suppressions')}>
        {t('suppressions.title')}
      </a>
    </>
  );
  const automations = can('NEWSLETTER_SEND') && (
    <a class="button quiet" href={href('/newsletters/automations')}>
      {t('automations.title')}
    </a>
  );
  const create = can('CONTENT_WRITE') && (
    <a class="button" href={href('/newsletters/new')}>
      {t('newsletters.new')}
    </a>
  );
  return (
    <PageFrame
      title={t('newsletters.title')}
      actions={
        <>
          {automations}
          {audience}
          {create}
        </>
      }
    >
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
    </PageFrame>
  );
}
