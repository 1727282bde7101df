/** A return, with its next step. */
import type { Order, Refund, Return } from '@souk/client';
import { forget, useLoad } from '../../../parts/load.ts';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime, money, StatusBadge } from '../../../parts/show.tsx';
import { useEvents } from '../../../shell/events.ts';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { buyerName } from '../data.ts';
import { NextStep } from './return-steps.tsx';

/** `refund` is null until the items are refunded, or their value pays for an exchange. */
type Loaded = { record: Return; order: Order; refund: Refund | null };

export default function ReturnPage({ returnId }: { returnId: string }) {
  const { data, error, reload } = useLoad<Loaded>(`return ${returnId}`, async (signal) => {
    const record = await souk.orders.getReturn(returnId, { signal });
    const [order, refunds] = await Promise.all([
      souk.orders.get(record.orderId, { signal }),
      record.refundId === null ? [] : souk.orders.listRefunds(record.orderId, { signal }).take(1000),
    ]);
    const refund = refunds.find(({ id, status }) => id === record.refundId && status === 'SUCCEEDED') ?? null;
    return { record, order, refund };
  });
  useEvents('return.', ({ entity }) => entity === `order:${data?.order.id}` && reload());
  const done = () => {
    for (const name of ['list returns', 'list orders', 'home', `order ${data!.order.id}`]) forget(name);
    reload();
  };
  const title = data ? t('returns.titleOf', { number: data.order.number }) : t('returns.RETURN');
  return (
    <PageFrame title={title} back="/orders/returns" aside={data && <StatusBadge status={data.record.status} />}>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows />}
      {data && (
        <div class="columns">
          <div>
            {can('ORDER_WRITE') && (
              <NextStep key={`${data.record.status} ${data.record.updatedAt}`} {...data} done={done} />
            )}
            <Items record={data.record} />
          </div>
          <div>
            <Details {...data} />
            <History record={data.record} />
          </div>
        </div>
      )}
    </PageFrame>
  );
}

const Items = ({ record }: { record: Return }) => (
  <Section title={t('returns.items')}>
    <ul class="shipments">
      {record.lines.map(({ lineId, name, quantity, unshipped, reason }) => (
        <li key={lineId}>
          {quantity} × {name}
          {unshipped > 0 && <small> · {t('returns.unshipped', { count: unshipped })}</small>}
          {reason && (
            <>
              <br />
              <small>
                {t('returns.reason')}: {reason}
              </small>
            </>
          )}
        </li>
      ))}
    </ul>
  </Section>
);

function Details({ record, order, refund }: Loaded) {
  const { type, note, name, instructions, labelUrl, rejection, restocked, exchangeOrderId } = record;
  const facts: [string, string | null][] = [
    [t('orders.customer'), buyerName(order)],
    [t('returns.note'), note],
    [t('returns.name'), name],
    [t('returns.instructions'), instructions],
    [t('returns.rejection'), rejection],
    [
      t(exchangeOrderId === null ? 'returns.refundedAmount' : 'returns.exchangeCredit'),
      refund && money(refund.amount, order.currency),
    ],
    [t('returns.stock'), restocked === null ? null : t(restocked ? 'returns.restocked' : 'returns.writtenOff')],
  ];
  return (
    <Section title={t('returns.details')}>
      <dl class="facts">
        <div>
          <dt>{t('returns.order')}</dt>
          <dd>
            <a href={href(`/orders/${order.id}`)}>#{order.number}</a>
          </dd>
        </div>
        <div>
          <dt>{t('returns.type')}</dt>
          <dd>{t(`returns.${type}`)}</dd>
        </div>
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt>{label}</dt>
                <dd class="return-text">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {labelUrl && (
        <p>
          <a href={labelUrl} target="_blank" rel="noreferrer">
            {t('returns.label')}
          </a>
        </p>
      )}
      {exchangeOrderId && (
        <p>
          <a href={href(`/orders/${exchangeOrderId}`)}>{t('returns.openExchange')}</a>
        </p>
      )}
    </Section>
  );
}

const History = ({ record }: { record: Return }) => (
  <Section title={t('returns.history')}>
    <ol class="timeline">
      {[...record.statuses].reverse().map(({ status, timestamp }) => (
        <li key={`${status} ${timestamp}`}>
          <StatusBadge status={status} />
          <small>
            <DateTime at={timestamp} />
          </small>
        </li>
      ))}
    </ol>
  </Section>
);
