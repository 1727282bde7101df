/** Weight, barcode and customs details of a variant in a file from another system. Values that can't be read are left out with a warning. */
import { isCountry } from '../../../shared/addresses/index.ts';
import { firstCharacters } from '../../../shared/text/text.ts';
import type { ProductImport } from '../../catalog/index.ts';
import { isYes, type Row } from './format.ts';
import type { ProductDraft } from './product-draft.ts';

type VariantInput = NonNullable<ProductImport['input']['variants']>[number];

type Columns = {
  weight?: { column: string; unit: keyof typeof GRAMS } | undefined;
  requiresShipping?: string;
  barcode: string;
  hsCode?: string;
  originCountry?: string;
};

const GRAMS = { g: 1, kg: 1000, oz: 28.349523125, lbs: 453.59237 };
const MAX_GRAMS = 1_000_000_000;

export function readShipping(draft: ProductDraft, row: Row, columns: Columns): Partial<VariantInput> {
  const { weight, requiresShipping, barcode, hsCode, originCountry } = columns;
  const read = (column: string | undefined, isValid: (text: string) => boolean) => {
    if (column === undefined || !row.hasValue(column)) return undefined;
    // Spreadsheets need an apostrophe to keep leading zeros.
    const text = row.get(column).replace(/^'/, '');
    if (isValid(text)) return text;
    draft.warn(row, column, 'INVALID_FORMAT', `“${firstCharacters(text, 60)}” can't be read. It was left out.`);
    return undefined;
  };
  const number = read(weight?.column, isWeight);
  const grams = weight && number ? Math.round(Number(number.replace(',', '.')) * GRAMS[weight.unit]) : 0;
  const found = {
    barcode: read(barcode, (text) => text.length <= 100),
    hsCode: read(hsCode, (text) => /^[0-9. ]{4,20}$/.test(text)),
    originCountry: read(originCountry, (text) => isCountry(text.toUpperCase()))?.toUpperCase(),
    // Other systems store 0 if the weight is unknown.
    weight: grams > 0 && grams <= MAX_GRAMS ? grams : undefined,
    requiresShipping: requiresShipping && row.hasValue(requiresShipping) ? isYes(row.get(requiresShipping)) : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const isWeight = (text: string) => /^\d+(?:[.,]\d+)?$/.test(text);
