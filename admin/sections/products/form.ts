/**
 * The form values of a product. They exclude the stock of existing variants, which only `adjust` changes, so that a save never
 * overwrites a newer stock level.
 */
import type { Block, Media, Product, ProductChanges, Variant, VariantInput } from '@souk/client';
import { NO_SEO, type SeoForm, toSeo, toSeoForm } from '../../parts/editing/seo-fields.tsx';
import { type TranslationForms, toTranslationForms, toTranslations } from '../../parts/editing/translation-fields.tsx';
import type { Version } from '../../parts/editing/use-record.ts';
import { addStatus, statusOf } from '../../parts/show.tsx';
import { business, souk } from '../../shell/session.ts';

/** `lowest`: the lowest price of the 30 days before the reduction, if the stored price is reduced. */
type Price = { price: number | null; compareAt: number | null; lowest?: number };

export type VariantForm = {
  id: string;
  isNew: boolean;
  name: string;
  sku: string;
  attributes: { name: string; value: string }[];
  /** By market ID. */
  prices: Record<string, Price>;
  tracked: boolean;
  /** Only for a new variant. */
  quantity: number | null;
  threshold: number | null;
  gallery: Media[];
  requiresShipping: boolean;
  /** In grams. */
  weight: number | null;
  barcode: string;
  hsCode: string;
  originCountry: string;
  /** The contents of the variant, for its price per kilogram or liter. */
  content: { amount: number | null; unit: Unit };
};

export type Unit = NonNullable<Variant['unitPricing']>['unit'];
export const UNITS: readonly Unit[] = ['g', 'kg', 'ml', 'cl', 'l', 'cm', 'm', 'm2', 'piece'];

export type ContactForm = { name: string; address: string; email: string; url: string };
const NO_CONTACT: ContactForm = { name: '', address: '', email: '', url: '' };

/** Null without a name. Empty details are left out. */
function toContact(form: ContactForm) {
  const filled = Object.entries(form).map(([field, text]) => [field, text.trim()] as const);
  const contact = Object.fromEntries(filled.filter(([, text]) => text !== '')) as Partial<ContactForm>;
  return Object.keys(contact).length === 0 ? null : { ...contact, name: contact.name ?? '' };
}

export type ProductForm = {
  name: string;
  slug: string;
  description: string;
  /** Empty while the description is plain text. */
  descriptionHtml: string;
  category: string;
  categoryIds: string[];
  relatedIds: string[];
  seo: SeoForm;
  translations: TranslationForms;
  manufacturer: ContactForm;
  safety: { warnings: string; responsible: ContactForm };
  status: string;
  taxClassId: string;
  gallery: Media[];
  variants: VariantForm[];
  blocks: Block[];
};

export type MarketColumn = { id: string; name: string; currency: string };

/** The markets of the business, and those with a price in a variant. */
export function marketColumns(products: readonly Pick<Product, 'variants'>[] = []): MarketColumn[] {
  const columns = new Map<string, MarketColumn>();
  for (const { id, name, currency } of business.value?.configs.markets ?? []) {
    columns.set(id.toLowerCase(), { id, name: name ?? id, currency });
  }
  const prices = products.flatMap(({ variants }) => variants.flatMap(({ pricing }) => pricing.markets));
  for (const { marketId, currency } of prices) {
    const key = marketId.toLowerCase();
    if (!columns.has(key)) columns.set(key, { id: marketId, name: marketId, currency });
  }
  return [...columns.values()];
}

const EMPTY: ProductForm = {
  name: '',
  slug: '',
  description: '',
  descriptionHtml: '',
  category: '',
  categoryIds: [],
  relatedIds: [],
  seo: NO_SEO,
  translations: {},
  manufacturer: NO_CONTACT,
  safety: { warnings: '', responsible: NO_CONTACT },
  status: 'ACTIVE',
  taxClassId: 'standard',
  gallery: [],
  variants: [],
  blocks: [],
};

export const newVariant = (id: string, name: string, like?: VariantForm): VariantForm => ({
  id,
  isNew: true,
  name,
  sku: '',
  attributes: [],
  prices: like?.prices ?? {},
  tracked: like?.tracked ?? true,
  quantity: like?.quantity ?? 0,
  threshold: like?.threshold ?? null,
  gallery: [],
  requiresShipping: like?.requiresShipping ?? true,
  weight: like?.weight ?? null,
  barcode: '',
  hsCode: like?.hsCode ?? '',
  originCountry: like?.originCountry ?? '',
  content: like?.content ?? { amount: null, unit: 'g' },
});

export const emptyProduct = (): ProductForm => ({
  ...EMPTY,
  variants: [newVariant('default', '')],
});

export const toForm = (product: Product): ProductForm => ({
  name: product.name,
  slug: product.slug,
  description: product.description,
  descriptionHtml: product.descriptionHtml ?? '',
  category: product.category,
  categoryIds: product.categoryIds,
  relatedIds: product.relatedIds,
  seo: toSeoForm(product.seo),
  translations: toTranslationForms(product.translations, (each) => each.descriptionHtml ?? each.description ?? ''),
  manufacturer: { ...NO_CONTACT, ...product.manufacturer },
  safety: {
    warnings: product.safety?.warnings ?? '',
    responsible: { ...NO_CONTACT, ...product.safety?.responsiblePerson },
  },
  status: statusOf(product.statuses),
  taxClassId: product.taxClassId,
  gallery: product.gallery,
  variants: product.variants.map(toVariantForm),
  blocks: product.blocks,
});

function toVariantForm(variant: Variant): VariantForm {
  const { id, name, sku, attributes, pricing, inventory, gallery = [], requiresShipping, weight = null } = variant;
  const { barcode = '', hsCode = '', originCountry = '' } = variant;
  return {
    id,
    isNew: false,
    name,
    sku,
    attributes,
    prices: Object.fromEntries(
      pricing.markets.map(({ marketId, price, compareAtPrice, lowestPrice30 }) => [
        marketId,
        {
          price,
          compareAt: compareAtPrice ?? null,
          ...(lowestPrice30 === undefined ? {} : { lowest: lowestPrice30 }),
        },
      ]),
    ),
    tracked: inventory.tracked,
    quantity: null,
    threshold: inventory.lowStockThreshold ?? null,
    gallery,
    requiresShipping,
    weight,
    barcode,
    hsCode,
    originCountry,
    content: { amount: variant.unitPricing?.amount ?? null, unit: variant.unitPricing?.unit ?? 'g' },
  };
}

function toVariantInput(form: VariantForm, columns: MarketColumn[]): VariantInput {
  const { id, isNew, name, sku, attributes, prices, tracked, quantity, threshold, gallery } = form;
  const { requiresShipping, weight, barcode, hsCode, originCountry } = form;
  const currencies = new Map(columns.map((column) => [column.id, column.currency]));
  const markets = Object.entries(prices).flatMap(([marketId, { price, compareAt }]) =>
    price === null
      ? []
      : [
          {
            marketId,
            currency: currencies.get(marketId) ?? 'usd',
            price,
            ...(compareAt === null ? {} : { compareAtPrice: compareAt }),
          },
        ],
  );
  return {
    id,
    name,
    sku,
    attributes,
    pricing: { markets },
    inventory: { tracked, lowStockThreshold: threshold, ...(isNew ? { quantity: quantity ?? 0 } : {}) },
    gallery,
    requiresShipping,
    weight,
    barcode: barcode.trim() || null,
    hsCode: hsCode.trim() || null,
    originCountry: originCountry || null,
    unitPricing: form.content.amount === null ? null : { amount: form.content.amount, unit: form.content.unit },
  };
}

function toSafety({ warnings, responsible }: ProductForm['safety']) {
  const responsiblePerson = toContact(responsible);
  return warnings.trim() || responsiblePerson
    ? { ...(warnings.trim() ? { warnings: warnings.trim() } : {}), ...(responsiblePerson ? { responsiblePerson } : {}) }
    : null;
}

/** `statuses`: the product's history. A new status is appended to it. */
export function toChanges(
  { status, variants, seo, translations, manufacturer, safety, descriptionHtml, ...changes }: Partial<ProductForm>,
  columns: MarketColumn[],
  statuses: Product['statuses'] = [],
): ProductChanges {
  return {
    ...changes,
    ...(descriptionHtml === undefined ? {} : { descriptionHtml: descriptionHtml || null }),
    ...(seo ? { seo: toSeo(seo) } : {}),
    ...(translations ? { translations: toTranslations(translations, (html) => ({ descriptionHtml: html })) } : {}),
    ...(manufacturer ? { manufacturer: toContact(manufacturer) } : {}),
    ...(safety ? { safety: toSafety(safety) } : {}),
    ...(status === undefined || status === statusOf(statuses) ? {} : { statuses: addStatus(statuses, status) }),
    ...(variants ? { variants: variants.map((variant) => toVariantInput(variant, columns)) } : {}),
  };
}

/** The stored product, for stock and status history. */
export type LoadedProduct = Version<ProductForm> & { product: Product };

export const productKey = (id: string) => `product ${id}`;

export async function loadProduct(id: string, signal: AbortSignal): Promise<LoadedProduct> {
  const product = await souk.products.getDraft(id, { signal });
  return { values: toForm(product), etag: product.etag, product };
}
