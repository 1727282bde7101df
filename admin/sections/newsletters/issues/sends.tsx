import type { Delivery, Send } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { Confirm, Dialog } from '../../../parts/dialog.tsx';
import { SelectField } from '../../../parts/form/form.tsx';
import { type Loaded, useAction, useLoad } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime, dateTime, number, StatusBadge, statusText } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const POLL_MS = 1000;
const MAX_SENDS = 20;
const isOpen = ({ status }: Send) => status === 'SENDING' || status === 'SCHEDULED';

/** The rest of the audience waits for the result of a test. */
const isTesting = ({ status, experiment }: Send) =>
  status === 'SENDING' && experiment !== null && experiment.winner === null && experiment.decidesAt !== null;

/** The sends of an issue. Polls every second while one is in progress. */
export function useSends(entryId: string): Loaded<Send[]> {
  const sends = useLoad(`sends ${entryId}`, (signal) =>
    souk.newsletters.listSends(entryId, { limit: MAX_SENDS }, { signal }).take(MAX_SENDS),
  );
  const hasOpenSends = sends.data?.some(isOpen) ?? false;
  useEffect(() => {
    if (!hasOpenSends) return;
    const timer = setInterval(sends.reload, POLL_MS);
    return () => clearInterval(timer);
  }, [hasOpenSends]);
  return sends;
}

export function Sends({ collectionId, sends }: { collectionId: string; sends: Loaded<Send[]> }) {
  return (
    <Section title={t('newsletters.sends')}>
      <Problem error={sends.error} retry={sends.reload} />
      {sends.data?.length === 0 && <p class="quiet">{t('newsletters.noSends')}</p>}
      {sends.data?.map((send) => (
        <Report key={send.id} collectionId={collectionId} send={send} reload={sends.reload} />
      ))}
    </Section>
  );
}

function Report({ collectionId, send, reload }: { collectionId: string; send: Send; reload: () => void }) {
  const { entryId } = send;
  const [dialog, setDialog] = useState<'cancel' | 'recipients' | null>(null);
  const cancel = useAction(async () => {
    await souk.newsletters.cancelSend(entryId, send.id);
    reload();
  });
  const done = send.sent + send.failed + send.skipped + send.unknown;
  const total = Math.max(send.total, send.recipients);
  const stats = (['sent', 'failed', 'skipped', 'unknown'] as const).filter(
    (name) => name === 'sent' || name === 'failed' || send[name] > 0,
  );
  return (
    <div class="send">
      <p class="send-head" role="status">
        <StatusBadge status={send.status} isTask /> <DateTime at={send.startedAt ?? send.scheduledAt} />
      </p>
      {send.status === 'SENDING' && (
        <>
          <progress value={done} max={Math.max(1, total)} aria-label={t('newsletters.sending')} />
          <p class="small">{t('newsletters.progress', { done: number(done), total: number(total) })}</p>
        </>
      )}
      {isTesting(send) && <p class="small">{t('stats.decides', { time: dateTime(send.experiment!.decidesAt!) })}</p>}
      {send.error && <p class="field-error">{send.error}</p>}
      <dl class="facts">
        {stats.map((name) => (
          <div key={name}>
            <dt>{t(`newsletters.${name}`)}</dt>
            <dd class="number">{number(send[name])}</dd>
          </div>
        ))}
      </dl>
      <Problem error={cancel.error} />
      <div class="actions">
        {send.startedAt !== null && (
          <a href={href(`/newsletters/${collectionId}/${entryId}/sends/${send.id}`)}>{t('stats.show')}</a>
        )}
        {send.status !== 'SCHEDULED' && (
          <button type="button" class="link" onClick={() => setDialog('recipients')}>
            {t('newsletters.showRecipients')}
          </button>
        )}
        {isOpen(send) && can('NEWSLETTER_SEND') && (
          <button type="button" class="link" onClick={() => setDialog('cancel')}>
            {t('newsletters.cancelSend')}
          </button>
        )}
      </div>
      {dialog === 'cancel' && (
        <Confirm
          title={t('newsletters.cancelTitle')}
          text={t('newsletters.cancelText')}
          action={t('newsletters.cancelSend')}
          run={() => cancel.run()}
          close={() => setDialog(null)}
        />
      )}
      {dialog === 'recipients' && <Recipients entryId={entryId} sendId={send.id} close={() => setDialog(null)} />}
    </div>
  );
}

const STATUSES = ['PENDING', 'ATTEMPTING', 'SENT', 'FAILED', 'SKIPPED', 'UNKNOWN'] as const;

function Recipients({ entryId, sendId, close }: { entryId: string; sendId: string; close: () => void }) {
  const [status, setStatus] = useState('');
  const [rows, setRows] = useState<Delivery[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const load = useAction(async (after: string | null, previous: Delivery[]) => {
    const query = { limit: 50, ...(status ? { status: status as 'SENT' } : {}) };
    const page = await souk.newsletters.listDeliveries(entryId, sendId, query).page(after);
    setRows([...previous, ...page.items]);
    setCursor(page.cursor);
  });
  useEffect(() => void load.run(null, []), [status]);
  return (
    <Dialog title={t('newsletters.recipients')} close={close} wide>
      <SelectField
        label={t('newsletters.status')}
        value={status}
        options={[['', t('parts.all')], ...STATUSES.map((each) => [each as string, statusText(each)] as const)]}
        onInput={setStatus}
      />
      <Problem error={load.error} />
      <table>
        <caption class="visually-hidden">{t('newsletters.recipients')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('newsletters.email')}</th>
            <th scope="col">{t('newsletters.status')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.subscriptionId}>
              <td>
                {row.email}
                {row.error && <p class="small quiet">{row.error}</p>}
              </td>
              <td>
                <StatusBadge status={row.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {cursor && (
        <button type="button" class="quiet" onClick={() => load.run(cursor, rows)}>
          {t('newsletters.moreRecipients')}
        </button>
      )}
    </Dialog>
  );
}
