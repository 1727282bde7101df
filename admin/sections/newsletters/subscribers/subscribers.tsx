import type { Collection, ListedSubscription } from '@souk/client';
import { useState } from 'preact/hooks';
import { DataList } from '../../../parts/list/data-list.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { DateOnly, StatusBadge, statusText } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { NewsletterFrame } from '../frame.tsx';
import { useChoices } from '../segments/filter-values.tsx';
import { AddSubscriber } from './add-subscriber.tsx';
import { BulkTag } from './bulk-tag.tsx';
import { SubscriberDialog } from './subscriber.tsx';

const STATUSES = ['PENDING', 'ACTIVE', 'PAST_DUE', 'UNSUBSCRIBED', 'BOUNCED'] as const;

export default function Subscribers({ id }: { id: string }) {
  const [isAdding, setAdding] = useState(false);
  const add = can('SUBSCRIBER_WRITE') && (
    <>
      <a class="button quiet" href={href(`/imports?type=subscribers&collection=${id}`)}>
        {t('imports.title')}
      </a>
      <button type="button" onClick={() => setAdding(true)}>
        {t('newsletters.addSubscriber')}
      </button>
    </>
  );
  return (
    <NewsletterFrame id={id} part="subscribers" actions={add}>
      {(newsletter) => (
        <>
          <List newsletter={newsletter} />
          {isAdding && <AddSubscriber newsletter={newsletter} close={() => setAdding(false)} />}
        </>
      )}
    </NewsletterFrame>
  );
}

function List({ newsletter }: { newsletter: Collection }) {
  const [open, setOpen] = useState<ListedSubscription | null>(null);
  const choices = useChoices();
  const planName = (planId: string) => newsletter.plans.find((plan) => plan.id === planId)?.name ?? planId;
  return (
    <>
      <DataList<ListedSubscription>
        name={`subscribers ${newsletter.id}`}
        label={t('newsletters.subscribers')}
        search={t('newsletters.searchSubscribers')}
        filters={[
          { name: 'status', label: t('newsletters.status'), options: STATUSES.map((each) => [each, statusText(each)]) },
          { name: 'plan', label: t('newsletters.plan'), options: newsletter.plans.map(({ id, name }) => [id, name]) },
          { name: 'tag', label: t('audience.tag'), options: choices.tags.map((tag) => [tag, tag]) },
        ]}
        load={({ q, status, plan, tag }, cursor, signal) =>
          souk.newsletters
            .listSubscribers(
              newsletter.id,
              {
                limit: 50,
                ...(q ? { query: q } : {}),
                ...(status ? { status: status as 'ACTIVE' } : {}),
                ...(plan ? { planId: plan } : {}),
                ...(tag ? { tag } : {}),
              },
              { signal },
            )
            .page(cursor)
        }
        columns={[
          {
            head: t('newsletters.email'),
            cell: (subscriber) => (
              <button type="button" class="link row-link" onClick={() => setOpen(subscriber)}>
                {subscriber.email}
              </button>
            ),
          },
          { head: t('audience.tags'), cell: ({ tags }) => tags.join(', '), isWide: true },
          { head: t('newsletters.plan'), cell: ({ planId }) => planName(planId), isWide: true },
          { head: t('newsletters.since'), cell: ({ createdAt }) => <DateOnly at={createdAt} />, isWide: true },
          { head: t('newsletters.status'), cell: ({ status }) => <StatusBadge status={status} /> },
        ]}
        {...(can('SUBSCRIBER_WRITE') && {
          bulk: (chosen: ListedSubscription[], clear: () => void) => (
            <BulkTag newsletterId={newsletter.id} chosen={chosen} clear={clear} />
          ),
        })}
        rowName={({ email }) => email}
        empty={<EmptyState title={t('newsletters.noSubscribers')} text={t('newsletters.noSubscribersText')} />}
      />
      {open && <SubscriberDialog newsletter={newsletter} id={open.id} email={open.email} close={() => setOpen(null)} />}
    </>
  );
}
