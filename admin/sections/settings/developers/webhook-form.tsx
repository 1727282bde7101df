import type { TestResult } from '@souk/client';
import { useState } from 'preact/hooks';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { CheckField, optional, TagsField, TextField } from '../../../parts/form/form.tsx';
import { useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { t } from '../../../text/index.ts';
import { EVENT_GROUPS } from '../event-groups.ts';

export type WebhookValues = { url: string; events: string[]; description: string; enabled: boolean };

export const webhookKey = (id: string) => `webhook ${id}`;

type Props = {
  record: FormRecord<WebhookValues>;
  /** Sends a test event to the endpoint. */
  test: (url: string) => Promise<TestResult>;
};

export function WebhookForm({ record, test }: Props) {
  const [result, setResult] = useState<TestResult | null>(null);
  const { run, isBusy, error } = useAction(async () => setResult(await test(record.values!.url)));
  const names = {
    url: t('settings.url'),
    events: t('settings.events'),
    description: t('settings.description'),
    enabled: t('settings.enabled'),
  };
  if (!record.values) return <RecordNotices record={record} />;
  return (
    <>
      <RecordNotices record={record} names={names} />
      <Section title={t('settings.webhook')}>
        <TextField label={names.url} type="url" placeholder="https://…" {...record.bind('url')} />
        <div class="actions">
          <button type="button" class="quiet" disabled={isBusy || !record.values.url} onClick={run}>
            {t('settings.sendTest')}
          </button>
          <p role="status" class="small">
            {result && <ResultText result={result} />}
          </p>
        </div>
        <Problem error={error} />
        <Events record={record} />
        <TextField label={optional(names.description)} {...record.bind('description')} maxLength={500} />
        <CheckField label={names.enabled} hint={t('settings.enabledHint')} {...record.bind('enabled')} />
      </Section>
      <SaveBar record={record} />
    </>
  );
}

const ResultText = ({ result }: { result: TestResult }) => (
  <>
    {result.success
      ? t('settings.testGood', { status: result.status ?? '', ms: result.durationMs })
      : t('settings.testBad', { reason: result.error ?? result.status ?? '' })}
  </>
);

/** Checkboxes for groups of events, and a field for single types. */
function Events({ record }: { record: FormRecord<WebhookValues> }) {
  const { events } = record.values!;
  const isAll = events.includes('*');
  const choose = (pattern: string, isChosen: boolean) =>
    record.set('events', isChosen ? [...events, pattern] : events.filter((each) => each !== pattern));
  return (
    <fieldset>
      <legend>{t('settings.events')}</legend>
      <CheckField
        label={t('settings.allEvents')}
        value={isAll}
        onInput={(isChosen) => record.set('events', isChosen ? ['*'] : [])}
      />
      {!isAll && (
        <>
          <div class="checks">
            {EVENT_GROUPS.map(([kind, text]) => (
              <CheckField
                key={kind}
                label={t(text)}
                value={events.includes(`${kind}.*`)}
                onInput={(isChosen) => choose(`${kind}.*`, isChosen)}
              />
            ))}
          </div>
          <TagsField
            label={t('settings.eventTypes')}
            hint={t('settings.eventTypesHint')}
            value={events}
            onInput={(next) => record.set('events', next)}
            problem={record.problem('events') ?? record.problem('events[0]')}
          />
        </>
      )}
    </fieldset>
  );
}
