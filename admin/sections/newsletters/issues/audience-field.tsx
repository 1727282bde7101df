/** The recipients of an issue: everyone, or the subscribers in a segment. Requires SUBSCRIBER_READ. */
import type { SegmentInput } from '@souk/client';
import { SelectField } from '../../../parts/form/form.tsx';
import { useLoad } from '../../../parts/load.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const MAX_SEGMENTS = 100;

type Props = { collectionId: string; value: string; onInput: (segmentId: string) => void };

export function AudienceField({ collectionId, value, onInput }: Props) {
  const segments = useLoad('segments', (signal) =>
    souk.newsletters.listSegments({ limit: MAX_SEGMENTS }, { signal }).take(MAX_SEGMENTS),
  );
  const chosen = segments.data?.find(({ id }) => id === value);
  const newsletter = { field: 'subscriber.newsletter', op: 'is', value: collectionId };
  const filter = { all: [newsletter, ...(chosen ? [chosen.filter] : [])] } as SegmentInput['filter'];
  const reach = useLoad(`reach ${collectionId} ${value}`, (signal) =>
    souk.newsletters.countPeople({ filter }, { signal }),
  );
  const hint = reach.data ? t('stats.reach', { count: reach.data.count }) : '…';
  return (
    <SelectField
      label={t('stats.segment')}
      hint={hint}
      value={value}
      options={[['', t('stats.everyone')], ...(segments.data ?? []).map(({ id, name }) => [id, name] as const)]}
      onInput={onInput}
    />
  );
}
