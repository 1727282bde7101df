/** Addresses that don't get newsletters. */
import type { Suppression } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, optional, TextField } from '../../../parts/form/form.tsx';
import { DataList } from '../../../parts/list/data-list.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { DateOnly } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { NewslettersFrame } from '../frame.tsx';

const LIST = 'suppressions';
const REASONS = ['BOUNCE', 'COMPLAINT', 'MANUAL'] as const;

export default function Suppressions() {
  const [isAdding, setAdding] = useState(false);
  const [open, setOpen] = useState<Suppression | null>(null);
  const add = can('SUBSCRIBER_WRITE') && (
    <button type="button" onClick={() => setAdding(true)}>
      {t('suppressions.add')}
    </button>
  );
  return (
    <NewslettersFrame part="suppressions" actions={add}>
      <p class="quiet">{t('suppressions.text')}</p>
      <DataList<Suppression>
        name={LIST}
        label={t('suppressions.title')}
        search={t('newsletters.searchSubscribers')}
        filters={[
          {
            name: 'reason',
            label: t('suppressions.reason'),
            options: REASONS.map((each) => [each, t(`suppressions.${each}`)]),
          },
        ]}
        load={({ q, reason }, cursor, signal) =>
          souk.newsletters
            .listSuppressions(
              { limit: 50, ...(q ? { email: q } : {}), ...(reason ? { reason: reason as 'BOUNCE' } : {}) },
              { signal },
            )
            .page(cursor)
        }
        columns={[
          {
            head: t('newsletters.email'),
            cell: (suppression) => (
              <button type="button" class="link row-link" onClick={() => setOpen(suppression)}>
                {suppression.email}
              </button>
            ),
          },
          { head: t('suppressions.reason'), cell: ({ reason }) => t(`suppressions.${reason}`) },
          { head: t('suppressions.since'), cell: ({ createdAt }) => <DateOnly at={createdAt} />, isWide: true },
        ]}
        rowName={({ email }) => email}
        empty={<EmptyState title={t('suppressions.none')} text={t('suppressions.noneText')} />}
      />
      {isAdding && <AddDialog close={() => setAdding(false)} />}
      {open && <SuppressionDialog suppression={open} close={() => setOpen(null)} />}
    </NewslettersFrame>
  );
}

function AddDialog({ close }: { close: () => void }) {
  const [email, setEmail] = useState('');
  const [detail, setDetail] = useState('');
  const add = useAction(async () => {
    await souk.newsletters.createSuppression({ email: email.trim(), ...(detail.trim() ? { detail } : {}) });
    forget(`list ${LIST}`);
    toast(t('suppressions.added', { email: email.trim() }));
    close();
  });
  return (
    <Dialog title={t('suppressions.add')} close={close}>
      <Form submit={() => add.run()} busy={add.isBusy}>
        <Problem error={add.error} fields />
        <TextField
          label={t('newsletters.email')}
          type="email"
          required
          value={email}
          onInput={setEmail}
          problem={problemOf(add.error, 'email')}
        />
        <TextField
          label={optional(t('suppressions.note'))}
          value={detail}
          onInput={setDetail}
          problem={problemOf(add.error, 'detail')}
        />
        <div class="actions end">
          <button type="submit">{t('parts.add')}</button>
        </div>
      </Form>
    </Dialog>
  );
}

function SuppressionDialog({ suppression, close }: { suppression: Suppression; close: () => void }) {
  const { id, email, reason, detail, createdAt } = suppression;
  const remove = useAction(async () => {
    await souk.newsletters.deleteSuppression(id);
    forget(`list ${LIST}`);
    toast(t('suppressions.removed', { email }));
    close();
  });
  return (
    <Dialog title={email} close={close}>
      <dl>
        <dt>{t('suppressions.reason')}</dt>
        <dd>{t(`suppressions.${reason}`)}</dd>
        <dt>{t('suppressions.since')}</dt>
        <dd>
          <DateOnly at={createdAt} />
        </dd>
        {detail && (
          <>
            <dt>{t('suppressions.details')}</dt>
            <dd>{detail}</dd>
          </>
        )}
      </dl>
      {can('SUBSCRIBER_WRITE') && (
        <>
          <p class="quiet">{t('suppressions.removeText')}</p>
          <Problem error={remove.error} />
          <div class="actions end">
            <button type="button" class="quiet" disabled={remove.isBusy} onClick={() => remove.run()}>
              {t('suppressions.remove')}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
