/** Adds name, SKU and unit price to each line that staff entered. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { Sellable } from '../../catalog/index.ts';
import { isSameText, lineDetails, lineId, type StoredLine, shippedAs } from '../../pricing/index.ts';
import type { LineInput } from '../changing/schemas.ts';
import type { OrderDoc } from '../order.ts';

type ResolvedLine = Omit<StoredLine, 'totalPrice' | 'discount' | 'tax' | 'taxBps'> & {
  totalPrice?: number | undefined;
};

/**
 * Products may be inactive, and existing lines may refer to deleted variants. Existing lines keep their names and, in the same
 * market, their prices.
 */
export function resolveLines(
  { lines, market }: { lines: readonly LineInput[]; market: string },
  { sellables, previous }: { sellables: readonly Sellable[]; previous: OrderDoc | null },
): { lines: ResolvedLine[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const previousLines = previous?.lines ?? [];
  const ids = previous === null ? [] : idsOf(lines, previousLines);
  const isSameMarket = previous !== null && isSameText(previous.market, market);
  const resolved = lines.map((line, i): ResolvedLine => {
    const sellable = sellables.find((each) => isSameVariant(each, line));
    const previousLine = previousLines.find((each) => isSameVariant(each, line));
    if (!sellable && !previousLine) {
      const message = 'Product or variant not found.';
      errors.push({ field: `lines[${i}].productId`, error: 'NOT_FOUND', message });
    }
    const listed = sellable?.prices.find((price) => isSameText(price.marketId, market))?.price;
    const agreed = isSameMarket ? previousLine?.unitPrice : undefined;
    const unitPrice = line.unitPrice ?? agreed ?? listed;
    if (unitPrice === undefined && (sellable || previousLine)) {
      const message = `This variant has no price in market ${market}. Set unitPrice.`;
      errors.push({ field: `lines[${i}]`, error: 'NOT_AVAILABLE_IN_MARKET', message });
    }
    return {
      ...(previous === null ? {} : { id: ids[i]! }),
      type: 'PRODUCT_VARIANT',
      productId: line.productId,
      variantId: line.variantId,
      quantity: line.quantity,
      unitPrice: unitPrice ?? 0,
      totalPrice: line.totalPrice,
      ...(previousLine ? keptDetails(previousLine) : sellable ? lineDetails(sellable) : { name: '', sku: '' }),
    };
  });
  return { lines: resolved, errors };
}

type Variant = { productId: string; variantId: string };
const isSameVariant = (a: Variant, b: Variant) => a.productId === b.productId && a.variantId === b.variantId;

/** Each line keeps the ID of its previous version: the line whose ID it contains, or else the first remaining line with its variant. */
function idsOf(lines: readonly LineInput[], previous: readonly StoredLine[]): string[] {
  const left = new Map(previous.map((line, i) => [lineId(line, i), line]));
  const take = (id: string | undefined) => (id !== undefined && left.delete(id) ? id : undefined);
  const named = lines.map((line) => {
    const found = line.id === undefined ? undefined : left.get(line.id);
    return found && isSameVariant(found, line) ? take(line.id) : undefined;
  });
  return lines.map((line, i) => {
    const next = () => [...left].find(([, each]) => isSameVariant(each, line))?.[0];
    return named[i] ?? take(next()) ?? newId('line');
  });
}

const keptDetails = ({ name, productName, variantName, sku, options, image, ...line }: StoredLine) => ({
  name,
  sku,
  ...shippedAs(line),
  ...(productName === undefined ? {} : { productName, variantName, options, image }),
});
