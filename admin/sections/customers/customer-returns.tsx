import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { DateOnly, StatusBadge } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const SHOWN = 10;

/** The newest returns of a customer, if there are any. */
export function CustomerReturns({ id }: { id: string }) {
  const { data, error, reload } = useLoad(
    `customer-returns ${id}`,
    async (signal) => (await souk.orders.listReturns({ customerId: id, limit: SHOWN }, { signal }).page()).items,
  );
  if (!error && !data?.length) return null;
  return (
    <Section title={t('returns.title')}>
      <Problem error={error} retry={reload} />
      <ul class="entries">
        {data?.map(({ id, orderNumber, type, status, createdAt }) => (
          <li key={id}>
            <a href={href(`/orders/returns/${id}`)}>{`#${orderNumber} ${t(`returns.${type}`)}`}</a>
            <StatusBadge status={status} />
            <span class="small quiet">
              <DateOnly at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
