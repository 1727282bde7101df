import type { Category, Media } from '@souk/client';
import { RichText } from '../../../parts/blocks/rich-text.tsx';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import {
  CollapsibleSection,
  NO_SEO,
  SeoFields,
  type SeoForm,
  toSeo,
  toSeoForm,
} from '../../../parts/editing/seo-fields.tsx';
import {
  TranslationFields,
  type TranslationForms,
  toTranslationForms,
  toTranslations,
} from '../../../parts/editing/translation-fields.tsx';
import { type FormRecord, useRecord } from '../../../parts/editing/use-record.ts';
import { SelectField, TextField } from '../../../parts/form/form.tsx';
import { forget, useLoad } from '../../../parts/load.ts';
import { MediaField } from '../../../parts/media/picker.tsx';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { deleteLater } from '../../../parts/toast.tsx';
import { navigate } from '../../../shell/router.ts';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

type Values = {
  name: string;
  slug: string;
  /** Empty at the top level. */
  parentId: string;
  description: string;
  media: Media[];
  seo: SeoForm;
  translations: TranslationForms;
};

const EMPTY: Values = { name: '', slug: '', parentId: '', description: '', media: [], seo: NO_SEO, translations: {} };

const toForm = ({ name, slug, parentId, description, media, seo, translations }: Category): Values => ({
  name,
  slug,
  parentId: parentId ?? '',
  description,
  media: media ? [media] : [],
  seo: toSeoForm(seo),
  translations: toTranslationForms(translations, (each) => each.description ?? ''),
});

function toInput({ parentId, media, seo, translations, slug, ...rest }: Partial<Values>) {
  return {
    ...rest,
    ...(slug ? { slug } : {}),
    ...(parentId === undefined ? {} : { parentId: parentId || null }),
    ...(media ? { media: media[0] ?? null } : {}),
    ...(seo ? { seo: toSeo(seo) } : {}),
    ...(translations ? { translations: toTranslations(translations, (description) => ({ description })) } : {}),
  };
}

const keyOf = (id: string) => `category ${id}`;

export default function CategoryPage({ id }: { id?: string }) {
  const version = (category: Category & { etag?: string }) => ({
    values: toForm(category),
    etag: category.etag,
    id: category.id,
  });
  const record = useRecord<Values>({
    key: id ? keyOf(id) : 'category new',
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.categories.get(id, { signal })) }
      : { initial: EMPTY }),
    save: async (changes, { ifMatch, values }) => {
      if (id) return version(await souk.categories.update(id, toInput(changes), ifMatch ? { ifMatch } : {}));
      const created = await souk.categories.create({ ...toInput(values), name: values.name });
      return { ...version(created), key: keyOf(created.id) };
    },
    saved: (saved) => {
      forget('categories');
      if (!id) navigate(`/products/categories/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
  const { values } = record;
  const remove = () => {
    navigate('/products/categories');
    deleteLater({
      name: values!.name,
      hides: id!,
      reloads: 'categories',
      run: () => souk.categories.delete(id!),
    });
  };
  return (
    <PageFrame
      title={id ? (record.base?.name ?? t('categories.title')) : t('categories.new')}
      back="/products/categories"
      actions={
        id &&
        values && (
          <button type="button" class="quiet" onClick={remove}>
            {t('parts.delete')}
          </button>
        )
      }
    >
      <RecordNotices record={record} names={names()} />
      {values ? <Fields record={record} id={id} /> : !record.error && <SkeletonRows count={4} />}
      {values && <SaveBar record={record} />}
    </PageFrame>
  );
}

const names = (): Record<keyof Values, string> => ({
  name: t('products.name'),
  slug: t('products.slug'),
  parentId: t('categories.parent'),
  description: t('products.description'),
  media: t('categories.image'),
  seo: t('seo.section'),
  translations: t('seo.translations'),
});

function Fields({ record, id }: { record: FormRecord<Values>; id: string | undefined }) {
  const values = record.values!;
  const { data = [] } = useLoad(`categories ${business.value?.id}`, (signal) =>
    souk.categories.listTree({ limit: 100 }, { signal }).take(1000),
  );
  const possible = data.filter((each) => each.id !== id && !each.ancestors.some((above) => above.id === id));
  const problemOf = (field: string) => record.problem(field);
  return (
    <>
      <div class="columns">
        <Section title={t('categories.details')}>
          <TextField label={t('products.name')} required {...record.bind('name')} />
          <RichText label={t('products.description')} lang={undefined} {...record.bind('description')} />
        </Section>
        <div>
          <Section title={t('categories.place')}>
            <SelectField
              label={t('categories.parent')}
              options={[
                ['', t('categories.topLevel')] as const,
                ...possible.map((each) => [each.id, `${'— '.repeat(each.ancestors.length)}${each.name}`] as const),
              ]}
              {...record.bind('parentId')}
            />
            <TextField label={t('products.slug')} hint={t('categories.slugHint')} {...record.bind('slug')} />
          </Section>
          <Section title={t('categories.image')}>
            <MediaField label={t('categories.image')} hideLabel type="IMAGE" {...record.bind('media')} />
          </Section>
        </div>
      </div>
      <CollapsibleSection title={t('seo.section')} hint={t('seo.hint')} isFilled={toSeo(values.seo) !== null}>
        {() => (
          <SeoFields
            {...record.bind('seo')}
            name={values.name}
            text={values.description.replaceAll(/<[^<>]*>/g, ' ').trim()}
            path={['categories', values.slug]}
            problemOf={problemOf}
          />
        )}
      </CollapsibleSection>
      <CollapsibleSection
        title={t('seo.translations')}
        hint={t('seo.translationsHint')}
        isFilled={Object.keys(values.translations).length > 0}
      >
        {() => <TranslationFields {...record.bind('translations')} original={values} problemOf={problemOf} />}
      </CollapsibleSection>
    </>
  );
}
