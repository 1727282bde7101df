/** Products in our own CSV exports. Must read everything that `exports/tables.ts` writes. */

import { nameIn, textIn, valueOfCell } from '../cells.ts';
import { type Conversion, type CsvFormat, isYes, type Row, rowError } from '../format.ts';
import { ProductDraft } from '../product-draft.ts';

const MARKET = /^(price|currency|compareatprice):(.+)$/;

const PRODUCT_COLUMNS = new Set([
  ...[
    'id',
    'slug',
    'name',
    'description',
    'category',
    'taxclassid',
    'status',
    'gallery',
    'blocks',
    'variantid',
    'variantname',
    'sku',
  ],
  ...['attributes', 'tracked', 'quantity', 'lowstockthreshold', 'variantgallery'],
  ...['requiresshipping', 'weight', 'barcode', 'hscode', 'origincountry', 'unitpricing'],
  ...['descriptionhtml', 'categoryids', 'relatedids', 'seo', 'translations', 'manufacturer', 'safety'],
]);

const DETAILS = ['categoryIds', 'relatedIds', 'seo', 'translations', 'manufacturer', 'safety'] as const;

/** Parses a JSON cell. Records an error and returns undefined if it is invalid. */
function jsonAt<T>(draft: ProductDraft, row: Row, column: string): T | undefined {
  if (!row.hasValue(column)) return undefined;
  const value = valueOfCell(textIn(row, column), false);
  if (value === undefined)
    draft.errors.push(
      rowError(row.number, column, 'INVALID_JSON', `${column} is not valid JSON. Use the same format as in an export.`),
    );
  return value as T | undefined;
}

export const ownProducts: CsvFormat = {
  name: 'souk',
  label: 'Souk export',
  type: 'products',
  isRecognized: (columns) => columns.has('slug') && columns.has('name') && columns.has('variantid'),
  reads: (column) => PRODUCT_COLUMNS.has(column) || MARKET.test(column),
  isContinuation: (rows, row) => keyOf(row) !== '' && keyOf(row) === keyOf(rows[0]!),
  convert(rows, to) {
    const first = rows[0]!;
    const draft = new ProductDraft(first, {
      'variants.sku': 'sku',
      'variants.pricing': 'price',
      'variants.inventory': 'quantity',
    });
    const { input } = draft;
    for (const field of ['name', 'slug'] as const) if (first.hasValue(field)) input[field] = textIn(first, field);
    for (const field of ['description', 'category'] as const) if (first.has(field)) input[field] = textIn(first, field);
    if (first.hasValue('taxclassid')) input.taxClassId = textIn(first, 'taxclassid');
    if (first.hasValue('status')) input.status = first.get('status') as 'ACTIVE';
    const gallery = jsonAt<{ id?: string; url?: string }[]>(draft, first, 'gallery');
    if (gallery) input.gallery = gallery as never;
    if (first.hasValue('descriptionhtml')) input.descriptionHtml = textIn(first, 'descriptionhtml');
    for (const field of DETAILS) {
      const value = jsonAt<never>(draft, first, field.toLowerCase());
      if (value !== undefined) input[field] = value;
    }
    const blocks = jsonAt<never>(draft, first, 'blocks');
    if (blocks) input.blocks = blocks;
    for (const row of rows) if (row.hasValue('variantid') || row.hasValue('sku')) addVariant(draft, row, to);
    const outcome = draft.finish(to, { slugColumn: 'slug' });
    if ('record' in outcome && outcome.record.kind === 'product' && first.hasValue('id')) {
      outcome.record.data.id = first.get('id');
    }
    return outcome;
  },
};

const keyOf = (row: Row) => row.get('id') || row.get('slug');

function addVariant(draft: ProductDraft, row: Row, to: Conversion): void {
  const markets = [...row.columns()].flatMap((column) => {
    const [, field, id] = MARKET.exec(column) ?? [];
    if (field !== 'price' || !row.hasValue(column)) return [];
    const known = to.markets.find((market) => market.id.toLowerCase() === id);
    const currency = row.get(`currency:${id}`) || known?.currency;
    if (!currency) {
      draft.errors.push(
        rowError(row.number, `currency:${id}`, 'REQUIRED', `currency:${id} is required together with ${column}.`),
      );
      return [];
    }
    if (!/^[A-Za-z]{3}$/.test(currency)) {
      draft.errors.push(
        rowError(
          row.number,
          `currency:${id}`,
          'INVALID_FORMAT',
          'A currency must be a three-letter code, for example usd.',
        ),
      );
      return [];
    }
    return draft.marketPrice(row, column, `compareatprice:${id}`, { id: known?.id ?? id!, name: '', currency });
  });
  const attributes = jsonAt<never>(draft, row, 'attributes');
  const gallery = jsonAt<never>(draft, row, 'variantgallery');
  const unitPricing = jsonAt<never>(draft, row, 'unitpricing');
  const quantity = draft.quantity(row, 'quantity');
  const threshold = draft.quantity(row, 'lowstockthreshold');
  const hasInventory = row.hasValue('tracked') || quantity !== undefined || threshold !== undefined;
  draft.addVariant(row, {
    ...(row.hasValue('variantid') ? { id: nameIn(row, 'variantid') } : {}),
    ...(row.has('variantname') ? { name: textIn(row, 'variantname') } : {}),
    ...(row.has('sku') ? { sku: textIn(row, 'sku') } : {}),
    ...(attributes === undefined ? {} : { attributes }),
    ...(unitPricing === undefined ? {} : { unitPricing }),
    ...(markets.length > 0 ? { pricing: { markets } } : {}),
    ...(hasInventory
      ? {
          inventory: {
            ...(row.hasValue('tracked') ? { tracked: isYes(row.get('tracked')) } : {}),
            ...(quantity === undefined ? {} : { quantity }),
            ...(threshold === undefined ? {} : { lowStockThreshold: threshold }),
          },
        }
      : {}),
    ...(gallery === undefined ? {} : { gallery }),
    ...shippingOf(draft, row),
  });
}

function shippingOf(draft: ProductDraft, row: Row) {
  const weight = draft.quantity(row, 'weight');
  return {
    ...(row.hasValue('requiresshipping') ? { requiresShipping: isYes(row.get('requiresshipping')) } : {}),
    ...(weight === undefined ? {} : { weight }),
    ...(row.hasValue('barcode') ? { barcode: textIn(row, 'barcode') } : {}),
    ...(row.hasValue('hscode') ? { hsCode: textIn(row, 'hscode') } : {}),
    ...(row.hasValue('origincountry') ? { originCountry: textIn(row, 'origincountry') } : {}),
  };
}
