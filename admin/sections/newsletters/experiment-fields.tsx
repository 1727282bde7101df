/** The settings of an A/B test of the subject. */
import type { Collection, SendInput } from '@souk/client';
import { CheckField, SelectField, TextField } from '../../parts/form/form.tsx';
import { percent } from '../../parts/show.tsx';
import { t } from '../../text/index.ts';

export type Experiment = NonNullable<SendInput['experiment']>;
type Tracking = NonNullable<Collection['settings']['tracking']>;

const MAX_SUBJECTS = 4;
const SHARES = [0.1, 0.2, 0.3, 0.5];
const MINUTES = [15, 60, 240, 1440];

type Props = {
  value: Experiment | null;
  onInput: (value: Experiment | null) => void;
  tracking: Tracking;
  subject: string;
  problemOf: (field: string) => string | undefined;
};

export function ExperimentFields({ value, onInput, tracking, subject, problemOf }: Props) {
  const metrics = [
    ...(tracking.clicks ? ['CLICKS' as const] : []),
    ...(tracking.opens ? ['OPENS' as const] : []),
    'MANUAL' as const,
  ];
  const begin = (): Experiment => ({ share: 0.2, subjects: [subject, ''], metric: metrics[0]!, after: 14_400 });
  const duration = (minutes: number) =>
    minutes < 60 ? t('figures.minutes', { count: minutes }) : t('figures.hours', { count: minutes / 60 });
  return (
    <>
      <CheckField
        label={t('figures.experiment')}
        hint={t('figures.experimentHint')}
        value={value !== null}
        onInput={(isOn) => onInput(isOn ? begin() : null)}
        problem={problemOf('experiment')}
      />
      {value && (
        <fieldset>
          <legend class="visually-hidden">{t('figures.experiment')}</legend>
          {value.subjects.map((each, i) => (
            <TextField
              key={i}
              label={t('figures.subjectNumber', { number: i + 1 })}
              required
              maxLength={200}
              value={each}
              onInput={(next) =>
                onInput({ ...value, subjects: value.subjects.map((other, at) => (at === i ? next : other)) })
              }
              problem={problemOf(`experiment.subjects[${i}]`)}
            />
          ))}
          {value.subjects.length < MAX_SUBJECTS && (
            <button type="button" class="link" onClick={() => onInput({ ...value, subjects: [...value.subjects, ''] })}>
              {t('figures.addSubject')}
            </button>
          )}
          <div class="fields">
            <SelectField
              label={t('figures.share')}
              value={String(value.share)}
              options={SHARES.map((share) => [
                String(share),
                t('figures.shareOf', { percent: percent(share * 10_000) }),
              ])}
              onInput={(share) => onInput({ ...value, share: Number(share) })}
            />
            <SelectField
              label={t('figures.metric')}
              value={value.metric}
              options={metrics.map((metric) => [metric, t(`figures.${metric}`)])}
              onInput={(metric) => onInput({ ...value, metric })}
              problem={problemOf('experiment.metric')}
            />
            <SelectField
              label={t('figures.after')}
              value={String(value.after)}
              options={MINUTES.map((minutes) => [String(minutes * 60), duration(minutes)])}
              onInput={(after) => onInput({ ...value, after: Number(after) })}
            />
          </div>
        </fieldset>
      )}
    </>
  );
}
