/** The columns of our own CSV files, which the files in `formats/own/` read. Pure. */

import { currentStatus } from '../../../shared/records/status-history.ts';
import type { Customer } from '../../businesses/index.ts';
import type { Product } from '../../catalog/index.ts';
import type { Collection, Entry } from '../../content/index.ts';
import { cellOf, isTextType } from '../formats/cells.ts';
import { writeMoney } from '../formats/money.ts';

const jsonCell = (value: unknown[] | undefined) => (value === undefined ? '' : JSON.stringify(value));

/** Cells with JSON. */
const PRODUCT_DETAILS = ['categoryIds', 'relatedIds', 'seo', 'translations', 'manufacturer', 'safety'] as const;
const PRODUCT_HEADER = [
  ...['id', 'slug', 'name', 'description', 'category', 'taxClassId', 'status', 'gallery', 'blocks', 'descriptionHtml'],
  ...PRODUCT_DETAILS,
];
const VARIANT_HEADER = [
  'variantId',
  'variantName',
  'sku',
  'attributes',
  'tracked',
  'quantity',
  'lowStockThreshold',
  'variantGallery',
  'requiresShipping',
  'weight',
  'barcode',
  'hsCode',
  'originCountry',
  'unitPricing',
];

export const productHeader = (markets: readonly string[]) => [
  ...PRODUCT_HEADER,
  ...VARIANT_HEADER,
  ...markets.flatMap((market) => [`price:${market}`, `currency:${market}`, `compareAtPrice:${market}`]),
];

/** One row per variant; the first row also contains the product fields. */
export function productRows(product: Product, markets: readonly string[]): string[][] {
  const { id, slug, name, description, category, taxClassId, gallery, blocks, statuses, variants } = product;
  const own = [
    name,
    description,
    category,
    taxClassId,
    currentStatus(statuses) ?? '',
    jsonCell(gallery.map(shortMedia)),
    jsonCell(blocks),
    product.descriptionHtml ?? '',
    ...PRODUCT_DETAILS.map((field) => (product[field] === undefined ? '' : JSON.stringify(product[field]))),
  ];
  const none = own.map(() => '');
  if (variants.length === 0)
    return [[id, slug, ...own, ...VARIANT_HEADER.map(() => ''), ...markets.flatMap(() => ['', '', ''])]];
  return variants.map((variant, i) => {
    const prices = new Map(variant.pricing.markets.map((price) => [price.marketId.toLowerCase(), price]));
    const { tracked, quantity, lowStockThreshold } = variant.inventory;
    return [
      ...[id, slug, ...(i === 0 ? own : none)],
      ...[variant.id, variant.name, variant.sku, jsonCell(variant.attributes), String(tracked), String(quantity)],
      ...[cellOf(lowStockThreshold), jsonCell(variant.gallery?.map(shortMedia))],
      ...[String(variant.requiresShipping), cellOf(variant.weight), variant.barcode ?? ''],
      ...[variant.hsCode ?? '', variant.originCountry ?? ''],
      variant.unitPricing ? JSON.stringify(variant.unitPricing) : '',
      ...markets.flatMap((market) => {
        const price = prices.get(market);
        if (!price) return ['', '', ''];
        const compareAt = price.compareAtPrice;
        return [
          writeMoney(price.price, price.currency),
          price.currency,
          compareAt === undefined ? '' : writeMoney(compareAt, price.currency),
        ];
      }),
    ];
  });
}

/** The fields that identify a media file, and its displayed metadata. */
const shortMedia = ({ id, url, mimeType, fileName, alt, title, focalPoint }: Product['gallery'][number]) => ({
  id,
  url,
  mimeType,
  ...(fileName ? { fileName } : {}),
  ...(alt && Object.keys(alt).length > 0 ? { alt } : {}),
  ...(title ? { title } : {}),
  ...(focalPoint ? { focalPoint } : {}),
});

const tagsCell = (tags: readonly string[]) =>
  tags.some((tag) => /[,[{"]/.test(tag) || tag !== tag.trim()) ? JSON.stringify(tags) : tags.join(', ');

export const CUSTOMER_HEADER = [
  'id',
  'email',
  'name',
  'phone',
  'addresses',
  'shippingAddress',
  'billingAddress',
  'tags',
  'note',
  'consentSource',
  'consentAt',
  'createdAt',
];

export const customerRow = ({
  id,
  email,
  name,
  phone,
  addresses,
  shippingAddress,
  billingAddress,
  tags,
  note,
  consent,
  createdAt,
}: Omit<Customer, 'hasAccount'>): string[] => [
  ...[id, email ?? '', name, phone ?? '', addresses.length > 0 ? JSON.stringify(addresses) : ''],
  ...[cellOf(shippingAddress), cellOf(billingAddress)],
  tagsCell(tags),
  ...[note, consent?.source ?? '', cellOf(consent?.at), String(createdAt)],
];

/** The people in a segment. */
export const PERSON_HEADER = ['email', 'name', 'isCustomer', 'isSuppressed'] as const;

export const SUBSCRIBER_HEADER = [
  'id',
  'newsletter',
  'email',
  'name',
  'planId',
  'status',
  'tags',
  'fields',
  'timeZone',
  'doNotTrack',
  'consentSource',
  'consentAt',
  'createdAt',
];

type ExportedSubscription = {
  id: string;
  collectionId: string;
  email: string;
  name: string;
  planId: string;
  status: string;
  tags: readonly string[];
  fields: Readonly<Record<string, string>>;
  timeZone: string | null;
  doNotTrack: boolean;
  consent: { source: string; at: number } | null;
  createdAt: number;
};

export const subscriberRow = (row: ExportedSubscription, newsletter: string): string[] => [
  ...[row.id, newsletter, row.email, row.name, row.planId, row.status, tagsCell(row.tags)],
  Object.keys(row.fields).length > 0 ? JSON.stringify(row.fields) : '',
  ...[row.timeZone ?? '', row.doNotTrack ? 'true' : ''],
  ...[row.consent?.source ?? '', cellOf(row.consent?.at), String(row.createdAt)],
];

/** With a collection, one column per block; without one, a single column for all blocks. */
export const entryHeader = (collection: Collection | null) => [
  ...['id', 'collection', 'locale', 'status', 'createdAt', 'slug', 'access', 'planIds', 'seoTitle', 'seoDescription'],
  ...(collection ? collection.blocks.map(({ id }) => `blocks.${id}`) : ['blocks']),
];

export function entryRow(entry: Entry, slug: string, collection: Collection | null): string[] {
  const values = new Map(entry.blocks.map(({ id, value }) => [id, value]));
  return [
    ...[entry.id, slug, entry.locale, currentStatus(entry.statuses) ?? '', String(entry.createdAt), entry.slug ?? ''],
    ...[
      entry.access ?? 'PUBLIC',
      entry.planIds?.join() ?? '',
      cellOf(entry.seo?.title),
      cellOf(entry.seo?.description),
    ],
    ...(collection
      ? collection.blocks.map(({ id, type }) => {
          const value = values.get(id);
          // The type of the block has changed since the value was stored. Only the cells of text types can be read without quotes.
          return typeof value === 'string' && !isTextType(type) ? JSON.stringify(value) : cellOf(value);
        })
      : [JSON.stringify(entry.blocks)]),
  ];
}
