type Format = { format: Intl.NumberFormat; minorUnits: number };

/** Making a format takes longer than everything else on a page. Any three letters are a currency, so not all are cached. */
const formats = new Map<string, Format>();
const MAX_CACHED = 200;

/** `4900, 'usd'` is `$49.00`: minor units as people write them. Any three letters are a currency. */
export function formatMoney(amountMinor: number, currency: string): string {
  const { format, minorUnits } = formats.get(currency) ?? addFormat(currency);
  return format.format(amountMinor / minorUnits);
}

function addFormat(currency: string): Format {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
  const made = { format, minorUnits: 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2) };
  if (formats.size < MAX_CACHED) formats.set(currency, made);
  return made;
}
