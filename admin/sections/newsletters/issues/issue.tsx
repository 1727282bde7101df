import type { Collection, Entry } from '@souk/client';
import { useState } from 'preact/hooks';
import { blocksOf, EntryFields, entryNames, useEntry } from '../../../parts/blocks/entry.tsx';
import { EntrySeo } from '../../../parts/blocks/entry-seo.tsx';
import { FreePart } from '../../../parts/blocks/rich-text.tsx';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import { SelectField } from '../../../parts/form/form.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { entryName } from '../../../parts/records/sources.ts';
import { statusText } from '../../../parts/show.tsx';
import { SitePreview } from '../../../parts/site-preview.tsx';
import { deleteLater, toast } from '../../../parts/toast.tsx';
import { navigate } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { Access } from '../access.tsx';
import { useNewsletter } from '../frame.tsx';
import { Hints } from './hints.tsx';
import { Preview } from './preview.tsx';
import { Sending } from './sending.tsx';

const STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;

export default function IssuePage({ id, entryId }: { id: string; entryId?: string }) {
  const newsletter = useNewsletter(id);
  if (!newsletter.data)
    return (
      <PageFrame title={t('newsletters.title')} back={`/newsletters/${id}`}>
        <Problem error={newsletter.error} retry={newsletter.reload} />
        {!newsletter.error && <SkeletonRows count={5} />}
      </PageFrame>
    );
  return <Issue newsletter={newsletter.data} entryId={entryId} />;
}

function Issue({ newsletter, entryId }: { newsletter: Collection; entryId: string | undefined }) {
  const [entry, setEntry] = useState<Entry>();
  const back = `/newsletters/${newsletter.id}`;
  const { record, problemOf } = useEntry({
    collection: newsletter,
    entryId,
    created: (id) => navigate(`${back}/${id}`, { replace: true }),
    seen: setEntry,
  });
  const { values } = record;
  const remove = () => {
    navigate(back);
    deleteLater({
      name: entryName(entry!),
      hides: entry!.id,
      reloads: `list entries ${newsletter.id}`,
      run: () => souk.entries.delete(entry!.id),
    });
  };
  const duplicate = useAction(async () => {
    const { locale, blocks, access = 'PUBLIC', planIds = [] } = entry!;
    const rights = access === 'PUBLIC' ? {} : { access, ...(access === 'PLANS' ? { planIds } : {}) };
    const statuses = [{ status: 'DRAFT' as const }];
    const copy = await souk.entries.create({ collectionId: newsletter.id, locale, blocks, statuses, ...rights });
    forget(`list entries ${newsletter.id}`);
    toast(t('newsletters.duplicated'));
    navigate(`${back}/${copy.id}`);
  });
  const actions = entry && can('CONTENT_WRITE') && (
    <>
      <button
        type="button"
        class="quiet"
        disabled={duplicate.isBusy || record.isChanged}
        onClick={() => duplicate.run()}
      >
        {t('newsletters.duplicate')}
      </button>
      <button type="button" class="quiet" onClick={remove}>
        {t('parts.delete')}
      </button>
    </>
  );
  return (
    <PageFrame
      title={entryId ? (entry ? entryName(entry) : '…') : t('newsletters.newIssue')}
      back={back}
      actions={actions}
    >
      <RecordNotices record={record} names={entryNames(newsletter.blocks)} />
      <Problem error={duplicate.error} />
      {!values && !record.error && <SkeletonRows count={5} />}
      {values && (
        <div class="columns issue">
          <div>
            <Section title={newsletter.name}>
              <FreePart.Provider value={true}>
                <EntryFields record={record} definitions={newsletter.blocks} problemOf={problemOf} />
              </FreePart.Provider>
              <Variables />
            </Section>
            <Preview entryId={entryId} blocks={blocksOf(newsletter.blocks, values)} />
            {entryId && (
              <SitePreview
                values={{ locale: values.locale, blocks: blocksOf(newsletter.blocks, values) }}
                isGated={entry?.access !== undefined && entry.access !== 'PUBLIC'}
                render={(draft, options) => souk.entries.previewOnSite(entryId, draft, options)}
              />
            )}
          </div>
          <div>
            <Section title={t('newsletters.visibility')}>
              <SelectField
                label={t('newsletters.status')}
                options={STATUSES.map((each) => [each as string, statusText(each)] as const)}
                {...record.bind('status', 'statuses')}
              />
              <Access record={record} plans={newsletter.plans} />
            </Section>
            <EntrySeo record={record} />
            <Hints entryId={entryId} blocks={blocksOf(newsletter.blocks, values)} />
            {entry && entryId && (
              <Sending
                entry={entry}
                newsletter={newsletter}
                etag={record.etag}
                isChanged={record.isChanged}
                published={() => void record.reload()}
              />
            )}
          </div>
        </div>
      )}
      {values && can('CONTENT_WRITE') && <SaveBar record={record} />}
    </PageFrame>
  );
}

function Variables() {
  const list = useLoad('variables', (signal) => souk.newsletters.variables('NEWSLETTER', { signal }));
  return (
    <details>
      <summary>{t('newsletters.variables')}</summary>
      <p class="hint">{t('newsletters.variablesText')}</p>
      <dl class="facts">
        {list.data?.variables.map(({ name, description }) => (
          <div key={name}>
            <dt>
              <code>{`{{${name}}}`}</code>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
