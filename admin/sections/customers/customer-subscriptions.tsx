import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { DateOnly, StatusBadge } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const MAX_NEWSLETTERS = 100;

/** The newsletter subscriptions of this address, in any status. */
export function CustomerSubscriptions({ email }: { email: string }) {
  const { data, error, reload } = useLoad(`customer-subscriptions ${email}`, async (signal) => {
    const newsletters = await souk.collections.list({ type: 'NEWSLETTER' }, { signal }).take(MAX_NEWSLETTERS);
    const found = await Promise.all(
      newsletters.map(async ({ id, name }) => {
        const [subscription] = await souk.newsletters.listSubscribers(id, { email, limit: 1 }, { signal }).take(1);
        return subscription && { ...subscription, newsletterId: id, name };
      }),
    );
    return found.filter((each) => each !== undefined);
  });
  return (
    <Section title={t('customers.subscriptions')}>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={2} />}
      {data?.length === 0 && <p class="quiet">{t('customers.noSubscriptions')}</p>}
      <ul class="entries">
        {data?.map(({ id, newsletterId, name, status, createdAt }) => (
          <li key={id}>
            <a href={href(`/newsletters/${newsletterId}`)}>{name}</a>
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
