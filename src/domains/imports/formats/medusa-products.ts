/**
 * Medusa's product file, as its admin exports it (2.x), as its template is, and as 1.x wrote it (`Option 1 Name`, `Image 1 Url`).
 * Rows with one handle are one product.
 * Source: docs.medusajs.com/user-guide/products/import, and the export of the admin.
 */
import { type Conversion, type CsvFormat, isYes, type PriceMarket, type Row, wrong } from './format.ts';
import { ProductDraft, slugOfHandle, variantName } from './product-draft.ts';

const TAKEN = new Set([
  ...['product id', 'product handle', 'product title', 'product subtitle', 'product description', 'product status'],
  ...['product thumbnail', 'product type', 'product collection title', 'variant id', 'variant title', 'variant sku'],
  ...['variant inventory quantity', 'variant manage inventory', 'variant allow backorder'],
]);
const PRICE = /^(?:variant )?price (?:.*\[)?([a-z]{3})\]?$/;
const OPTION = /^(?:variant )?option (\d+) (?:name|value)$/;
const PICTURE = /^(?:product )?image (\d+)(?: url)?$/;
const TAG = /^product tag (\d+)(?: value)?$/;
const CATEGORY = /^product category (\d+)(?: name)?$/;

const keyOf = (row: Row) => row.get('product handle') || row.get('product id');

/** Every market with this currency; a business without markets has one for each currency. */
const marketsOf = (to: Conversion, currency: string): PriceMarket[] =>
  to.markets.length > 0
    ? to.markets.filter((market) => market.currency.toLowerCase() === currency)
    : [{ id: currency, name: currency, currency }];

export const medusaProducts: CsvFormat = {
  name: 'medusa-products',
  label: 'Medusa products',
  type: 'products',
  recognises: (columns) =>
    columns.has('product handle') && (columns.has('variant sku') || columns.has('variant title')),
  takes(column, to) {
    const currency = PRICE.exec(column)?.[1];
    if (currency !== undefined) return marketsOf(to, currency).length > 0;
    return TAKEN.has(column) || [OPTION, PICTURE, TAG, CATEGORY].some((pattern) => pattern.test(column));
  },
  joins: (rows, row) => keyOf(row) !== '' && keyOf(row) === keyOf(rows[0]!),
  convert(rows, to) {
    const first = rows[0]!;
    if (keyOf(first) === '')
      return {
        errors: [wrong(first.number, 'product handle', 'REQUIRED', 'The row has no handle: it belongs to no product.')],
      };
    const draft = new ProductDraft(first, {
      ...{
        name: 'product title',
        slug: 'product handle',
        description: 'product description',
        gallery: 'product image 1 url',
      },
      ...{
        category: 'product type',
        'variants.sku': 'variant sku',
        'variants.inventory': 'variant inventory quantity',
      },
    });
    const { input } = draft;
    input.slug = slugOfHandle(keyOf(first));
    if (first.says('product title')) input.name = first.get('product title');
    if (first.has('product description')) draft.describe(first.get('product description'));
    draft.block('subtitle', first.get('product subtitle'));
    draft.block('tags', listAt(first, TAG).join(', '));
    draft.categorise([...listAt(first, CATEGORY), first.get('product type'), first.get('product collection title')]);
    if (first.says('product status'))
      input.status = first.get('product status').toLowerCase() === 'published' ? 'ACTIVE' : 'DRAFT';
    draft.addPicture(first.get('product thumbnail'), first, 'product thumbnail');
    for (const row of rows) {
      for (const url of listAt(row, PICTURE)) draft.addPicture(url, row, 'product image 1 url');
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
  const markets = [...row.columns()].flatMap((column) => {
    const currency = PRICE.exec(column)?.[1];
    return currency === undefined
      ? []
      : marketsOf(to, currency).flatMap((market) => draft.marketPrice(row, column, null, market));
  });
  const byMarket = [...new Map(markets.map((price) => [price.marketId, price])).values()];
  const quantity = draft.quantity(row, 'variant inventory quantity');
  const isManaged = row.says('variant manage inventory')
    ? isYes(row.get('variant manage inventory'))
    : quantity !== undefined;
  draft.addVariant(row, {
    name: row.get('variant title') || variantName(attributes),
    sku: row.get('variant sku'),
    attributes,
    pricing: { markets: byMarket },
    inventory: {
      tracked: isManaged && !isYes(row.get('variant allow backorder')),
      ...(quantity === undefined ? {} : { quantity }),
    },
  });
}

const listAt = (row: Row, pattern: RegExp) =>
  [...row.columns()].filter((column) => pattern.test(column) && row.says(column)).map((column) => row.get(column));
