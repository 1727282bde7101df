import type { Billing as BillingOf } from '@souk/client';
import { useAction } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { DateOnly, date, money, StatusBadge } from '../../../parts/show.tsx';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

type Props = {
  newsletterId: string;
  id: string;
  billing: BillingOf;
  setCancelled: (cancelAtPeriodEnd: boolean) => void;
};

/** The billing of a paid plan: status, payments, cancellation. */
export function Billing({ newsletterId, id, billing, setCancelled }: Props) {
  const { amount, currency, interval, paidUntil, cancelAtPeriodEnd, status, charges } = billing;
  const portal = useAction(async () => {
    const { url } = await souk.newsletters.openSubscriberPortal(newsletterId, id);
    window.open(url, '_blank', 'noopener');
  });
  const isOver = status === 'ENDED';
  return (
    <section class="billing" aria-label={t('newsletters.billing')}>
      <h3>{t('newsletters.billing')}</h3>
      <p>
        <StatusBadge status={status} /> {money(amount, currency)} · {t(`newsletters.${interval}`)}
      </p>
      <p class="small quiet">
        {t(isOver ? 'newsletters.wasPaidUntil' : cancelAtPeriodEnd ? 'newsletters.endsOn' : 'newsletters.renewsOn', {
          day: date(paidUntil),
        })}
      </p>
      <ul class="entries" aria-label={t('newsletters.charges')}>
        {charges.map((charge) => (
          <li key={charge.id}>
            <DateOnly at={charge.createdAt} />
            <StatusBadge status={charge.status} />
            <span class="amount">{money(charge.amount, charge.currency)}</span>
          </li>
        ))}
      </ul>
      <Problem error={portal.error} />
      {!isOver && can('SUBSCRIBER_WRITE') && (
        <div class="actions">
          <button type="button" class="quiet" onClick={() => setCancelled(!cancelAtPeriodEnd)}>
            {t(cancelAtPeriodEnd ? 'newsletters.resume' : 'newsletters.cancelPlan')}
          </button>
          <button type="button" class="quiet" disabled={portal.isBusy} onClick={() => portal.run()}>
            {t('newsletters.portal')}
          </button>
        </div>
      )}
    </section>
  );
}
