/**
 * WooCommerce's products CSV. Rows of type `variable` are products and rows of type `variation` their variants. `Parent`
 * contains the product's SKU, or its ID as `id:12`. Rows are sorted by ID, so variants need not follow their product.
 * Source: github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema.
 */
import { type Conversion, type CsvFormat, isYes, type Row, rowError, secondsOf } from '../format.ts';
import { ProductDraft, slugOfHandle, variantName } from '../product-draft.ts';
import { readShipping } from '../variant-shipping.ts';

const SALE_STARTS = 'date sale price starts';
const SALE_ENDS = 'date sale price ends';
const READ_COLUMNS = new Set([
  ...['id', 'type', 'sku', 'name', 'published', 'short description', 'description', 'regular price', 'sale price'],
  ...[SALE_STARTS, SALE_ENDS],
  ...[
    'categories',
    'tags',
    'images',
    'parent',
    'stock',
    'in stock?',
    'backorders allowed?',
    'low stock amount',
    'slug',
    'brands',
  ],
]);
const BARCODE = 'gtin, upc, ean, or isbn';
const WEIGHT = /^weight \((kg|g|lbs|oz)\)$/;
const ATTRIBUTE = /^attribute (\d+) (?:name|value\(s\))$/;

const isVariation = (row: Row) => /variation/i.test(row.get('type'));
const isVariable = (row: Row) => /variable/i.test(row.get('type'));

const parentOf = (row: Row) => row.get('parent').replace(/^id:/i, 'id:');

const namesOf = (row: Row) =>
  [row.get('sku'), row.hasValue('id') ? `id:${row.get('id')}` : ''].filter((name) => name !== '');

/** The file escapes a line break as \n, and \n as \\n. */
const withLines = (text: string) => text.replaceAll(/(\\?)\\n/g, (_, escaped: string) => (escaped ? '\\n' : '\n'));

/** Commas within a value are escaped as \, */
const withCommas = (text: string) => text.replaceAll('\\,', ',');

export const woocommerceProducts: CsvFormat = {
  name: 'woocommerce-products',
  label: 'WooCommerce products',
  type: 'products',
  isRecognized: (columns) => columns.has('regular price') && columns.has('type') && columns.has('name'),
  reads: (column) => READ_COLUMNS.has(column) || column === BARCODE || WEIGHT.test(column) || ATTRIBUTE.test(column),
  needsMarket: () => true,
  isContinuation(rows, row) {
    if (!isVariation(row)) return false;
    const parent = rows[0]!;
    return !isVariation(parent) && namesOf(parent).includes(parentOf(row));
  },
  parts: {
    ownerOf: (row) => (isVariation(row) ? parentOf(row) : null),
    namesOf: (row) => (isVariable(row) ? namesOf(row) : []),
  },
  // Cells that start like a formula are escaped with an apostrophe.
  plain: (cell) => cell.replace(/^'(?=[=+\-@])/, ''),
  convert(rows, to) {
    const first = rows[0]!;
    if (isVariation(first)) {
      return {
        errors: [
          rowError(
            first.number,
            'parent',
            'NOT_FOUND',
            'The parent product of this variation was not found. In a large file, variations must directly follow their product.',
          ),
        ],
      };
    }
    if (/^(?:grouped|external)/i.test(first.get('type'))) {
      return {
        errors: [
          rowError(
            first.number,
            'type',
            'UNSUPPORTED',
            `Products of type ${first.get('type').slice(0, 40)} are not supported.`,
          ),
        ],
      };
    }
    const draft = new ProductDraft(first, {
      name: 'name',
      slug: 'slug',
      description: 'description',
      category: 'categories',
      gallery: 'images',
      'variants.sku': 'sku',
      'variants.pricing': 'regular price',
      'variants.inventory': 'stock',
      'variants.attributes': 'attribute 1 value(s)',
      'variants.gallery': 'images',
      'variants.name': 'name',
      status: 'published',
      blocks: 'description',
    });
    const { input } = draft;
    if (first.hasValue('name')) input.name = first.get('name');
    if (first.hasValue('slug')) input.slug = slugOfHandle(first.get('slug'));
    const short = withLines(first.get('short description'));
    if (first.has('description')) draft.describe(withLines(first.get('description')) || short);
    draft.block('shortDescription', short, { variant: 'HTML' });
    draft.block('tags', withCommas(first.get('tags')));
    draft.block('vendor', withCommas(first.get('brands')));
    draft.categorize(
      first
        .get('categories')
        .split(/(?<!\\),/)
        .map((name) => withCommas(name.trim())),
    );
    if (first.hasValue('published')) input.status = isYes(first.get('published')) ? 'ACTIVE' : 'DRAFT';
    for (const url of listOf(first.get('images'))) draft.addImage(url, first, 'images');
    const variations = rows.slice(1);
    const shares = divideStock(draft, first, variations.filter(sharesStock));
    for (const row of variations.length > 0 ? variations : isVariable(first) ? [] : [first]) {
      addVariant(draft, row, first, { isVariationRow: row !== first, share: shares.get(row) }, to);
    }
    if (isVariable(first)) draft.requireVariants('type');
    const key = `woocommerce:${first.get('id') || first.get('name')}`;
    return withProductKey(draft.finish(to, { slugColumn: 'slug', key }), first);
  },
};

/** IDs must be unique in the file. */
function withProductKey(outcome: ReturnType<CsvFormat['convert']>, first: Row): ReturnType<CsvFormat['convert']> {
  if ('record' in outcome && first.hasValue('id'))
    outcome.record.keys.push({ key: `product:${first.get('id')}`, field: 'id', row: first.number });
  return outcome;
}

const sharesStock = (row: Row) => row.get('stock').toLowerCase() === 'parent';

/** Divides the product's stock among the variations that share it, so that it can't be oversold. */
function divideStock(draft: ProductDraft, product: Row, sharing: readonly Row[]): Map<Row, number> {
  const stock = sharing.length > 0 ? draft.quantity(product, 'stock') : undefined;
  if (stock === undefined) return new Map();
  draft.warn(
    product,
    'stock',
    'SHARED_STOCK',
    `${sharing.length} variations share the stock of this product. It was divided among them.`,
  );
  const [each, rest] = [Math.floor(stock / sharing.length), stock % sharing.length];
  return new Map(sharing.map((row, i) => [row, each + (i < rest ? 1 : 0)]));
}

/** `isVariationRow`: the row is a variation. `share`: its share of the product's stock. */
type Variation = { isVariationRow: boolean; share: number | undefined };

function addVariant(
  draft: ProductDraft,
  row: Row,
  parent: Row,
  { isVariationRow, share }: Variation,
  to: Conversion,
): void {
  const attributes: { name: string; value: string }[] = [];
  for (let n = 1; row.has(`attribute ${n} name`); n++) {
    const name = row.get(`attribute ${n} name`) || parent.get(`attribute ${n} name`);
    const value = withCommas(row.get(`attribute ${n} value(s)`));
    if (name !== '' && value !== '') attributes.push({ name: name.slice(0, 100), value: value.slice(0, 500) });
    if (isVariationRow && name !== '' && value === '')
      draft.warn(
        row,
        `attribute ${n} value(s)`,
        'ANY_VALUE',
        `The variation applies to any ${name.slice(0, 60)}. It was imported as one variant without that option.`,
      );
  }
  const { isOnSale, sale } = readSale(draft, row, to);
  const markets = to.market
    ? draft.marketPrice(row, isOnSale ? 'sale price' : 'regular price', isOnSale ? 'regular price' : null, to.market)
    : [];
  const quantity = sharesStock(row) ? share : draft.quantity(row, 'stock');
  const allowsBackorders = /^(?:1|yes|notify|true)$/i.test(row.get('backorders allowed?'));
  if (allowsBackorders && quantity !== undefined) draft.warnBackorders(row, 'backorders allowed?');
  const isOutOfStock = row.hasValue('in stock?') && !isYes(row.get('in stock?')) && quantity === undefined;
  const threshold = draft.quantity(row, 'low stock amount');
  const image = isVariationRow ? draft.image(listOf(row.get('images'))[0] ?? '', row, 'images') : null;
  const variant = {
    name: isVariationRow ? variantName(attributes) : '',
    sku: row.get('sku'),
    attributes,
    pricing: { markets },
    inventory: {
      tracked: (quantity !== undefined || isOutOfStock) && !allowsBackorders,
      ...(quantity !== undefined ? { quantity } : isOutOfStock ? { quantity: 0 } : {}),
      ...(threshold === undefined ? {} : { lowStockThreshold: threshold }),
    },
    ...(image === null ? {} : { gallery: [{ id: image, url: listOf(row.get('images'))[0]! }] }),
    ...shippingOf(draft, row, parent),
  };
  draft.addVariant(row, variant, sale);
}

/** A variation without a weight has the weight of its product. Virtual products are not shipped. */
function shippingOf(draft: ProductDraft, row: Row, parent: Row) {
  const column = [...row.columns()].find((name) => WEIGHT.test(name));
  const weight = column && { column, unit: WEIGHT.exec(column)![1] as 'kg' | 'g' | 'lbs' | 'oz' };
  const inherited = weight && !row.hasValue(weight.column) ? readShipping(draft, parent, { weight, barcode: '' }) : {};
  const own = readShipping(draft, row, { weight: weight || undefined, barcode: BARCODE });
  return { ...inherited, ...own, requiresShipping: !/virtual/i.test(row.get('type')) };
}

/** `isOnSale`: the sale price applies now. `sale`: a sale that starts or ends in the future, which needs both prices. */
function readSale(draft: ProductDraft, row: Row, { now, market }: Conversion) {
  const none = { isOnSale: false, sale: null };
  if (!row.hasValue('sale price')) return none;
  const starts = secondsOf(row.get(SALE_STARTS));
  // A date without a time includes the whole day.
  const ends = secondsOf(row.get(SALE_ENDS).replace(/^(\d{4}-\d\d-\d\d)$/, '$1 23:59:59'));
  if (ends !== undefined && ends < now) {
    draft.warn(row, SALE_ENDS, 'SALE_DATES', 'The sale is over. The regular price was imported.');
    return none;
  }
  const isOnSale = starts === undefined || starts <= now;
  if (isOnSale && ends === undefined) return { isOnSale, sale: null };
  const [price, regularPrice] = ['sale price', 'regular price'].map((column) =>
    market && row.hasValue(column) ? draft.price(row, row.get(column), column, market) : null,
  );
  const when = `${isOnSale ? '' : ` from ${row.get(SALE_STARTS)}`}${ends === undefined ? '' : ` until ${row.get(SALE_ENDS)}`}`;
  const column = isOnSale ? SALE_ENDS : SALE_STARTS;
  if (!market || price == null || regularPrice == null) {
    draft.warn(row, column, 'SALE_DATES', `The sale applies${when}. It was not scheduled, because a price is missing.`);
    return { isOnSale, sale: null };
  }
  draft.warn(
    row,
    column,
    'SALE_DATES',
    `The sale price ${row.get('sale price')} applies${when}. Changing the price before then cancels the schedule.`,
  );
  const dates = { startsAt: isOnSale ? null : starts, endsAt: ends === undefined ? null : ends + 1 };
  return { isOnSale, sale: { marketId: market.id, price, regularPrice, ...dates } };
}

/** URLs can contain commas. */
const listOf = (text: string) =>
  text
    .split(/,\s*(?=https?:|\/)/i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
