/** The schema designer: name and fields of a collection, with the form that comes of them beside it. */
import type { BlockDefinition, Collection } from '@souk/client';
import { useState } from 'preact/hooks';
import { BlockField } from '../../parts/blocks/field.tsx';
import { SkeletonRows } from '../../parts/data-list.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/form.tsx';
import { forget } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { type FormRecord, RecordNotices, SaveBar, useRecord } from '../../parts/record.tsx';
import { statusText } from '../../parts/show.tsx';
import { deleteLater } from '../../parts/toast.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { locale, t } from '../../text/index.ts';
import { CheckEntries } from './check-entries.tsx';
import { SchemaDesigner } from './designer.tsx';

type Values = { name: string; slug: string; description: string; status: Status; blocks: BlockDefinition[] };
const STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
type Status = (typeof STATUSES)[number];

const EMPTY: Values = {
  name: '',
  slug: '',
  description: '',
  status: 'PUBLISHED',
  blocks: [{ id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 200 } }],
};

const toForm = (collection: Collection): Values => ({
  name: collection.name,
  slug: collection.slug,
  description: collection.description,
  status: (collection.statuses.at(-1)?.status ?? 'DRAFT') as Status,
  blocks: collection.blocks,
});

export default function CollectionPage({ collectionId: id }: { collectionId?: string }) {
  const version = (collection: Collection & { etag?: string }) => ({
    values: toForm(collection),
    etag: collection.etag,
    id: collection.id,
  });
  const record = useRecord<Values>({
    key: id ? `collection form ${id}` : 'collection new',
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.collections.get(id, { signal })) }
      : { initial: EMPTY }),
    save: async (changes, { ifMatch, values }) => {
      const { status, slug, ...rest } = id ? changes : values;
      const input = { ...rest, ...(slug ? { slug } : {}) };
      if (!id) return version(await souk.collections.create({ ...input, name: values.name, status: values.status }));
      const statuses = status === undefined ? {} : { statuses: [{ status }] };
      return version(await souk.collections.update(id, { ...input, ...statuses }, ifMatch ? { ifMatch } : {}));
    },
    saved: (saved) => {
      forget('list collections');
      if (id) forget(`collection ${id}`);
      else navigate(`/content/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
  const names = {
    name: t('content.name'),
    slug: t('content.slug'),
    description: t('content.description'),
    status: t('content.status'),
    blocks: t('content.fields'),
  };
  const { values } = record;
  return (
    <PageFrame
      title={id ? (record.base?.name ?? t('content.title')) : t('content.newCollection')}
      back={id ? `/content/${id}` : '/content'}
      actions={id && values && <Delete id={id} name={values.name} />}
    >
      <RecordNotices record={record} names={names} />
      {values ? <Fields record={record} id={id} /> : !record.error && <SkeletonRows count={5} />}
      {values && <SaveBar record={record} />}
    </PageFrame>
  );
}

function Fields({ record, id }: { record: FormRecord<Values>; id: string | undefined }) {
  const { blocks } = record.values!;
  const [trial, setTrial] = useState<Record<string, unknown>>({});
  const stored = new Set((id ? record.base?.blocks : [])?.map((block) => block.id));
  return (
    <div class="columns">
      <div>
        <Section title={t('content.about')}>
          <div class="fields">
            <TextField label={t('content.name')} required {...record.bind('name')} />
            <TextField label={t('content.slug')} hint={t('content.slugHint')} {...record.bind('slug')} />
          </div>
          <TextField label={t('content.description')} multiline rows={2} {...record.bind('description')} />
          <SelectField
            label={t('content.status')}
            hint={t('content.visibilityHint')}
            options={STATUSES.map((each) => [each, statusText(each)])}
            {...record.bind('status')}
          />
        </Section>
        <SchemaDesigner
          value={blocks}
          onInput={(next) => record.set('blocks', next)}
          stored={stored}
          problemOf={record.problem}
        />
        {id && <CheckEntries id={id} />}
      </div>
      <Section title={t('content.formPreview')} class="form-preview">
        <p class="hint">{t('content.formPreviewText')}</p>
        {blocks.map((definition) => (
          <BlockField
            key={`${definition.id} ${definition.type} ${JSON.stringify(definition.settings)}`}
            definition={definition}
            value={trial[definition.id] ?? null}
            onInput={(value) => setTrial((before) => ({ ...before, [definition.id]: value }))}
            locale={locale().slice(0, 2)}
          />
        ))}
      </Section>
    </div>
  );
}

function Delete({ id, name }: { id: string; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const run = () => {
    navigate('/content');
    deleteLater({
      name,
      hides: id,
      reloads: 'list collections',
      run: () => souk.collections.delete(id, { query: { cascade: true } }),
    });
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {t('parts.delete')}
      </button>
      {isAsking && (
        <Confirm
          title={t('content.deleteTitle')}
          text={t('content.deleteText')}
          action={t('parts.delete')}
          run={run}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}
