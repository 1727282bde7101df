import type { Collection, Entry } from '@souk/client';
import { useState } from 'preact/hooks';
import { blocksOf, EntryFields, entryNames, useEntry } from '../../parts/blocks/entry.tsx';
import { EntrySeo } from '../../parts/blocks/entry-seo.tsx';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { SelectField } from '../../parts/form/form.tsx';
import { IsoField } from '../../parts/form/iso-fields.tsx';
import { forget, useLoad } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Publishing } from '../../parts/publishing/publishing.tsx';
import { Versions } from '../../parts/publishing/versions.tsx';
import { entryName } from '../../parts/records/sources.ts';
import { DateTime, statusOf, statusText } from '../../parts/show.tsx';
import { SitePreview } from '../../parts/site-preview.tsx';
import { deleteLater } from '../../parts/toast.tsx';
import { navigate } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Generate } from './generate.tsx';

const STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;

export default function EntryPage({ collectionId, entryId }: { collectionId: string; entryId?: string }) {
  const collection = useLoad(`collection ${collectionId}`, (signal) => souk.collections.get(collectionId, { signal }));
  if (!collection.data)
    return (
      <PageFrame title={t('content.title')} back="/content">
        <Problem error={collection.error} retry={collection.reload} />
        {!collection.error && <SkeletonRows count={5} />}
      </PageFrame>
    );
  if (collection.data.type === 'NEWSLETTER') {
    navigate(`/newsletters/${collectionId}/${entryId ?? 'new'}`, { replace: true });
    return null;
  }
  return <Editor collection={collection.data} entryId={entryId} />;
}

/** `blocks.title.de` is "Title (de)". */
function versionField(field: string, names: Record<string, string>): string {
  const [kind, id, locale] = field.split('.');
  if (kind !== 'blocks' || !id) return names[field] ?? t('content.fields');
  const name = names[`block.${id}`] ?? id;
  return locale ? `${name} (${locale})` : name;
}

function Editor({ collection, entryId }: { collection: Collection; entryId: string | undefined }) {
  const [entry, setEntry] = useState<Entry>();
  const [isGenerating, setGenerating] = useState(false);
  const [wantsDraft, setWantsDraft] = useState(false);
  const isDraft = Boolean(entry?.hasDraft) || (wantsDraft && statusOf(entry?.statuses) === 'PUBLISHED');
  const { record, problemOf } = useEntry({
    collection,
    entryId,
    created: (id) => navigate(`/content/${collection.id}/${id}`, { replace: true }),
    isDraft,
    seen: setEntry,
  });
  const { values } = record;
  const names = entryNames(collection.blocks);
  const reload = () => {
    setWantsDraft(false);
    record.reload();
    forget('versions');
    forget(`list entries ${collection.id}`);
  };
  const known = new Set(collection.blocks.map(({ id }) => id));
  const gone = entry?.blocks.filter(({ id }) => !known.has(id)).map(({ id, label }) => label || id) ?? [];
  const back = `/content/${collection.id}`;
  const remove = () => {
    navigate(back);
    deleteLater({
      name: entryName(entry!),
      hides: entry!.id,
      reloads: `list entries ${collection.id}`,
      run: () => souk.entries.delete(entry!.id),
    });
  };
  const actions = can('CONTENT_WRITE') && values && (
    <>
      {entry && (
        <button type="button" class="quiet" onClick={remove}>
          {t('parts.delete')}
        </button>
      )}
      <button type="button" class="quiet" onClick={() => setGenerating(true)}>
        {t('content.generate')}
      </button>
    </>
  );
  return (
    <PageFrame title={entryId ? (entry ? entryName(entry) : '…') : t('content.newEntry')} back={back} actions={actions}>
      <RecordNotices record={record} names={names} />
      {gone.length > 0 && (
        <div class="notice" role="status">
          <p>{t('content.removedFields', { names: gone.join(', ') })}</p>
        </div>
      )}
      {!values && !record.error && <SkeletonRows count={5} />}
      {values && (
        <div class="columns">
          <div>
            <Section title={collection.name}>
              <EntryFields record={record} definitions={collection.blocks} problemOf={problemOf} />
            </Section>
            {entryId && (
              <SitePreview
                values={{ locale: values.locale, blocks: blocksOf(collection.blocks, values) }}
                render={(draft, options) => souk.entries.previewOnSite(entryId, draft, options)}
              />
            )}
          </div>
          <div>
            <Section title={t('content.visibility')}>
              <SelectField
                label={t('content.status')}
                hint={t('content.visibilityHint')}
                options={STATUSES.map((each) => [each as string, statusText(each)] as const)}
                {...record.bind('status', 'statuses')}
              />
              <IsoField
                type="language"
                label={t('content.language')}
                hint={t('content.languageHint')}
                {...record.bind('locale')}
              />
              {entry && (
                <p class="quiet small">
                  {t('content.updated')}: <DateTime at={entry.updatedAt} />
                </p>
              )}
            </Section>
            <EntrySeo record={record} />
            {entry && can('CONTENT_WRITE') && (
              <Publishing
                record={entry}
                api={souk.entries}
                live="PUBLISHED"
                changed={reload}
                isChanged={record.isChanged}
                draft={{ value: wantsDraft, onInput: setWantsDraft }}
              />
            )}
            {entry && (
              <Versions
                id={entry.id}
                api={souk.entries}
                fieldName={(field) => versionField(field, names)}
                hasDraft={entry.hasDraft ?? false}
                restored={can('CONTENT_WRITE') ? reload : null}
              />
            )}
          </div>
        </div>
      )}
      {values && can('CONTENT_WRITE') && <SaveBar record={record} />}
      {isGenerating && (
        <Generate
          definitions={collection.blocks}
          close={() => setGenerating(false)}
          apply={(blocks) => {
            for (const { id, value } of blocks) record.set(`block.${id}`, value);
          }}
        />
      )}
    </PageFrame>
  );
}
