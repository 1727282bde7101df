/** A segment: its conditions with a live count, and its people. */
import type { Segment, SegmentInput, SegmentPerson } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { Download } from '../../../parts/download.tsx';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { TextField } from '../../../parts/form/form.tsx';
import { DataList, rowsOf } from '../../../parts/list/data-list.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { EmptyState, SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { navigate } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { emptyFilter, type Filter } from './filter.ts';
import { FilterEditor } from './filter-editor.tsx';
import { FilterCount } from './segment-count.tsx';

type Values = { name: string; filter: Filter };
const keyOf = (id: string) => `segment ${id}`;

export default function SegmentPage({ id }: { id?: string }) {
  const version = (segment: Segment & { etag?: string }) => ({
    values: { name: segment.name, filter: segment.filter as Filter },
    etag: segment.etag,
    id: segment.id,
  });
  const record = useRecord<Values>({
    key: id ? keyOf(id) : 'segment new',
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.newsletters.getSegment(id, { signal })) }
      : { initial: { name: '', filter: emptyFilter() } }),
    save: async (changes, { ifMatch, values }) => {
      if (id) {
        const body = changes as Partial<SegmentInput>;
        return version(await souk.newsletters.updateSegment(id, body, ifMatch ? { ifMatch } : {}));
      }
      const created = await souk.newsletters.createSegment(values as SegmentInput);
      return { ...version(created), key: keyOf(created.id) };
    },
    saved: (saved) => {
      forget('list segment');
      forget('segments');
      if (!id) navigate(`/newsletters/segments/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
  const { values } = record;
  const isMine = can('SUBSCRIBER_WRITE');
  return (
    <PageFrame
      title={id ? (record.base?.name ?? t('segments.title')) : t('segments.new')}
      back="/newsletters/segments"
      actions={id && values && isMine && <Delete id={id} name={values.name} />}
    >
      <RecordNotices record={record} names={{ name: t('segments.name'), filter: t('segments.conditions') }} />
      {!values && !record.error && <SkeletonRows count={5} />}
      {values && (
        <Section title={t('segments.conditions')}>
          <TextField label={t('segments.name')} required disabled={!isMine} {...record.bind('name')} />
          <FilterEditor
            value={values.filter}
            onChange={(filter) => record.set('filter', filter)}
            problemOf={record.problem}
            disabled={!isMine}
          />
          <FilterCount filter={values.filter} />
        </Section>
      )}
      {id && values && <People id={id} />}
      {values && isMine && <SaveBar record={record} />}
    </PageFrame>
  );
}

type Row = SegmentPerson & { id: string };

function People({ id }: { id: string }) {
  return (
    <Section
      title={t('segments.people')}
      actions={
        can('SUBSCRIBER_WRITE') && (
          <Download
            label={t('segments.export')}
            load={() => souk.imports.exportRecords({ type: 'subscribers', segmentId: id })}
          />
        )
      }
    >
      <DataList<Row>
        name={`segment ${id}`}
        label={t('segments.people')}
        load={async (_query, cursor, signal) =>
          rowsOf(await souk.newsletters.listSegmentPeople(id, { limit: 50 }, { signal }).page(cursor), (person) => ({
            ...person,
            id: person.email,
          }))
        }
        columns={[
          { head: t('newsletters.email'), cell: ({ email }) => email },
          { head: t('newsletters.personName'), cell: ({ name }) => name, isWide: true },
          {
            head: t('newsletters.status'),
            cell: ({ isCustomer, isSuppressed }) => (
              <>
                {isCustomer && <span class="badge">{t('segments.customerBadge')}</span>}{' '}
                {isSuppressed && <span class="badge bad">{t('segments.suppressed')}</span>}
              </>
            ),
          },
        ]}
        rowName={({ email }) => email}
        empty={<EmptyState title={t('segments.noPeople')} text="" />}
      />
    </Section>
  );
}

/** Deletes immediately, because a segment that a send uses can't be deleted. */
function Delete({ id, name }: { id: string; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(async () => {
    await souk.newsletters.deleteSegment(id);
    forget('list segments');
    forget('segments');
    toast(t('parts.deleted', { name }));
    navigate('/newsletters/segments');
  });
  return (
    <>
      <Problem error={remove.error} />
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {t('parts.delete')}
      </button>
      {isAsking && (
        <Confirm
          title={t('segments.deleteTitle')}
          text={t('segments.deleteText')}
          run={() => void remove.run()}
          action={t('parts.delete')}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}
