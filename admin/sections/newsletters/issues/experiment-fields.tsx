/** The settings of an A/B test of subjects or contents. */
import type { Collection, Entry, SendInput } from '@souk/client';
import { CheckField, SelectField, TextField } from '../../../parts/form/form.tsx';
import { useLoad } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { entryName } from '../../../parts/records/sources.ts';
import { percent } from '../../../parts/show.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

export type Experiment = NonNullable<SendInput['experiment']>;
type Tracking = NonNullable<Collection['settings']['tracking']>;

const MAX_VERSIONS = 4;
const SHARES = [0.1, 0.2, 0.3, 0.5];
const MINUTES = [15, 60, 240, 1440];

type Props = {
  value: Experiment | null;
  onInput: (value: Experiment | null) => void;
  tracking: Tracking;
  entry: Entry;
  problemOf: (field: string) => string | undefined;
};

export function ExperimentFields({ value, onInput, tracking, entry, problemOf }: Props) {
  const metrics = [
    ...(tracking.clicks ? ['CLICKS' as const] : []),
    ...(tracking.opens ? ['OPENS' as const] : []),
    'MANUAL' as const,
  ];
  const subjects = [entryName(entry), ''];
  const begin = (): Experiment => ({ share: 0.2, subjects, metric: metrics[0]!, after: 14_400 });
  const test = (what: string) => {
    const { share, metric, after } = value!;
    onInput({ share, metric, after, ...(what === 'CONTENT' ? { alternatives: [''] } : { subjects }) });
  };
  const duration = (minutes: number) =>
    minutes < 60 ? t('stats.minutes', { count: minutes }) : t('stats.hours', { count: minutes / 60 });
  return (
    <>
      <CheckField
        label={t('stats.experiment')}
        hint={t('stats.experimentHint')}
        value={value !== null}
        onInput={(isOn) => onInput(isOn ? begin() : null)}
        problem={problemOf('experiment')}
      />
      {value && (
        <fieldset>
          <legend class="visually-hidden">{t('stats.experiment')}</legend>
          <SelectField
            label={t('stats.compare')}
            value={value.alternatives ? 'CONTENT' : 'SUBJECT'}
            options={[
              ['SUBJECT', t('stats.subjects')],
              ['CONTENT', t('stats.contents')],
            ]}
            onInput={test}
          />
          {value.alternatives ? (
            <Contents
              entry={entry}
              ids={value.alternatives}
              onInput={(alternatives) => onInput({ ...value, alternatives })}
              problemOf={problemOf}
            />
          ) : (
            <Subjects
              subjects={value.subjects ?? []}
              onInput={(next) => onInput({ ...value, subjects: next })}
              problemOf={problemOf}
            />
          )}
          <div class="fields">
            <SelectField
              label={t('stats.share')}
              value={String(value.share)}
              options={SHARES.map((share) => [String(share), t('stats.shareOf', { percent: percent(share * 10_000) })])}
              onInput={(share) => onInput({ ...value, share: Number(share) })}
            />
            <SelectField
              label={t('stats.metric')}
              value={value.metric}
              options={metrics.map((metric) => [metric, t(`stats.${metric}`)])}
              onInput={(metric) => onInput({ ...value, metric })}
              problem={problemOf('experiment.metric')}
            />
            <SelectField
              label={t('stats.after')}
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

type ListProps = { onInput: (values: string[]) => void; problemOf: Props['problemOf'] };

const replaced = (values: readonly string[], i: number, next: string) =>
  values.map((other, at) => (at === i ? next : other));

function Subjects({ subjects, onInput, problemOf }: ListProps & { subjects: string[] }) {
  return (
    <>
      {subjects.map((each, i) => (
        <TextField
          key={i}
          label={t('stats.subjectNumber', { number: i + 1 })}
          required
          maxLength={200}
          value={each}
          onInput={(next) => onInput(replaced(subjects, i, next))}
          problem={problemOf(`experiment.subjects[${i}]`)}
        />
      ))}
      {subjects.length < MAX_VERSIONS && (
        <button type="button" class="link" onClick={() => onInput([...subjects, ''])}>
          {t('stats.addSubject')}
        </button>
      )}
    </>
  );
}

/** Other issues of the newsletter. */
function Contents({ entry, ids, onInput, problemOf }: ListProps & { entry: Entry; ids: string[] }) {
  const collectionId = entry.owner.slice('collection:'.length);
  const issues = useLoad(`alternatives ${entry.id}`, (signal) =>
    souk.entries.list({ collectionId, limit: 50 }, { signal }).take(50),
  );
  const options = (issues.data ?? []).filter(({ id }) => id !== entry.id);
  return (
    <>
      <p class="hint">{t('stats.contentsHint')}</p>
      <Problem error={issues.error} retry={issues.reload} />
      {ids.map((each, i) => (
        <SelectField
          key={i}
          label={t('stats.versionNumber', { number: i + 2 })}
          required
          value={each}
          options={[['', t('stats.chooseIssue')], ...options.map((issue) => [issue.id, entryName(issue)] as const)]}
          onInput={(next) => onInput(replaced(ids, i, next))}
          problem={problemOf(`experiment.alternatives[${i}]`)}
        />
      ))}
      {ids.length < MAX_VERSIONS - 1 && (
        <button type="button" class="link" onClick={() => onInput([...ids, ''])}>
          {t('stats.addVersion')}
        </button>
      )}
    </>
  );
}
