/** Both histories of an order as one, newest first, with who and when. */
import type { Order, SeenUser, StatusEntry } from '@souk/client';
import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { DateTime, StatusBadge, statusText } from '../../parts/show.tsx';
import { can, me, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

type Moment = StatusEntry & { kind: 'orders.orderMove' | 'orders.paymentMove' };

/** Names of the team, for ADMINs; others see who they are themselves. */
function useNames(): ReadonlyMap<string, string> {
  const { data } = useLoad<SeenUser[]>('team names', async (signal) =>
    can('ADMIN') ? souk.users.search({ limit: 100 }, { signal }).take(200) : [],
  );
  return new Map((data ?? []).map(({ id, name, email }) => [id, name || email || id]));
}

export function Timeline({ order }: { order: Order }) {
  const names = useNames();
  const moments: Moment[] = [
    ...order.statuses.map((entry) => ({ ...entry, kind: 'orders.orderMove' as const })),
    ...order.paymentStatus.map((entry) => ({ ...entry, kind: 'orders.paymentMove' as const })),
  ]
    // Of the same second, what was written later is shown first.
    .reverse()
    .sort((a, b) => b.timestamp - a.timestamp);
  const who = ({ changedBy, userId }: StatusEntry) => {
    if (changedBy === 'SYSTEM' || !userId) return t('orders.bySystem');
    if (userId === me.value?.id) return t('orders.byYou');
    if (userId === order.customerId) return t('orders.byCustomer');
    return t('orders.byStaff', { name: names.get(userId) ?? userId });
  };
  return (
    <Section title={t('orders.timeline')}>
      <ol class="timeline">
        {moments.map((moment) => (
          <li key={`${moment.kind} ${moment.id}`}>
            <span class="visually-hidden">{t(moment.kind, { status: statusText(moment.status) })}</span>
            <span aria-hidden="true">
              {t(moment.kind, { status: '' })} <StatusBadge status={moment.status} />
            </span>
            <small>
              <DateTime at={moment.timestamp} /> {who(moment)}
            </small>
          </li>
        ))}
      </ol>
    </Section>
  );
}
