import type { FieldError } from '../../shared/errors.ts';
import type { Sellable } from '../catalog/index.ts';
import { lineName, type StoredLine, same } from '../pricing/index.ts';
import type { LineInput } from './schemas.ts';

type NamedLine = Omit<StoredLine, 'totalPrice' | 'discount'> & { totalPrice?: number | undefined };

type Known = {
  sellables: readonly Sellable[];
  /** The lines that the order has, at their prices. */
  former: readonly StoredLine[];
  /** The same, of which only the names are still right: the market is another. */
  sold?: readonly StoredLine[];
  market: string;
};

/**
 * Lines that staff wrote, with the names and prices of what they stand for. Products may be inactive, and what the order holds
 * already may be gone from the catalog.
 */
export function nameLines(
  lines: readonly LineInput[],
  { sellables, former, sold = former, market }: Known,
): { lines: NamedLine[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const named = lines.map((line, i): NamedLine => {
    const isSame = (each: { productId: string; variantId: string }) =>
      each.productId === line.productId && each.variantId === line.variantId;
    const sellable = sellables.find(isSame);
    const formerLine = sold.find(isSame);
    if (!sellable && !formerLine) {
      const message = 'There is no such product or variant.';
      errors.push({ field: `lines[${i}].productId`, error: 'NOT_FOUND', message });
    }
    const listed = sellable?.prices.find((price) => same(price.marketId, market))?.price;
    const unitPrice = line.unitPrice ?? former.find(isSame)?.unitPrice ?? listed;
    if (unitPrice === undefined && (sellable || formerLine)) {
      const message = `This variant has no price in market ${market}: give its unitPrice.`;
      errors.push({ field: `lines[${i}]`, error: 'NOT_AVAILABLE_IN_MARKET', message });
    }
    return {
      type: 'PRODUCT_VARIANT',
      productId: line.productId,
      variantId: line.variantId,
      quantity: line.quantity,
      unitPrice: unitPrice ?? 0,
      totalPrice: line.totalPrice,
      name: formerLine?.name ?? (sellable ? lineName(sellable) : ''),
      sku: formerLine?.sku ?? sellable?.sku ?? '',
    };
  });
  return { lines: named, errors };
}
