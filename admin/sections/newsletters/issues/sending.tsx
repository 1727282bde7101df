/** Sends test emails, sends or schedules an issue, and shows the reports. */
import type { Collection, Entry } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { CheckField, Form, TextField } from '../../../parts/form/form.tsx';
import { DateField } from '../../../parts/form/number-fields.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { dateTime } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { can, me, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { AudienceField } from './audience-field.tsx';
import { type Experiment, ExperimentFields } from './experiment-fields.tsx';
import { Sends, useSends } from './sends.tsx';

type Props = {
  entry: Entry;
  newsletter: Collection;
  etag: string | undefined;
  /** There are unsaved changes. */
  isChanged: boolean;
  published: () => void;
};

export function Sending({ entry, newsletter, etag, isChanged, published }: Props) {
  const sends = useSends(entry.id);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {can('NEWSLETTER_SEND') && (
        <Section title={t('newsletters.sending')}>
          <TestMail entryId={entry.id} />
          {isChanged && <p class="hint">{t('newsletters.saveFirst')}</p>}
          <button type="button" disabled={isChanged} onClick={() => setOpen(true)}>
            {t('newsletters.send')}
          </button>
        </Section>
      )}
      <Sends collectionId={newsletter.id} sends={sends} />
      {isOpen && (
        <SendDialog
          entry={entry}
          newsletter={newsletter}
          etag={etag}
          wasSent={(sends.data?.length ?? 0) > 0}
          close={() => setOpen(false)}
          sent={() => {
            published();
            forget(`list entries ${entry.owner.slice('collection:'.length)}`);
            sends.reload();
          }}
        />
      )}
    </>
  );
}

function TestMail({ entryId }: { entryId: string }) {
  const [email, setEmail] = useState(me.value?.email ?? '');
  const test = useAction(async () => {
    await souk.newsletters.sendTestMail(entryId, { email: email.trim() });
    toast(t('newsletters.testSent', { email: email.trim() }));
  });
  return (
    <Form submit={() => test.run()} busy={test.isBusy}>
      <TextField
        label={t('newsletters.testTo')}
        type="email"
        value={email}
        onInput={setEmail}
        problem={problemOf(test.error, 'email')}
      />
      {!problemOf(test.error, 'email') && <Problem error={test.error} />}
      <button type="submit" class="quiet">
        {t('newsletters.sendTest')}
      </button>
    </Form>
  );
}

function trackingText({ opens, clicks }: NonNullable<Collection['settings']['tracking']>): string {
  if (opens && clicks) return t('stats.trackedBoth');
  return t(opens ? 'stats.trackedOpens' : clicks ? 'stats.trackedClicks' : 'stats.untracked');
}

type SendProps = Omit<Props, 'isChanged' | 'published'> & { wasSent: boolean; close: () => void; sent: () => void };

function SendDialog({ entry, newsletter, etag, wasSent, close, sent }: SendProps) {
  const [at, setAt] = useState<number | null>(null);
  const [resend, setResend] = useState(false);
  const [segmentId, setSegment] = useState('');
  const [localTime, setLocalTime] = useState(false);
  const [experiment, setExperiment] = useState<Experiment | null>(null);
  const { tracking = {} } = newsletter.settings;
  const isPublished = entry.statuses.at(-1)?.status === 'PUBLISHED';
  const send = useAction(async () => {
    if (!isPublished) {
      const statuses = [{ status: 'PUBLISHED' as const }];
      await souk.entries.update(entry.id, { statuses }, etag ? { ifMatch: etag } : {});
    }
    const started = await souk.newsletters
      .sendEntry(entry.id, {
        ...(at === null ? {} : { scheduledAt: at, localTime }),
        ...(resend ? { resend } : {}),
        ...(segmentId ? { segmentId } : {}),
        ...(experiment ? { experiment } : {}),
      })
      .finally(sent);
    toast(
      started.status === 'SCHEDULED'
        ? t('newsletters.scheduled', { time: dateTime(started.scheduledAt) })
        : t('newsletters.started', { count: started.recipients }),
    );
    close();
  });
  return (
    <Dialog title={t('newsletters.sendTitle')} close={close}>
      <Form submit={() => send.run()} busy={send.isBusy}>
        <p>{t('newsletters.sendText')}</p>
        {can('SUBSCRIBER_READ') && (
          <AudienceField collectionId={newsletter.id} value={segmentId} onInput={setSegment} />
        )}
        {!isPublished && <p>{t('newsletters.sendPublishes')}</p>}
        <Problem error={send.error} />
        <DateField
          label={t('newsletters.sendAt')}
          hint={t('newsletters.sendAtHint')}
          withTime
          value={at}
          onInput={setAt}
          problem={problemOf(send.error, 'scheduledAt')}
        />
        {at !== null && (
          <CheckField
            label={t('stats.localTime')}
            hint={t('stats.localTimeHint')}
            value={localTime}
            onInput={setLocalTime}
          />
        )}
        <ExperimentFields
          value={experiment}
          onInput={setExperiment}
          tracking={tracking}
          entry={entry}
          problemOf={(field) => problemOf(send.error, field)}
        />
        <p class="hint">{trackingText(tracking)}</p>
        {wasSent && <CheckField label={t('newsletters.sendAgain')} value={resend} onInput={setResend} />}
        <DialogActions close={close} label={t(at === null ? 'newsletters.sendNow' : 'newsletters.sendLater')} />
      </Form>
    </Dialog>
  );
}
