/** What was sent to a webhook, each with its attempts, and sent again by a button. */
import type { WebhookDelivery } from '@souk/client';
import { useState } from 'preact/hooks';
import { DataList, EmptyState } from '../../parts/data-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { forget, useAction } from '../../parts/load.ts';
import { Problem } from '../../parts/problem.tsx';
import { DateTime, dateTime, StatusBadge, statusText } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

type Status = WebhookDelivery['status'];
const STATUSES: Status[] = ['PENDING', 'SUCCEEDED', 'FAILED'];

export function Deliveries({ webhookId }: { webhookId: string }) {
  const [opened, setOpened] = useState<WebhookDelivery | null>(null);
  const name = `deliveries ${webhookId}`;
  return (
    <>
      <DataList
        name={name}
        label={t('settings.deliveries')}
        filters={[
          {
            name: 'status',
            label: t('settings.state'),
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
          { head: t('settings.state'), cell: ({ status }) => <StatusBadge status={status} /> },
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

function DeliveryDialog({ delivery, webhookId, retried, close }: DialogProps) {
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
        <p class="quiet">{t('settings.nextAttempt', { time: dateTime(delivery.nextAttemptAt) })}</p>
      )}
      <Problem error={error} />
      {delivery.attempts.length === 0 && <p>{t('settings.noAttempts')}</p>}
      <ol aria-label={t('settings.attempts')}>
        {delivery.attempts.map(({ at, status, durationMs, error: reason, answer }) => (
          <li key={at} class="attempt">
            <p>
              <strong>{status ?? reason}</strong>
              {` · ${dateTime(at)} · ${durationMs} ms`}
            </p>
            {answer && <pre>{answer}</pre>}
          </li>
        ))}
      </ol>
      <div class="actions end">
        <button type="button" disabled={isBusy} onClick={run}>
          {t('settings.sendAgain')}
        </button>
      </div>
    </Dialog>
  );
}
