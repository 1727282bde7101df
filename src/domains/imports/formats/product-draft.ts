/** What the formats of products have in common: a draft that they fill, and what becomes of it. */
import { createHash } from 'node:crypto';
import type { FieldError } from '../../../shared/errors.ts';
import { derivedId } from '../../../shared/ids.ts';
import { slugFrom } from '../../../shared/slugs.ts';
import { firstCharacters } from '../../../shared/text.ts';
import type { ProductImport } from '../../catalog/index.ts';
import { MAX_ALT_LENGTH } from '../../media/index.ts';
import {
  type Conversion,
  type NamedPicture,
  type Outcome,
  type PriceMarket,
  type Row,
  type RowError,
  wrong,
} from './format.ts';
import { hasMarkup, htmlToText } from './html-text.ts';
import { readMoney } from './money.ts';

type VariantInput = NonNullable<ProductImport['input']['variants']>[number];
type MarketPrice = NonNullable<NonNullable<VariantInput['pricing']>['markets']>[number];

/** Where each field of ours comes from, for messages: `name`, `variants.sku`, `variants.pricing`. */
type ColumnNames = Record<string, string>;

const MAX_SLUG = 80;

/** A handle of another system as a slug of ours: the same when it is one already. */
export const slugOfHandle = (handle: string) =>
  /^[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*$/u.test(handle) && handle.length <= 100
    ? handle
    : slugFrom(handle, `product-${createHash('sha256').update(handle).digest('hex').slice(0, 12)}`).slice(0, MAX_SLUG);

/** The id that a picture has in a gallery until it lies in the library. */
export const addressId = (url: string) => `url_${createHash('sha256').update(url).digest('hex').slice(0, 40)}`;

export class ProductDraft {
  readonly input: ProductImport['input'] = {};
  readonly pictures = new Map<string, NamedPicture>();
  readonly errors: RowError[] = [];
  readonly #columns: ColumnNames;
  readonly #first: Row;
  readonly #variantRows: number[] = [];
  readonly #variants: VariantInput[] = [];
  readonly #blocks: NonNullable<ProductImport['input']['blocks']> = [];

  constructor(first: Row, columns: ColumnNames) {
    this.#first = first;
    this.#columns = columns;
  }

  /** HTML becomes text; with markup in it, a block has it as it is. */
  describe(html: string): void {
    this.input.description = htmlToText(html);
    if (hasMarkup(html)) this.block('description', html, { variant: 'HTML' });
  }

  /** The first is the product's own. Where there are more, a block has them all. */
  categorise(names: readonly string[]): void {
    const given = [...new Set(names.filter((name) => name !== ''))];
    if (given[0] !== undefined) this.input.category = given[0];
    if (given.length > 1) this.block('categories', given.join(', '));
  }

  block(id: string, value: string, settings?: object): void {
    if (value !== '') this.#blocks.push({ id, type: 'TEXT', ...(settings ? { settings } : {}), value } as never);
  }

  picture(url: string, row: Row, column: string, alt = ''): string | null {
    if (url === '') return null;
    if (!/^https?:\/\/\S+$/i.test(url) || url.length > 2000) {
      this.errors.push(
        wrong(row.number, column, 'INVALID_FORMAT', 'The address of a picture begins with https:// or http://.'),
      );
      return null;
    }
    const id = addressId(url);
    const known = this.pictures.get(url);
    this.pictures.set(url, { row: known?.row ?? row.number, alt: known?.alt || firstCharacters(alt, MAX_ALT_LENGTH) });
    return id;
  }

  addPicture(url: string, row: Row, column: string, alt = ''): void {
    const id = this.picture(url, row, column, alt);
    if (id === null) return;
    this.input.gallery ??= [];
    if (!this.input.gallery.some((item) => item.id === id)) this.input.gallery.push({ id, url });
  }

  price(row: Row, text: string, column: string, market: PriceMarket): number | null {
    const read = readMoney(text, market.currency);
    if ('minor' in read) return read.minor;
    this.errors.push(wrong(row.number, column, read.error, read.message));
    return null;
  }

  /** A price and the price before, of one market. An empty cell is no price. */
  marketPrice(row: Row, column: string, compareColumn: string | null, market: PriceMarket): MarketPrice[] {
    if (!row.says(column)) return [];
    const price = this.price(row, row.get(column), column, market);
    if (price === null) return [];
    const before =
      compareColumn && row.says(compareColumn) ? this.price(row, row.get(compareColumn), compareColumn, market) : null;
    return [
      {
        marketId: market.id,
        currency: market.currency,
        price,
        ...(before === null || before === 0 ? {} : { compareAtPrice: before }),
      },
    ];
  }

  /** A whole number from 0 on; undefined: nothing is said. */
  quantity(row: Row, column: string): number | undefined {
    const text = row.get(column);
    if (text === '') return undefined;
    const value = Number(text);
    // `1.000` is a thousand to some, and `0x10` is no number to people.
    if (!/^-?\d+(?:\.0{1,2})?$/.test(text)) {
      this.errors.push(
        wrong(row.number, column, 'INVALID_FORMAT', 'A quantity is a whole number. Write it without separators.'),
      );
    } else if (value < 0) {
      this.errors.push(
        wrong(
          row.number,
          column,
          'OUT_OF_RANGE',
          `The stock is ${value}. It cannot be below 0: correct it, or write 0.`,
        ),
      );
    } else return value;
    return undefined;
  }

  addVariant(row: Row, variant: VariantInput): void {
    this.#variantRows.push(row.number);
    this.#variants.push(variant);
  }

  /** `key`: what the record is known by where it has neither a slug nor an SKU. */
  finish(to: Conversion, { slugColumn, key }: { slugColumn: string | null; key?: string }): Outcome {
    const first = this.#first.number;
    if (this.#variants.length > 0) this.input.variants = this.#variants;
    if (this.#blocks.length > 0) this.input.blocks = this.#blocks;
    if (this.errors.length > 0) return { errors: this.errors };
    const { slug } = this.input;
    const keys = this.#variants.flatMap(({ sku }, i) =>
      sku ? [{ key: `sku:${sku}`, field: this.#columns['variants.sku'] ?? 'sku', row: this.#variantRows[i]! }] : [],
    );
    if (slug !== undefined && slugColumn) keys.unshift({ key: `slug:${slug}`, field: slugColumn, row: first });
    return {
      record: {
        kind: 'product',
        data: {
          input: this.input,
          ...(keys.length === 0 && key ? { id: derivedId('prod', to.businessId, key) } : {}),
        },
        keys,
        pictures: this.pictures,
        locate: (error) => this.#locate(error),
      },
    };
  }

  #locate({ field }: FieldError): { row: number; field: string } {
    const [, index, rest = ''] = /^variants\[(\d+)\]\.?([a-zA-Z]*)/.exec(field) ?? [];
    const row = index === undefined ? undefined : this.#variantRows[Number(index)];
    const name = index === undefined ? field.split(/[.[]/)[0]! : `variants.${rest}`;
    return { row: row ?? this.#first.number, field: this.#columns[name] ?? field };
  }
}

/** The name of a variant: its options, or nothing where it is the only one. */
export const variantName = (options: readonly { value: string }[]) =>
  options
    .map(({ value }) => value)
    .join(' / ')
    .slice(0, 200);
