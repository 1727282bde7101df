const formats = new Map<string, Intl.NumberFormat>();

/** Formats minor units for a locale: `formatMoney(4900, 'usd')` is `$49.00`. Zero never has a minus sign. */
export function formatMoney(amountMinor: number, currency: string, locale?: string): string {
  const key = `${locale} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency: currency.toUpperCase() });
    formats.set(key, format);
  }
  return format.format((amountMinor || 0) / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

type MarketPrice = { marketId: string; currency: string; price: number };
type Priced<P> = { pricing?: { markets?: readonly P[] } };

/** The price of a variant in a market, or undefined if it is not sold there. Market IDs are case-insensitive. */
export function priceIn<P extends MarketPrice>(variant: Priced<P>, market: string): P | undefined {
  return variant.pricing?.markets?.find(({ marketId }) => marketId.toLowerCase() === market.toLowerCase());
}
