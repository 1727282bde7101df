/** The deliveries of a webhook, with their attempts and a retry button. */
import type { WebhookDelivery } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { DataList } from '../../../parts/list/data-list.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime, exactTime, StatusBadge, statusText } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

type Status = WebhookDelivery['status'];
const POLL_MS = 3000;
const STATUSES: Status[] = ['PENDING', 'SUCCEEDED', 'FAILED'];

export function Deliveries({ webhookId }: { webhookId: string }) {
  const [opened, setOpened] = useState<WebhookDelivery | null>(null);
  const name = `deliveries ${webhookId}`;
  // Attempts emit no events, so the list is polled while the page is open.
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && forget(`list ${name}`), POLL_MS);
    return () => clearInterval(timer);
  }, [name]);
  return (
    <>
      <DataList
        name={name}
        label={t('settings.deliveries')}
        filters={[
          {
            name: 'status',
            label: t('settings.status'),
            options: STATUSES.map((each) => [each, statusText(each)] as const),
          },
        ]}
        load={({ status }, cursor, signal) =>
          souk.webhooks
            .listDeliveries(webhookId, { limit: 50, ...(status ? { status: status as Status } : {}) }, { signal })
            .page(cursor)
        }
        rowName={({ type }) => type}
        columns={[
          {
            head: t('settings.event'),
            cell: (delivery) => (
              <>
                <button type="button" class="link" onClick={() => setOpened(delivery)}>
                  {delivery.type}
                </button>
                <small>{delivery.entity}</small>
              </>
            ),
          },
          { head: t('settings.when'), cell: ({ createdAt }) => <DateTime at={createdAt} />, isWide: true },
          { head: t('settings.attempts'), cell: ({ attempts }) => attempts.length, isNumber: true, isWide: true },
          {
            head: t('settings.status'),
            cell: ({ status, nextAttemptAt }) => (
              <>
                <StatusBadge status={status} />
                {nextAttemptAt !== null && (
                  <small class="next-attempt">{t('settings.nextAttempt', { time: exactTime(nextAttemptAt) })}</small>
                )}
              </>
            ),
          },
        ]}
        empty={<EmptyState title={t('settings.noDeliveries')} text={t('settings.noDeliveriesText')} />}
      >
        <button type="button" class="quiet" onClick={() => forget(`list ${name}`)}>
          {t('settings.reload')}
        </button>
      </DataList>
      {opened && (
        <DeliveryDialog
          delivery={opened}
          webhookId={webhookId}
          retried={() => forget(`list ${name}`)}
          close={() => setOpened(null)}
        />
      )}
    </>
  );
}

type DialogProps = { delivery: WebhookDelivery; webhookId: string; retried: () => void; close: () => void };

/** The event that was sent; null if it is no longer stored. */
const usePayload = (id: string) =>
  useLoad(`payload ${id}`, async (signal) => {
    const before = id.replace(/\d{1,20}$/, (position) => String(Number(position) - 1));
    const { items } = await souk.events.list({ after: before, limit: 1 }, { signal }).page();
    return items[0]?.id === id ? items[0] : null;
  });

function DeliveryDialog({ delivery, webhookId, retried, close }: DialogProps) {
  const { data: payload } = usePayload(delivery.id);
  const { run, isBusy, error } = useAction(async () => {
    await souk.webhooks.retryDelivery(webhookId, delivery.id);
    toast(t('settings.retried'));
    retried();
    close();
  });
  return (
    <Dialog title={delivery.type} close={close} wide>
      <p class="breaks">
        <StatusBadge status={delivery.status} /> {delivery.entity}
      </p>
      {delivery.nextAttemptAt !== null && (
        <p class="quiet">{t('settings.nextAttempt', { time: exactTime(delivery.nextAttemptAt) })}</p>
      )}
      <Problem error={error} />
      {delivery.attempts.length === 0 && <p>{t('settings.noAttempts')}</p>}
      <ol aria-label={t('settings.attempts')}>
        {delivery.attempts.map(({ at, status, durationMs, error: reason, answer }) => (
          <li key={at} class="attempt">
            <p>
              <strong>{status ?? reason}</strong>
              {` · ${exactTime(at)} · ${durationMs} ms`}
            </p>
            {answer && <pre>{answer}</pre>}
          </li>
        ))}
      </ol>
      <h3>{t('settings.payload')}</h3>
      {payload === null && <p class="quiet">{t('settings.noPayload')}</p>}
      {payload && <pre>{JSON.stringify(payload, null, 2)}</pre>}
      <div class="actions end">
        <button type="button" disabled={isBusy} onClick={run}>
          {t('settings.retryDelivery')}
        </button>
      </div>
    </Dialog>
  );
}
