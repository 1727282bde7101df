import type { ListedCustomer } from '@souk/client';
import { useState } from 'preact/hooks';
import { DataList } from '../../parts/list/data-list.tsx';
import { prefetch } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { DateOnly } from '../../parts/show.tsx';
import { query as address, href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { customerKey, loadCustomer } from './customer-values.ts';

const nameOf = ({ name, email, phone }: ListedCustomer) => name || email || phone || t('orders.guest');

export default function Page() {
  const chosen = address.value.get('tag');
  // The API has no list of tags, so this offers the tags of the loaded customers.
  const [seen, setSeen] = useState<string[]>([]);
  const tags = [...new Set([...(chosen ? [chosen] : []), ...seen])].sort();
  const link = can('CUSTOMER_WRITE') && (
    <a href={href('/customers/new')} class="button">
      {t('customers.new')}
    </a>
  );
  return (
    <PageFrame
      title={t('customers.title')}
      actions={
        <>
          {can('CUSTOMER_WRITE') && (
            <a class="button quiet" href={href('/imports?type=customers')}>
              {t('imports.title')}
            </a>
          )}
          {link}
        </>
      }
    >
      <DataList
        name="customers"
        label={t('customers.title')}
        search={t('customers.search')}
        filters={[{ name: 'tag', label: t('customers.tag'), options: tags.map((tag) => [tag, tag] as const) }]}
        hasViews
        load={async ({ q, tag }, cursor, signal) => {
          const query = { limit: 50, ...(q ? { query: q } : {}), ...(tag ? { tags: [tag] } : {}) };
          const page = await souk.customers.list(query, { signal }).page(cursor);
          setSeen((before) => [...new Set([...before, ...page.items.flatMap((each) => each.tags)])]);
          return page;
        }}
        rowHref={({ id }) => href(`/customers/${id}`)}
        rowName={nameOf}
        onHover={({ id }) => prefetch(customerKey(id), (signal) => loadCustomer(id, signal))}
        columns={[
          { head: t('customers.name'), cell: nameOf },
          { head: t('customers.email'), cell: ({ email }) => email },
          { head: t('customers.phone'), cell: ({ phone }) => phone, isWide: true },
          { head: t('customers.tags'), cell: ({ tags: own }) => <Tags tags={own} />, isWide: true },
          { head: t('customers.since'), cell: ({ createdAt }) => <DateOnly at={createdAt} />, isWide: true },
        ]}
        empty={<EmptyState title={t('customers.empty')} text={t('customers.emptyText')} action={link || undefined} />}
      />
    </PageFrame>
  );
}

const Tags = ({ tags }: { tags: string[] }) => (
  <>
    {tags.map((tag) => (
      <span key={tag} class="badge tag">
        {tag}
      </span>
    ))}
  </>
);
