/** Chooses a segment, or everyone: `<SegmentPicker value={segmentId} onChange={setSegmentId} />`. Null means everyone. */
import { SelectField } from '../../parts/form/form.tsx';
import { useLoad } from '../../parts/load.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { describeFilter, type Filter, toGroup } from './filter.ts';
import { useNames } from './filter-values.tsx';
import { FilterCount } from './segment-count.tsx';

const MAX_SEGMENTS = 500;

type Props = { value: string | null; onChange: (segmentId: string | null) => void; problem?: string | undefined };

export function SegmentPicker({ value, onChange, problem }: Props) {
  const { data = [] } = useLoad('segments', (signal) =>
    souk.newsletters.listSegments({ limit: 100 }, { signal }).take(MAX_SEGMENTS),
  );
  const chosen = data.find(({ id }) => id === value);
  const filter = (chosen?.filter ?? null) as Filter | null;
  const names = useNames(filter ? [filter] : []);
  return (
    <div class="segment-picker">
      <SelectField
        label={t('segments.audience')}
        value={value ?? ''}
        onInput={(id) => onChange(id || null)}
        options={[['', t('segments.everyone')], ...data.map(({ id, name }) => [id, name] as const)]}
        problem={problem}
      />
      {filter && (
        <>
          <p class="hint">{describeFilter(toGroup(filter), names)}</p>
          <FilterCount filter={filter} />
        </>
      )}
    </div>
  );
}
