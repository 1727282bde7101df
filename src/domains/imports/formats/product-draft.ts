/** Shared by all product formats: a draft that they fill, and its conversion to a product. */
import { createHash } from 'node:crypto';
import { derivedId } from '../../../shared/ids.ts';
import { slugFrom } from '../../../shared/text/slugs.ts';
import { firstCharacters } from '../../../shared/text/text.ts';
import type { ProductImport, Sale } from '../../catalog/index.ts';
import { MAX_ALT_LENGTH } from '../../media/index.ts';
import {
  type Conversion,
  type NamedImage,
  type Outcome,
  type PriceMarket,
  type RecordKey,
  type Row,
  type RowError,
  rowError,
} from './format.ts';
import { firstSentences, hasMarkup, htmlToText } from './html-text.ts';
import { readMoney } from './money.ts';

type VariantInput = NonNullable<ProductImport['input']['variants']>[number];
type MarketPrice = NonNullable<NonNullable<VariantInput['pricing']>['markets']>[number];

/** The source column of each product field, for error messages: `name`, `variants.sku`, `variants.pricing`. */
type ColumnNames = Record<string, string>;

const MAX_SLUG = 80;
const MAX_HANDLE = 1000;
const MAX_DESCRIPTION = 20_000;
const MAX_VARIANTS = 1000;
const MAX_IMAGES = 100;
/** Longer than any quantity. */
const MAX_QUANTITY = 40;

/** Converts a handle to a slug. Valid slugs don't change. */
export const slugOfHandle = (handle: string) =>
  handle.length <= 100 && /^[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*$/u.test(handle)
    ? handle
    : slugFrom(
        handle.slice(0, MAX_HANDLE),
        `product-${createHash('sha256').update(handle).digest('hex').slice(0, 12)}`,
      ).slice(0, MAX_SLUG);

/** The ID of an image in a gallery until the image is in the library. */
export const addressId = (url: string) => `url_${createHash('sha256').update(url).digest('hex').slice(0, 40)}`;

export class ProductDraft {
  readonly input: ProductImport['input'] = {};
  readonly images = new Map<string, NamedImage>();
  readonly errors: RowError[] = [];
  readonly warnings: RowError[] = [];
  readonly #columns: ColumnNames;
  readonly #first: Row;
  #draftWithoutVariants = false;
  readonly #variantRows: number[] = [];
  readonly #variants: VariantInput[] = [];
  readonly #sales: Sale[] = [];
  readonly #blocks: NonNullable<ProductImport['input']['blocks']> = [];

  constructor(first: Row, columns: ColumnNames) {
    this.#first = first;
    this.#columns = columns;
  }

  warn(row: Row, column: string, error: string, message: string): void {
    this.warnings.push(rowError(row.number, column, error, message));
  }

  /** Reports a warning only once per product, at the first affected row. */
  warnOnce(row: Row, column: string, error: string, message: string): void {
    if (!this.warnings.some((known) => known.field === column && known.error === error))
      this.warn(row, column, error, message);
  }

  /** For rows without a quantity, if the other system tracks the stock. */
  warnUntracked(row: Row, column: string): void {
    const message = 'The file has no quantity for this product, so the import does not track its stock.';
    this.warnOnce(row, column, 'UNTRACKED', message);
  }

  warnBackorders(row: Row, column: string): void {
    const message = 'Backorders are allowed, so the stock is not tracked and the product never sells out.';
    this.warnOnce(row, column, 'UNTRACKED', message);
  }

  /** A product without variants can't be bought. It is saved as a draft, unless it already has variants here. */
  requireVariants(column: string): void {
    if (this.#variants.length > 0) return;
    this.#draftWithoutVariants = true;
    this.warn(
      this.#first,
      column,
      'NO_VARIANTS',
      'The file has no variants for this product. Without variants, it is saved as a draft.',
    );
  }

  /** Converts HTML to text. If there is markup, a block keeps the HTML. */
  describe(html: string): void {
    const text = htmlToText(html);
    this.input.description = firstSentences(text, MAX_DESCRIPTION);
    if (this.input.description !== text)
      this.warn(
        this.#first,
        this.#columns.description ?? 'description',
        'SHORTENED',
        `The description has more than ${MAX_DESCRIPTION} characters. It was shortened.`,
      );
    if (hasMarkup(html)) this.block('description', html, { variant: 'HTML' });
  }

  /** The first category becomes the product's. If there are more, a block keeps all of them. */
  categorize(names: readonly string[]): void {
    const given = [...new Set(names.filter((name) => name !== ''))];
    if (given[0] !== undefined) this.input.category = given[0];
    if (given.length > 1) this.block('categories', given.join(', '));
  }

  block(id: string, value: string, settings?: object): void {
    if (value !== '') this.#blocks.push({ id, type: 'TEXT', ...(settings ? { settings } : {}), value } as never);
  }

  image(url: string, row: Row, column: string, alt = ''): string | null {
    if (url === '') return null;
    if (url.length > 2000 || !/^https?:\/\/\S+$/i.test(url)) {
      this.warn(
        row,
        column,
        'NO_URL',
        `The image “${firstCharacters(url, 100)}” was left out: its URL must start with https:// or http://.`,
      );
      return null;
    }
    const id = addressId(url);
    const known = this.images.get(url);
    this.images.set(url, {
      row: known?.row ?? row.number,
      alt: known?.alt || firstCharacters(alt, MAX_ALT_LENGTH),
      isInGallery: true,
    });
    return id;
  }

  addImage(url: string, row: Row, column: string, alt = ''): void {
    const id = this.image(url, row, column, alt);
    if (id === null) return;
    this.input.gallery ??= [];
    if (this.input.gallery.some((item) => item.id === id)) return;
    if (this.input.gallery.length < MAX_IMAGES) this.input.gallery.push({ id, url });
    else this.warn(row, column, 'TOO_MANY', `A product can have at most ${MAX_IMAGES} images. This one was left out.`);
  }

  price(row: Row, text: string, column: string, market: PriceMarket): number | null {
    const read = readMoney(text, market.currency);
    if ('minor' in read) return read.minor;
    this.errors.push(rowError(row.number, column, read.error, read.message));
    return null;
  }

  /** The price and compare-at price in one market. An empty cell means no price. */
  marketPrice(row: Row, column: string, compareColumn: string | null, market: PriceMarket): MarketPrice[] {
    if (!row.hasValue(column)) return [];
    const price = this.price(row, row.get(column), column, market);
    if (price === null) return [];
    const compareAt =
      compareColumn && row.hasValue(compareColumn)
        ? this.price(row, row.get(compareColumn), compareColumn, market)
        : null;
    return [
      {
        marketId: market.id,
        currency: market.currency,
        price,
        ...(compareAt === null || compareAt === 0 ? {} : { compareAtPrice: compareAt }),
      },
    ];
  }

  /** Parses an integer; undefined if the cell is empty. A negative one becomes 0. */
  quantity(row: Row, column: string): number | undefined {
    const text = row.get(column);
    if (text === '') return undefined;
    const value = text.length > MAX_QUANTITY ? Number.NaN : Number(text);
    // Rejects `1.000`, which means one thousand in some locales, and `0x10`, which Number() accepts.
    if (Number.isNaN(value) || !/^-?\d+(?:\.0{1,2})?$/.test(text)) {
      this.errors.push(
        rowError(row.number, column, 'INVALID_FORMAT', 'A quantity must be an integer without thousands separators.'),
      );
    } else if (value < 0) {
      this.warn(row, column, 'NEGATIVE', `${value} was stored as 0.`);
      return 0;
    } else return value;
    return undefined;
  }

  addVariant(row: Row, variant: VariantInput, sale: Omit<Sale, 'variant'> | null = null): void {
    if (this.#variants.length === MAX_VARIANTS) {
      this.warn(row, '', 'TOO_MANY', `A product can have at most ${MAX_VARIANTS} variants. This one was left out.`);
      return;
    }
    if (sale) this.#sales.push({ ...sale, variant: this.#variants.length });
    this.#variantRows.push(row.number);
    this.#variants.push(variant);
    const column = this.#columns['variants.pricing'];
    if (column !== undefined && row.has(column) && !variant.pricing?.markets?.length)
      this.warn(
        row,
        column,
        'NO_PRICE',
        "The file has no price for this variant. Without a price, it can't be bought.",
      );
  }

  /** `key` identifies a record that has neither slug nor SKU, or only a SKU that the file repeats. */
  finish(to: Conversion, { slugColumn, key }: { slugColumn: string | null; key?: string }): Outcome {
    const first = this.#first.number;
    if (this.#variants.length > 0) this.input.variants = this.#variants;
    if (this.#blocks.length > 0) this.input.blocks = this.#blocks;
    if (this.errors.length > 0) return { errors: this.errors };
    const { slug } = this.input;
    const data: ProductImport = {
      input: this.input,
      ...(this.#draftWithoutVariants ? { draftWithoutVariants: true } : {}),
      ...(this.#sales.length > 0 ? { sales: this.#sales } : {}),
    };
    const own = slug === undefined && key ? derivedId('prod', to.businessId, key) : undefined;
    const keys: RecordKey[] = this.#variants.flatMap((variant, i) => {
      const field = this.#columns['variants.sku'] ?? 'sku';
      const drop = { variant: i, ...(own === undefined ? {} : { id: own }) };
      return variant.sku ? [{ key: `sku:${variant.sku}`, field, row: this.#variantRows[i]!, drop }] : [];
    });
    if (slug !== undefined && slugColumn) keys.unshift({ key: `slug:${slug}`, field: slugColumn, row: first });
    if (keys.length === 0 && own !== undefined) data.id = own;
    return {
      record: {
        kind: 'product',
        data,
        keys,
        images: this.images,
        warnings: this.warnings,
        places: {
          row: first,
          columns: this.#columns,
          list: { name: 'variants', rows: this.#variantRows },
        },
      },
    };
  }
}

/** Derives the name of a variant from its options; empty for the only variant. */
export const variantName = (options: readonly { value: string }[]) =>
  options
    .map(({ value }) => value)
    .join(' / ')
    .slice(0, 200);
