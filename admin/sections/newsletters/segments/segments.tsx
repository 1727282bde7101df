/** Segments: saved filters over subscribers and customers. */
import type { ListedSegment } from '@souk/client';
import { DataList } from '../../../parts/list/data-list.tsx';
import { useLoad } from '../../../parts/load.ts';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { DateOnly, number } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { NewslettersFrame } from '../frame.tsx';
import { describeFilter, type Filter, toGroup } from './filter.ts';
import { useNames } from './filter-values.tsx';

export default function Segments() {
  const create = can('SUBSCRIBER_WRITE') && (
    <a class="button" href={href('/newsletters/segments/new')}>
      {t('segments.new')}
    </a>
  );
  return (
    <NewslettersFrame part="segments" actions={create}>
      <p class="quiet">{t('segments.text')}</p>
      <DataList<ListedSegment>
        name="segments"
        label={t('segments.title')}
        load={(_query, cursor, signal) => souk.newsletters.listSegments({ limit: 50 }, { signal }).page(cursor)}
        columns={[
          { head: t('segments.name'), cell: ({ name }) => name },
          { head: t('segments.conditions'), cell: (segment) => <Summary segment={segment} />, isWide: true },
          { head: t('segments.people'), cell: (segment) => <Count segment={segment} />, isNumber: true },
          { head: t('segments.updated'), cell: ({ updatedAt }) => <DateOnly at={updatedAt} />, isWide: true },
        ]}
        rowHref={({ id }) => href(`/newsletters/segments/${id}`)}
        rowName={({ name }) => name}
        empty={<EmptyState title={t('segments.none')} text={t('segments.noneText')} action={create} />}
      />
    </NewslettersFrame>
  );
}

function Summary({ segment }: { segment: ListedSegment }) {
  const filter = segment.filter as Filter;
  return <>{describeFilter(toGroup(filter), useNames([filter]))}</>;
}

function Count({ segment: { id, etag } }: { segment: ListedSegment }) {
  const { data } = useLoad(`segment count ${id} ${etag}`, (signal) => souk.newsletters.countSegment(id, { signal }));
  return <>{data ? number(data.count) : '…'}</>;
}
