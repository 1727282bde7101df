/** The fields of a product. */
import type { Product } from '@souk/client';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { SelectField, TextField } from '../../parts/form/form.tsx';
import { useLoad } from '../../parts/load.ts';
import { MediaField } from '../../parts/media/picker.tsx';
import { Section } from '../../parts/page.tsx';
import { statusText } from '../../parts/show.tsx';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Blocks } from './blocks.tsx';
import type { ProductForm } from './form.ts';
import { Variants } from './variants.tsx';

export const fieldNames = (): Record<keyof ProductForm, string> => ({
  name: t('products.name'),
  slug: t('products.slug'),
  description: t('products.description'),
  category: t('products.category'),
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
            <TextField label={t('products.description')} multiline {...record.bind('description')} />
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
            <TextField
              label={t('products.category')}
              list={categories.map(({ category }) => category).filter(Boolean)}
              {...record.bind('category')}
            />
            <TaxClass record={record} />
            <TextField label={t('products.slug')} hint={t('products.slugHint')} {...record.bind('slug')} />
          </Section>
          <Blocks {...record.bind('blocks')} error={record.error} />
        </div>
      </div>
      <Variants record={record} product={product} refreshStock={refreshStock} />
    </>
  );
}

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
