type Format = { format: Intl.NumberFormat; minorUnits: number };

/** Creating a format is expensive, so formats are cached. Any three letters count as a currency, so the cache is bounded. */
const formats = new Map<string, Format>();
const MAX_CACHED = 200;

/** Formats minor units: `4900, 'usd'` is `$49.00`. Any three letters count as a currency. */
export function formatMoney(amountMinor: number, currency: string, language = 'en'): string {
  const { format, minorUnits } = formats.get(`${language} ${currency}`) ?? addFormat(currency, language);
  return format.format(amountMinor / minorUnits);
}

/** Formats basis points as a percentage: `550` is `5.5%`, in German `5,5 %`. */
export const formatRate = (bps: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000);

/** The number of decimal places of a currency. */
export const minorDigits = (currency: string): number =>
  Math.round(Math.log10((formats.get(`en ${currency}`) ?? addFormat(currency, 'en')).minorUnits));

function addFormat(currency: string, language: string): Format {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: currency.toUpperCase() });
  const added = { format, minorUnits: 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2) };
  if (formats.size < MAX_CACHED) formats.set(`${language} ${currency}`, added);
  return added;
}
