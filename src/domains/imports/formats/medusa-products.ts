/**
 * Medusa's products CSV: the admin export (2.x), the import template, and the 1.x export (`Option 1 Name`, `Image 1 Url`).
 * Rows with the same handle are one product.
 * Source: docs.medusajs.com/user-guide/products/import and the admin export.
 */
import { type Conversion, type CsvFormat, isYes, type PriceMarket, type Row, rowError } from './format.ts';
import { ProductDraft, slugOfHandle, variantName } from './product-draft.ts';

const READ_COLUMNS = new Set([
  ...['product id', 'product handle', 'product title', 'product subtitle', 'product description', 'product status'],
  ...['product thumbnail', 'product type', 'product collection title', 'variant id', 'variant title', 'variant sku'],
  ...['variant inventory quantity', 'variant manage inventory', 'variant allow backorder'],
]);
const MANAGED = 'variant manage inventory';
/** `variant price eur`, or `variant price europe [eur]` for a region. */
const PRICE = /^(?:variant )?price (?:([a-z]{3})|(.+) \[([a-z]{3})\])$/;
const OPTION = /^(?:variant )?option (\d+) (?:name|value)$/;
const IMAGE = /^(?:product )?image (\d+)(?: url)?$/;
const TAG = /^product tag (\d+)(?: value)?$/;
const CATEGORY = /^product category (\d+)(?: (?:name|handle))?$/;
/** Medusa 2 exports the IDs of categories, types, collections and tags. Their names are not in the file. */
const INTERNAL_ID = /^(?:pcat|ptyp|pcol|ptag)_\w+$/;

const keyOf = (row: Row) => row.get('product handle') || row.get('product id');

/**
 * The markets of a price column: the region's market, or all markets with the currency. A business without markets gets
 * one per currency.
 */
function marketsOf(to: Conversion, column: string): PriceMarket[] {
  const [, currency, region, regionCurrency] = PRICE.exec(column) ?? [];
  if (region !== undefined)
    return to.markets.filter(
      (market) =>
        [market.id.toLowerCase(), market.name.toLowerCase()].includes(region) &&
        market.currency.toLowerCase() === regionCurrency,
    );
  if (currency === undefined) return [];
  if (to.markets.length === 0) return [{ id: currency, name: currency, currency }];
  return to.markets.filter((market) => market.currency.toLowerCase() === currency);
}

/** The price of a region is more specific than the price in a currency. */
const isRegional = (column: string) => column.endsWith(']');

export const medusaProducts: CsvFormat = {
  name: 'medusa-products',
  label: 'Medusa products',
  type: 'products',
  isRecognized: (columns) =>
    columns.has('product handle') && (columns.has('variant sku') || columns.has('variant title')),
  reads(column, to) {
    if (PRICE.test(column)) return marketsOf(to, column).length > 0;
    return READ_COLUMNS.has(column) || [OPTION, IMAGE, TAG, CATEGORY].some((pattern) => pattern.test(column));
  },
  isContinuation: (rows, row) => keyOf(row) !== '' && keyOf(row) === keyOf(rows[0]!),
  convert(rows, to) {
    const first = rows[0]!;
    if (keyOf(first) === '')
      return {
        errors: [
          rowError(first.number, 'product handle', 'REQUIRED', 'The row has no handle. Add the handle of its product.'),
        ],
      };
    const draft = new ProductDraft(first, {
      name: 'product title',
      slug: 'product handle',
      description: 'product description',
      gallery: 'product image 1 url',
      category: 'product type',
      'variants.sku': 'variant sku',
      'variants.pricing': [...first.columns()].find((column) => PRICE.test(column)) ?? '',
      'variants.inventory': 'variant inventory quantity',
    });
    const { input } = draft;
    input.slug = slugOfHandle(keyOf(first));
    if (first.hasValue('product title')) input.name = first.get('product title');
    if (first.has('product description')) draft.describe(first.get('product description'));
    draft.block('subtitle', first.get('product subtitle'));
    const names = (columns: RegExp, values: string[]) => {
      const column = [...first.columns()].find((name) => columns.test(name) && INTERNAL_ID.test(first.get(name)));
      if (column)
        draft.warn(first, column, 'NO_NAME', 'This column contains IDs instead of names, so its values were left out.');
      return values.filter((value) => !INTERNAL_ID.test(value));
    };
    draft.block('tags', names(TAG, listAt(first, TAG)).join(', '));
    draft.categorize([
      ...names(CATEGORY, categoriesOf(first)),
      ...names(/^product type$/, [first.get('product type')]),
      first.get('product collection title'),
    ]);
    if (first.hasValue('product status'))
      input.status = first.get('product status').toLowerCase() === 'published' ? 'ACTIVE' : 'DRAFT';
    draft.addImage(first.get('product thumbnail'), first, 'product thumbnail');
    for (const row of rows) {
      for (const url of listAt(row, IMAGE)) draft.addImage(url, row, 'product image 1 url');
      addVariant(draft, row, to);
    }
    return draft.finish(to, { slugColumn: 'product handle' });
  },
};

function addVariant(draft: ProductDraft, row: Row, to: Conversion): void {
  const attributes: { name: string; value: string }[] = [];
  const optionAt = (n: number, part: 'name' | 'value') => [`variant option ${n} ${part}`, `option ${n} ${part}`];
  for (let n = 1; optionAt(n, 'value').some((column) => row.has(column)); n++) {
    const value = row.get(...optionAt(n, 'value'));
    if (value !== '') attributes.push({ name: row.get(...optionAt(n, 'name')) || `Option ${n}`, value });
  }
  const columns = [...row.columns()].filter((column) => PRICE.test(column));
  const markets = [...columns.filter((column) => !isRegional(column)), ...columns.filter(isRegional)].flatMap(
    (column) => marketsOf(to, column).flatMap((market) => draft.marketPrice(row, column, null, market)),
  );
  const byMarket = [...new Map(markets.map((price) => [price.marketId, price])).values()];
  const quantity = draft.quantity(row, 'variant inventory quantity');
  const isManaged = row.hasValue(MANAGED) ? isYes(row.get(MANAGED)) : quantity !== undefined;
  const allowsBackorders = isYes(row.get('variant allow backorder'));
  if (isManaged && allowsBackorders) draft.warnBackorders(row, 'variant allow backorder');
  else if (isManaged && quantity === undefined) draft.warnUntracked(row, MANAGED);
  // Without a quantity, a product that exists here keeps its stock.
  const isUnknown = isManaged && quantity === undefined && !allowsBackorders;
  draft.addVariant(row, {
    name: row.get('variant title') || variantName(attributes),
    sku: row.get('variant sku'),
    attributes,
    pricing: { markets: byMarket },
    ...(isUnknown
      ? {}
      : {
          inventory: { tracked: isManaged && !allowsBackorders, ...(quantity === undefined ? {} : { quantity }) },
        }),
  });
}

const listAt = (row: Row, pattern: RegExp) =>
  [...row.columns()].filter((column) => pattern.test(column) && row.hasValue(column)).map((column) => row.get(column));

/** The name of each category or, without one, its handle. */
function categoriesOf(row: Row): string[] {
  const columns = [...row.columns()].filter((column) => CATEGORY.test(column) && row.hasValue(column));
  const numbers = [...new Set(columns.map((column) => CATEGORY.exec(column)![1]!))];
  return numbers.map((n) => {
    const at = `product category ${n}`;
    return row.get(`${at} name`) || row.get(at) || row.get(`${at} handle`);
  });
}
