/**
 * WooCommerce's product file. A row of type `variable` is a product, rows of type `variation` are its variants: `Parent` names its
 * SKU or, as `id:12`, its ID. They stand in the order of their IDs, so that variants need not follow their product.
 * Source: github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema.
 */
import { type Conversion, type CsvFormat, isYes, type Row, wrong } from './format.ts';
import { ProductDraft, slugOfHandle, variantName } from './product-draft.ts';

const TAKEN = new Set([
  ...['id', 'type', 'sku', 'name', 'published', 'short description', 'description', 'regular price', 'sale price'],
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
const ATTRIBUTE = /^attribute (\d+) (?:name|value\(s\))$/;

const isVariation = (row: Row) => /variation/i.test(row.get('type'));
const isVariable = (row: Row) => /variable/i.test(row.get('type'));

const parentOf = (row: Row) => row.get('parent').replace(/^id:/i, 'id:');

const namesOf = (row: Row) =>
  [row.get('sku'), row.says('id') ? `id:${row.get('id')}` : ''].filter((name) => name !== '');

/** The file writes the end of a line as \n, and \n as \\n. */
const withLines = (text: string) => text.replaceAll(/(\\?)\\n/g, (_, escaped: string) => (escaped ? '\\n' : '\n'));

/** Commas inside of a value are written \, */
const withCommas = (text: string) => text.replaceAll('\\,', ',');

export const woocommerceProducts: CsvFormat = {
  name: 'woocommerce-products',
  label: 'WooCommerce products',
  type: 'products',
  recognises: (columns) => columns.has('regular price') && columns.has('type') && columns.has('name'),
  takes: (column) => TAKEN.has(column) || ATTRIBUTE.test(column),
  notesOn: (head) =>
    /[,;\t]"?parent"?[,;\t\r\n]/.test(head)
      ? ['Some variations share the stock of their product. It is divided among them: check their quantities.']
      : [],
  needsMarket: () => true,
  joins(rows, row) {
    if (!isVariation(row)) return false;
    const parent = rows[0]!;
    return !isVariation(parent) && namesOf(parent).includes(parentOf(row));
  },
  parts: {
    ownerOf: (row) => (isVariation(row) ? parentOf(row) : null),
    namesOf: (row) => (isVariable(row) ? namesOf(row) : []),
  },
  // What a spreadsheet would run has an apostrophe in front.
  plain: (cell) => cell.replace(/^'(?=[=+\-@])/, ''),
  convert(rows, to) {
    const first = rows[0]!;
    if (isVariation(first)) {
      return {
        errors: [
          wrong(
            first.number,
            'parent',
            'NOT_FOUND',
            'The product of this variation is not in the file. In a large file it must stand right before it.',
          ),
        ],
      };
    }
    if (/^(?:grouped|external)/i.test(first.get('type'))) {
      return {
        errors: [
          wrong(
            first.number,
            'type',
            'UNSUPPORTED',
            `Products of type ${first.get('type').slice(0, 40)} cannot be imported.`,
          ),
        ],
      };
    }
    const draft = new ProductDraft(first, {
      ...{ name: 'name', slug: 'slug', description: 'description', category: 'categories', gallery: 'images' },
      ...{
        'variants.sku': 'sku',
        'variants.pricing': 'regular price',
        'variants.inventory': 'stock',
        blocks: 'description',
      },
    });
    const { input } = draft;
    if (first.says('name')) input.name = first.get('name');
    if (first.says('slug')) input.slug = slugOfHandle(first.get('slug'));
    const short = withLines(first.get('short description'));
    if (first.has('description')) draft.describe(withLines(first.get('description')) || short);
    draft.block('shortDescription', short, { variant: 'HTML' });
    draft.block('tags', withCommas(first.get('tags')));
    draft.block('vendor', withCommas(first.get('brands')));
    draft.categorise(
      first
        .get('categories')
        .split(/(?<!\\),/)
        .map((name) => withCommas(name.trim())),
    );
    if (first.says('published')) input.status = isYes(first.get('published')) ? 'ACTIVE' : 'DRAFT';
    for (const url of listOf(first.get('images'))) draft.addPicture(url, first, 'images');
    const variations = rows.slice(1);
    const shares = divideStock(draft, first, variations.filter(sharesStock));
    for (const row of variations.length > 0 ? variations : isVariable(first) ? [] : [first]) {
      addVariant(draft, row, first, { isOne: row !== first, share: shares.get(row) }, to);
    }
    const key = first.says('sku')
      ? `woocommerce:sku:${first.get('sku')}`
      : `woocommerce:${first.get('id') || first.get('name')}`;
    return withKey(draft.finish(to, { slugColumn: 'slug', key }), first);
  },
};

/** The SKU of a product that has variations is none of a variant, and still must not come twice. */
function withKey(outcome: ReturnType<CsvFormat['convert']>, first: Row): ReturnType<CsvFormat['convert']> {
  if (outcome === 'SKIPPED' || 'errors' in outcome) return outcome;
  const own = first.get('sku') || (first.says('id') ? `id:${first.get('id')}` : '');
  const key = `product:${own}`;
  if (own !== '') outcome.record.keys.push({ key, field: first.says('sku') ? 'sku' : 'id', row: first.number });
  return outcome;
}

const sharesStock = (row: Row) => row.get('stock').toLowerCase() === 'parent';

/** The stock of the product among the variations that share it: no more is sold than there is. */
function divideStock(draft: ProductDraft, product: Row, sharing: readonly Row[]): Map<Row, number> {
  const stock = sharing.length > 0 ? draft.quantity(product, 'stock') : undefined;
  if (stock === undefined) return new Map();
  const [each, rest] = [Math.floor(stock / sharing.length), stock % sharing.length];
  return new Map(sharing.map((row, i) => [row, each + (i < rest ? 1 : 0)]));
}

/** `isOne`: the row is a variation. `share`: its part of a stock that variations share. */
type Variation = { isOne: boolean; share: number | undefined };

function addVariant(draft: ProductDraft, row: Row, parent: Row, { isOne, share }: Variation, to: Conversion): void {
  const attributes: { name: string; value: string }[] = [];
  for (let n = 1; row.has(`attribute ${n} name`); n++) {
    const name = row.get(`attribute ${n} name`) || parent.get(`attribute ${n} name`);
    const value = withCommas(row.get(`attribute ${n} value(s)`));
    if (name !== '' && value !== '') attributes.push({ name: name.slice(0, 100), value: value.slice(0, 500) });
  }
  const isOnSale = row.says('sale price');
  const markets = to.market
    ? draft.marketPrice(row, isOnSale ? 'sale price' : 'regular price', isOnSale ? 'regular price' : null, to.market)
    : [];
  const quantity = sharesStock(row) ? share : draft.quantity(row, 'stock');
  const sells = /^(?:1|yes|notify|true)$/i.test(row.get('backorders allowed?'));
  const isOut = row.says('in stock?') && !isYes(row.get('in stock?')) && quantity === undefined;
  const threshold = draft.quantity(row, 'low stock amount');
  const picture = isOne ? draft.picture(listOf(row.get('images'))[0] ?? '', row, 'images') : null;
  draft.addVariant(row, {
    name: isOne ? variantName(attributes) : '',
    sku: row.get('sku'),
    attributes,
    pricing: { markets },
    inventory: {
      tracked: (quantity !== undefined || isOut) && !sells,
      ...(quantity !== undefined ? { quantity } : isOut ? { quantity: 0 } : {}),
      ...(threshold === undefined ? {} : { lowStockThreshold: threshold }),
    },
    ...(picture === null ? {} : { gallery: [{ id: picture, url: listOf(row.get('images'))[0]! }] }),
  });
}

const listOf = (text: string) =>
  text
    .split(/,\s*(?=https?:)/i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
