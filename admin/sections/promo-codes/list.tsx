import type { PromoCode } from '@souk/client';
import { DataList } from '../../parts/list/data-list.tsx';
import { prefetch } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { number, StatusBadge, statusOf, statusText } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { type Discount, describe, toForm } from './values.ts';

const STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;

export default function PromoCodes() {
  const create = (
    <a class="button" href={href('/promo-codes/new')}>
      {t('promoCodes.new')}
    </a>
  );
  return (
    <PageFrame title={t('promoCodes.title')} actions={create}>
      <DataList<PromoCode>
        name="promo-codes"
        label={t('promoCodes.title')}
        search={t('promoCodes.search')}
        filters={[
          { name: 'status', label: t('promoCodes.status'), options: STATUSES.map((each) => [each, statusText(each)]) },
        ]}
        load={({ q, status }, cursor, signal) =>
          souk.promoCodes
            .list(
              { limit: 50, ...(q ? { query: q } : {}), ...(status ? { status: status as 'DRAFT' } : {}) },
              { signal },
            )
            .page(cursor)
        }
        columns={[
          { head: t('promoCodes.code'), cell: ({ code }) => code },
          {
            head: t('promoCodes.discount'),
            cell: ({ discounts }) => (discounts as Discount[]).map(describe).join(', '),
            isWide: true,
          },
          { head: t('promoCodes.uses'), cell: ({ uses }) => number(uses), isNumber: true },
          { head: t('promoCodes.status'), cell: ({ statuses }) => <StatusBadge status={statusOf(statuses)} /> },
        ]}
        rowHref={({ id }) => href(`/promo-codes/${id}`)}
        rowName={({ code }) => code}
        onHover={({ id }) =>
          prefetch(`promo-code ${id}`, async (signal) => {
            const promo = await souk.promoCodes.get(id, { signal });
            return { values: toForm(promo), etag: promo.etag };
          })
        }
        empty={<EmptyState title={t('promoCodes.none')} text={t('promoCodes.noneText')} action={create} />}
      />
    </PageFrame>
  );
}
