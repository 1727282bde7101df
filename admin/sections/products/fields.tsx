/** The fields of a product. */
import type { Product } from '@souk/client';
import { RichText } from '../../parts/blocks/rich-text.tsx';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { SelectField, TextField } from '../../parts/form/form.tsx';
import { useLoad } from '../../parts/load.ts';
import { MediaField } from '../../parts/media/picker.tsx';
import { Section } from '../../parts/page.tsx';
import { RecordField } from '../../parts/records/picker.tsx';
import { statusText } from '../../parts/show.tsx';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Blocks } from './blocks.tsx';
import type { ProductForm } from './form.ts';
import { CategoriesField, MoreFields } from './more-fields.tsx';
import { Variants } from './variants.tsx';

export const fieldNames = (): Record<keyof ProductForm, string> => ({
  name: t('products.name'),
  slug: t('products.slug'),
  description: t('products.description'),
  descriptionHtml: t('products.description'),
  category: t('products.category'),
  categoryIds: t('categories.title'),
  relatedIds: t('products.related'),
  seo: t('seo.section'),
  translations: t('seo.translations'),
  manufacturer: t('safety.manufacturer'),
  safety: t('safety.section'),
  status: t('products.status'),
  taxClassId: t('taxes.class'),
  gallery: t('products.images'),
  variants: t('products.variants'),
  blocks: t('products.blocks'),
});

type Props = {
  record: FormRecord<ProductForm>;
  /** Null for a new product. */
  product: Product | null;
  refreshStock?: () => Promise<void>;
};

export function Fields({ record, product, refreshStock }: Props) {
  const { data: categories = [] } = useLoad('categories', (signal) =>
    souk.products.listCategories({ limit: 100 }, { signal }).take(100),
  );
  return (
    <>
      <div class="columns">
        <div>
          <Section title={t('products.general')}>
            <TextField label={t('products.name')} required {...record.bind('name')} />
            <DescriptionField record={record} />
          </Section>
          <Section title={t('products.images')}>
            <MediaField label={t('products.images')} hideLabel many type="IMAGE" {...record.bind('gallery')} />
          </Section>
        </div>
        <div>
          <Section title={t('products.status')}>
            <SelectField
              label={t('products.status')}
              hideLabel
              options={['DRAFT', 'ACTIVE', 'ARCHIVED'].map((each) => [each, statusText(each)] as const)}
              {...record.bind('status', 'statuses')}
            />
            <CategoriesField record={record} />
            <TaxClass record={record} />
            <TextField label={t('products.slug')} hint={t('products.slugHint')} {...record.bind('slug')} />
            <TextField
              label={t('products.category')}
              hint={t('products.categoryHint')}
              list={categories.map(({ category }) => category).filter(Boolean)}
              {...record.bind('category')}
            />
          </Section>
          <Blocks {...record.bind('blocks')} error={record.error} />
        </div>
      </div>
      <Variants record={record} product={product} refreshStock={refreshStock} />
      <Section title={t('products.related')}>
        <RecordField
          label={t('products.relatedChosen')}
          hint={t('products.relatedHint')}
          target="PRODUCT"
          many
          {...record.bind('relatedIds')}
        />
      </Section>
      <MoreFields record={record} />
    </>
  );
}

/** Plain text until someone wants to format it. The server stores the plain text of a formatted description for search and feeds. */
function DescriptionField({ record }: Pick<Props, 'record'>) {
  const html = record.bind('descriptionHtml');
  const text = record.bind('description');
  if (html.value !== '') return <RichText label={t('products.description')} lang={undefined} {...html} />;
  return (
    <>
      <TextField label={t('products.description')} multiline {...text} />
      <button type="button" class="link small" onClick={() => html.onInput(toHtml(text.value))}>
        {t('products.format')}
      </button>
    </>
  );
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const toHtml = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${part.replaceAll(/[&<>]/g, (each) => ESCAPES[each]!).replaceAll('\n', '<br>')}</p>`)
    .join('');

/** Hidden while the business has a single class. */
function TaxClass({ record }: Pick<Props, 'record'>) {
  const classes = business.value?.configs.taxClasses ?? [];
  const { value } = record.bind('taxClassId');
  const known = new Map([['standard', t('taxes.standard')], ...classes.map(({ id, name }) => [id, name] as const)]);
  if (known.size === 1 && known.has(value)) return null;
  return (
    <SelectField
      label={t('taxes.class')}
      options={[...(known.has(value) ? [] : [[value, value] as const]), ...known]}
      {...record.bind('taxClassId')}
    />
  );
}
