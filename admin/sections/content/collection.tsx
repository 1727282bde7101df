/** The schema designer: the fields of a collection, with a preview of the form. */
import type { BlockDefinition, Collection } from '@souk/client';
import { useState } from 'preact/hooks';
import { BlockField } from '../../parts/blocks/field.tsx';
import {
  COLLECTION_STATUSES,
  type CollectionStatus,
  DeleteCollection,
  statusOfCollection,
  useCollection,
} from '../../parts/collection.tsx';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { SelectField, TextField } from '../../parts/form/form.tsx';
import { PageFrame, Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { statusText } from '../../parts/show.tsx';
import { locale, t } from '../../text/index.ts';
import { CheckEntries } from './check-entries.tsx';
import { SchemaDesigner } from './designer.tsx';

type Values = { name: string; slug: string; description: string; status: CollectionStatus; blocks: BlockDefinition[] };

const newValues = (): Values => ({
  name: '',
  slug: '',
  description: '',
  status: 'PUBLISHED',
  blocks: [{ id: 'title', type: 'TEXT', label: t('content.titleField'), required: true, settings: { maxLength: 200 } }],
});

const toForm = (collection: Collection): Values => ({
  name: collection.name,
  slug: collection.slug,
  description: collection.description,
  status: statusOfCollection(collection),
  blocks: collection.blocks,
});

const SECTION = { section: '/content', list: 'list collections' };

export default function CollectionPage({ collectionId: id }: { collectionId?: string }) {
  const record = useCollection<Values>({
    ...SECTION,
    id,
    empty: newValues(),
    toForm,
    toInput: ({ description, blocks }) => ({ description, blocks }),
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
      actions={
        id &&
        values && (
          <DeleteCollection
            {...SECTION}
            id={id}
            name={values.name}
            title={t('content.deleteTitle')}
            text={t('content.deleteText')}
          />
        )
      }
    >
      <RecordNotices record={record} names={names} />
      {values ? <Fields record={record} id={id} /> : !record.error && <SkeletonRows count={5} />}
      {values && <SaveBar record={record} />}
    </PageFrame>
  );
}

function Fields({ record, id }: { record: FormRecord<Values>; id: string | undefined }) {
  const { blocks } = record.values!;
  const [preview, setPreview] = useState<Record<string, unknown>>({});
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
            options={COLLECTION_STATUSES.map((each) => [each, statusText(each)])}
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
            value={preview[definition.id] ?? null}
            onInput={(value) => setPreview((before) => ({ ...before, [definition.id]: value }))}
            locale={locale().slice(0, 2)}
          />
        ))}
      </Section>
    </div>
  );
}
