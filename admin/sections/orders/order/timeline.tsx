/** The history of an order, newest first: statuses, payments, bank transfers, shipments, refunds, disputes and emails that were not sent. */
import type { Order, Refund, SeenUser, StatusEntry } from '@souk/client';
import { useLoad } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { DateTime, money, StatusBadge, statusText } from '../../../parts/show.tsx';
import { can, me, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

type TimelineEntry = {
  key: string;
  timestamp: number;
  text: string;
  status?: string;
  note?: string | null;
  by?: string;
};

/** Names of members. Only ADMINs can load them. */
function useNames(): ReadonlyMap<string, string> {
  const { data } = useLoad<SeenUser[]>('team names', async (signal) =>
    can('ADMIN') ? souk.users.search({ limit: 100 }, { signal }).take(200) : [],
  );
  return new Map((data ?? []).map(({ id, name, email }) => [id, name || email || id]));
}

function useRefunds({ id, refunded, updatedAt }: Order): Refund[] {
  const { data } = useLoad<Refund[]>(
    `refunds of ${id} ${refunded} ${updatedAt}`,
    async (signal) => (await souk.orders.listRefunds(id, { signal }).page()).items,
  );
  return data ?? [];
}

/** `2 × Mug, 1 × Cup`. */
const refundedItems = ({ lines }: Order, parts: Refund['parts']) =>
  (parts?.lines ?? [])
    .filter(({ quantity }) => quantity > 0)
    .map(({ lineId, quantity }) => `${quantity} × ${lines.find(({ id }) => id === lineId)?.name ?? lineId}`)
    .join(', ');

export function Timeline({ order }: { order: Order }) {
  const names = useNames();
  const refunds = useRefunds(order);
  const who = (userId: string | undefined, changedBy = 'USER') => {
    if (changedBy === 'SYSTEM' || !userId) return t('orders.bySystem');
    if (userId === me.value?.id) return t('orders.byYou');
    if (userId === order.customerId) return t('orders.byCustomer');
    return t('orders.byStaff', { name: names.get(userId) ?? userId });
  };
  const move =
    (text: string) =>
    ({ id, status, timestamp, userId, changedBy }: StatusEntry): TimelineEntry => ({
      key: `${text} ${id}`,
      timestamp,
      text,
      status,
      by: who(userId, changedBy),
    });
  const amountOf = (amount: number) => ({ amount: money(amount, order.currency) });
  const entries: TimelineEntry[] = [
    ...order.statuses.map(move(t('orders.orderMove', { status: '' }))),
    ...order.paymentStatus.map(move(t('orders.paymentMove', { status: '' }))),
    ...order.shipments.map(({ id, lines, userId, createdAt }) => ({
      key: id,
      timestamp: createdAt,
      text: t('orders.shipMove', { count: lines.reduce((sum, { quantity }) => sum + quantity, 0) }),
      by: who(userId),
    })),
    ...(order.bankPayments ?? []).map(({ id, amount, userId, timestamp }) => ({
      key: id,
      timestamp,
      text: t('bank.paymentMove', amountOf(amount)),
      by: who(userId),
    })),
    ...refunds.map(({ id, amount, reason, status, parts, userId, createdAt }) => ({
      key: id,
      timestamp: createdAt,
      text: t('orders.refundMove', amountOf(amount)),
      ...(status === 'SUCCEEDED' ? {} : { status }),
      note: [refundedItems(order, parts), reason].filter(Boolean).join(' · ') || null,
      by: who(userId),
    })),
    ...(order.disputes ?? []).map(({ id, amount, reason, status, timestamp }) => ({
      key: id,
      timestamp,
      text: t(`orders.dispute_${status}`, amountOf(amount)),
      note: reason?.replaceAll('_', ' ') ?? null,
    })),
    ...(order.withheldMails ?? []).map(({ kind, timestamp }, i) => ({
      key: `${kind} ${i}`,
      timestamp,
      text: t('orders.mailWithheld', { mail: t(`mails.kind_${kind}`) }),
      note: t('orders.mailWithheldHint'),
    })),
  ]
    // Within the same second, later entries come first.
    .reverse()
    .sort((a, b) => b.timestamp - a.timestamp);
  return (
    <Section title={t('orders.timeline')}>
      <ol class="timeline">
        {entries.map(({ key, text, status, note, timestamp, by }) => (
          <li key={key}>
            <span class="visually-hidden">{[text.trim(), status && statusText(status)].filter(Boolean).join(' ')}</span>
            <span aria-hidden="true">
              {text} {status && <StatusBadge status={status} />}
            </span>
            <small>
              <DateTime at={timestamp} /> {by}
            </small>
            {note && <small>{note}</small>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
