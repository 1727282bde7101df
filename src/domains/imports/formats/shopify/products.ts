/**
 * Shopify's products CSV, with the current or the previous header. Rows with the same handle are one product: the first
 * has the product fields, each row with an option or a SKU is a variant, and any row can add an image.
 * Source: help.shopify.com/en/manual/products/import-export/using-csv, "Product CSV file columns".
 */
import { type Conversion, type CsvFormat, isYes, type PriceMarket, type Row, rowError } from '../format.ts';
import { ProductDraft, slugOfHandle, variantName } from '../product-draft.ts';
import { readShipping } from '../variant-shipping.ts';

type Names = {
  handle: string;
  title: string;
  description: string;
  category: string;
  published: string;
  sku: string;
  price: string;
  compareAt: string;
  quantity: string;
  tracker: string;
  policy: string;
  image: string;
  imageAlt: string;
  variantImage: string;
  grams: string;
  requiresShipping: string;
  barcode: string;
};

const NEW: Names = {
  handle: 'url handle',
  title: 'title',
  description: 'description',
  category: 'product category',
  published: 'published on online store',
  sku: 'sku',
  price: 'price',
  compareAt: 'compare-at price',
  quantity: 'inventory quantity',
  tracker: 'inventory tracker',
  policy: 'continue selling when out of stock',
  image: 'product image url',
  imageAlt: 'image alt text',
  variantImage: 'variant image url',
  grams: 'weight value (grams)',
  requiresShipping: 'requires shipping',
  barcode: 'barcode',
};

const OLD: Names = {
  handle: 'handle',
  title: 'title',
  description: 'body (html)',
  category: 'product category',
  published: 'published',
  sku: 'variant sku',
  price: 'variant price',
  compareAt: 'variant compare at price',
  quantity: 'variant inventory qty',
  tracker: 'variant inventory tracker',
  policy: 'variant inventory policy',
  image: 'image src',
  imageAlt: 'image alt text',
  variantImage: 'variant image',
  grams: 'variant grams',
  requiresShipping: 'variant requires shipping',
  barcode: 'variant barcode',
};

/** In both headers. */
const COMMON = ['vendor', 'type', 'tags', 'status', 'seo title', 'seo description'];
/** From the inventory file, which some merchants merge into the products file. */
const [HS_CODE, ORIGIN] = ['hs code', 'coo'];
/** Weights are in grams. The unit is only for display. */
const DISPLAY_UNITS = ['weight unit for display', 'variant weight unit'];
const POSITION = 'image position';
const OPTION = /^option[123] (?:name|value)$/;
/** `price / europe`, `compare-at price / europe`; in the previous header, `compare at price / europe`. */
const MARKET_PRICE = /^(compare[- ]at )?price \/ (.+)$/;

const namesOf = (row: Row) => (row.has(NEW.handle) ? NEW : OLD);

const findMarket = (to: Conversion, name: string): PriceMarket | undefined =>
  to.markets.find((market) => market.id.toLowerCase() === name || market.name.toLowerCase() === name);

export const shopifyProducts: CsvFormat = {
  name: 'shopify-products',
  label: 'Shopify products',
  type: 'products',
  isRecognized: (columns) =>
    (columns.has(NEW.handle) && columns.has('title')) || (columns.has('handle') && columns.has('option1 value')),
  reads(column, to) {
    const market = MARKET_PRICE.exec(column)?.[2];
    if (market !== undefined) return findMarket(to, market) !== undefined;
    const known = [
      ...Object.values(NEW),
      ...Object.values(OLD),
      ...COMMON,
      POSITION,
      HS_CODE,
      ORIGIN,
      ...DISPLAY_UNITS,
    ];
    return known.includes(column) || OPTION.test(column);
  },
  needsMarket: (columns) => columns.has(NEW.price) || columns.has(OLD.price),
  isContinuation(rows, row) {
    const { handle } = namesOf(row);
    return row.get(handle) === rows[0]!.get(handle);
  },
  convert(rows, to) {
    const first = rows[0]!;
    const names = namesOf(first);
    const handle = first.get(names.handle);
    if (handle === '') {
      return {
        errors: rows.map(({ number }) =>
          rowError(number, names.handle, 'REQUIRED', 'The row has no handle. Add the handle of its product.'),
        ),
      };
    }
    const draft = new ProductDraft(first, {
      name: names.title,
      slug: names.handle,
      description: names.description,
      category: 'type',
      blocks: names.description,
      'variants.sku': names.sku,
      'variants.pricing': names.price,
      'variants.inventory': names.quantity,
      gallery: names.image,
      status: 'status',
      'variants.attributes': 'option1 value',
    });
    draft.input.slug = slugOfHandle(handle);
    if (first.hasValue(names.title)) draft.input.name = first.get(names.title);
    if (first.has(names.description)) draft.describe(first.get(names.description));
    draft.categorize([first.get('type'), first.get(names.category)]);
    const status = statusOf(first, names);
    if (first.get('status').toLowerCase() === 'unlisted')
      draft.warn(first, 'status', 'UNLISTED', "Products can't be unlisted. This one was saved as a draft.");
    if (status) draft.input.status = status;
    draft.block('vendor', first.get('vendor'));
    draft.block('tags', first.get('tags'));
    draft.block('seoTitle', first.get('seo title'));
    draft.block('seoDescription', first.get('seo description'));
    const optionNames = [1, 2, 3].map((n) => first.get(`option${n} name`));
    for (const row of inPosition(rows)) {
      draft.addImage(row.get(names.image), row, names.image, row.get(names.imageAlt));
    }
    for (const row of rows) if (isVariant(row, names)) addVariant(draft, row, names, optionNames, to);
    if (first.has(names.price)) draft.requireVariants(names.title);
    return draft.finish(to, { slugColumn: names.handle });
  },
};

/** Sorts images by their position; images without one come last. */
const inPosition = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => Number(a.get(POSITION) || 1e9) - Number(b.get(POSITION) || 1e9) || 0);

/** A row with neither option, SKU nor price only adds an image. */
const isVariant = (row: Row, names: Names) =>
  row.hasValue('option1 value') || row.hasValue(names.sku) || row.hasValue(names.price);

function addVariant(draft: ProductDraft, row: Row, names: Names, optionNames: string[], to: Conversion): void {
  const options = [1, 2, 3].flatMap((n) => {
    const value = row.get(`option${n} value`);
    const name = optionNames[n - 1] || `Option ${n}`;
    return value === '' ? [] : [{ name, value }];
  });
  // Shopify's placeholder for a product without options.
  const isPlaceholder = options.length === 1 && options[0]!.name === 'Title' && options[0]!.value === 'Default Title';
  const attributes = isPlaceholder ? [] : options;
  const markets = [...(to.market ? draft.marketPrice(row, names.price, names.compareAt, to.market) : [])];
  for (const column of row.columns()) {
    const [, compareAt, name] = MARKET_PRICE.exec(column) ?? [];
    const market = name === undefined || compareAt !== undefined ? undefined : findMarket(to, name);
    if (!market) continue;
    const compareColumn = ['compare-at', 'compare at']
      .map((words) => `${words} ${column}`)
      .find((each) => row.has(each));
    const marketPrices = draft.marketPrice(row, column, compareColumn ?? null, market);
    if (marketPrices.length > 0)
      markets.splice(0, markets.length, ...markets.filter(({ marketId }) => marketId !== market.id), ...marketPrices);
  }
  const quantity = draft.quantity(row, names.quantity);
  const allowsBackorders = /^(?:continue|true|yes)$/i.test(row.get(names.policy));
  const tracked =
    quantity !== undefined && !allowsBackorders && (row.hasValue(names.tracker) || !row.has(names.tracker));
  // Without a quantity, a product that exists here keeps its stock.
  const isUnknown = quantity === undefined && row.hasValue(names.tracker) && !allowsBackorders;
  const isTrackedInShopify = row.hasValue(names.tracker);
  if (allowsBackorders && isTrackedInShopify) draft.warnBackorders(row, names.policy);
  else if (isTrackedInShopify && quantity === undefined) draft.warnUntracked(row, names.tracker);
  const image = draft.image(row.get(names.variantImage), row, names.variantImage);
  draft.addVariant(row, {
    name: variantName(attributes),
    sku: row.get(names.sku),
    attributes,
    pricing: { markets },
    ...(isUnknown ? {} : { inventory: { tracked, ...(quantity === undefined ? {} : { quantity }) } }),
    ...(image === null ? {} : { gallery: [{ id: image, url: row.get(names.variantImage) }] }),
    ...readShipping(draft, row, {
      weight: { column: names.grams, unit: 'g' },
      requiresShipping: names.requiresShipping,
      barcode: names.barcode,
      hsCode: HS_CODE,
      originCountry: ORIGIN,
    }),
  });
}

function statusOf(row: Row, names: Names): 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | undefined {
  const status = row.get('status').toLowerCase();
  if (status === 'archived') return 'ARCHIVED';
  if (status === 'draft' || status === 'unlisted') return 'DRAFT';
  if (row.hasValue(names.published) && !isYes(row.get(names.published))) return 'DRAFT';
  return status === 'active' || row.hasValue(names.published) ? 'ACTIVE' : undefined;
}
