/**
 * Publishes a record or its draft, now or on a schedule, discards the draft, creates a preview link, and cancels scheduled changes.
 * For entries and products: `<Publishing record={entry} api={souk.entries} live="PUBLISHED" changed={reload} isChanged={…} draft={…} />`.
 */
import type { PreviewLink } from '@souk/client';
import { useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { Confirm, Dialog, DialogActions } from '../dialog.tsx';
import type { Bound } from '../form/field-frame.tsx';
import { CheckField, Form } from '../form/form.tsx';
import { DateField } from '../form/number-fields.tsx';
import { useAction } from '../load.ts';
import { Section } from '../page.tsx';
import { Problem } from '../problem.tsx';
import { dateTime, statusOf } from '../show.tsx';
import { toast } from '../toast.tsx';
import { type Planned, plannedText } from './chips.tsx';

type PublishedRecord = Planned & { id: string; statuses: { status: string }[] };

type Api = {
  publish(id: string, body?: { at?: number }): Promise<unknown>;
  discardDraft(id: string): Promise<unknown>;
  linkPreview(id: string): Promise<PreviewLink>;
  update(id: string, body?: { scheduled?: { status: string }[] | null }): Promise<unknown>;
};

type Props = {
  record: PublishedRecord;
  api: Api;
  live: string;
  /** Called when the record changed on the server. */
  changed: () => void;
  /** There are unsaved changes, which must be saved before publishing. */
  isChanged: boolean;
  /** Whether a save creates a draft. */
  draft: Bound<boolean>;
};

const HOUR = 3600;

export function Publishing({ record, api, live, changed, isChanged, draft }: Props) {
  const [dialog, setDialog] = useState<'at' | 'discard' | null>(null);
  const [link, setLink] = useState<PreviewLink | null>(null);
  const { id, hasDraft = false, scheduled = [] } = record;
  const isLive = statusOf(record.statuses) === live;
  const act = useAction(async (work: () => Promise<unknown>, text: string) => {
    await work();
    if (text) toast(text);
    changed();
  });
  const preview = useAction(async () => setLink(await api.linkPreview(id)));
  return (
    <Section title={t('publishing.title')}>
      <Problem error={act.error ?? preview.error} />
      {hasDraft && <p role="status">{t('publishing.editingDraft')}</p>}
      {isLive && !hasDraft && (
        <CheckField label={t('publishing.asDraft')} hint={t('publishing.asDraftHint')} {...draft} />
      )}
      {(hasDraft || !isLive) && (
        <>
          <div class="actions">
            <button
              type="button"
              disabled={isChanged || act.isBusy}
              onClick={() => act.run(() => api.publish(id), t('publishing.published'))}
            >
              {t('publishing.publish')}
            </button>
            <button type="button" class="quiet" disabled={isChanged} onClick={() => setDialog('at')}>
              {t('publishing.schedulePublishing')}
            </button>
          </div>
          {isChanged && <p class="hint">{t('publishing.saveFirst')}</p>}
        </>
      )}
      {scheduled.length > 0 && (
        <>
          <h3 class="planned-title">{t('publishing.upcoming')}</h3>
          <ul class="planned">
            {scheduled.map((each) => (
              <li key={each.id}>
                <span>{plannedText(each)}</span>
                <button
                  type="button"
                  class="icon"
                  aria-label={t('publishing.cancel', { name: plannedText(each) })}
                  onClick={() => {
                    const left = scheduled
                      .filter((other) => other !== each)
                      .map(({ id: kept, status }) => ({ id: kept, status }));
                    act.run(() => api.update(id, { scheduled: left }), '');
                  }}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="actions">
        {hasDraft && (
          <button type="button" class="quiet" onClick={() => setDialog('discard')}>
            {t('publishing.discard')}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => preview.run()}>
          {t('publishing.previewLink')}
        </button>
      </div>
      {dialog === 'at' && (
        <PublishAt
          close={() => setDialog(null)}
          publish={(at) => act.run(() => api.publish(id, { at }), t('publishing.scheduled'))}
        />
      )}
      {dialog === 'discard' && (
        <Confirm
          title={t('publishing.discardTitle')}
          text={t('publishing.discardText')}
          action={t('publishing.discard')}
          run={() => void act.run(() => api.discardDraft(id), '')}
          close={() => setDialog(null)}
        />
      )}
      {link && <LinkDialog link={link} close={() => setLink(null)} />}
    </Section>
  );
}

function PublishAt({ publish, close }: { publish: (at: number) => Promise<boolean>; close: () => void }) {
  const [at, setAt] = useState<number | null>(() => (Math.floor(Date.now() / 1000 / HOUR) + 1) * HOUR);
  const [isPast, setPast] = useState(false);
  const submit = async () => {
    if (at === null) return;
    if (at * 1000 <= Date.now()) return setPast(true);
    close();
    await publish(at);
  };
  return (
    <Dialog title={t('publishing.schedulePublishing')} close={close}>
      <Form submit={submit}>
        <DateField
          label={t('publishing.when')}
          hint={t('publishing.whenHint')}
          withTime
          required
          value={at}
          onInput={(next) => {
            setAt(next);
            setPast(false);
          }}
          problem={isPast ? t('publishing.past') : undefined}
        />
        <DialogActions close={close} label={t('publishing.schedule')} disabled={at === null} />
      </Form>
    </Dialog>
  );
}

function LinkDialog({ link: { siteUrl: url, expiresAt }, close }: { link: PreviewLink; close: () => void }) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast(t('publishing.copied')),
      () => {},
    );
  return (
    <Dialog title={t('publishing.previewLink')} close={close}>
      <p>{t('publishing.previewText', { time: dateTime(expiresAt) })}</p>
      <p>
        <a class="address" href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </p>
      <div class="actions end">
        <button type="button" onClick={copy}>
          {t('publishing.copy')}
        </button>
      </div>
    </Dialog>
  );
}
