/** Parses prices as people write them. Pure. */
import { withoutEnd } from '../../../shared/text/text.ts';

/** The number of decimal places of a currency. */
const digitsByCurrency = new Map<string, number>();

function minorDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
    digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    if (digitsByCurrency.size < 200) digitsByCurrency.set(currency, digits);
  }
  return digits;
}

type ReadMoney = { minor: number } | { error: string; message: string };

/** Longer than any price. */
const MAX_LENGTH = 100;
const MAX_MINOR = 1_000_000_000_000;

/** A code or symbol next to an amount. */
const CURRENCY = /[A-Za-z]{3}|[$€£¥₹]/g;

/** Whether a code is the currency, or a symbol is one of its symbols: `$` is a symbol of both US and Canadian dollars. */
function isCurrency(text: string, currency: string): boolean {
  if (/[a-z]/i.test(text)) return text.toUpperCase() === currency.toUpperCase();
  const display = { style: 'currency', currency: currency.toUpperCase(), currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat('en', display).format(0).includes(text);
}

/**
 * Parses `1299.00`, `1,299.00`, `1.299,00` and `1 299,00 €` to minor units. `1.299` is ambiguous and rejected for
 * currencies with two decimal places. An amount in another currency is rejected.
 */
export function readMoney(text: string, currency: string): ReadMoney {
  if (text.length > MAX_LENGTH)
    return { error: 'INVALID_FORMAT', message: `“${shown(text)}” is not a price. Use the format 1299.00.` };
  const other = text.match(CURRENCY)?.find((each) => !isCurrency(each, currency));
  const plain = text.replaceAll(/[\s\u00a0\u202f'’]/g, '').replaceAll(CURRENCY, '');
  if (!/^-?\d[\d.,]*$/.test(plain)) {
    return { error: 'INVALID_FORMAT', message: `“${shown(text)}” is not a price. Use the format 1299.00.` };
  }
  if (other !== undefined) {
    const message = `“${shown(text)}” is not in ${currency.toUpperCase()}. Use amounts in ${currency.toUpperCase()}, or choose a market that uses the file's currency.`;
    return { error: 'CURRENCY_MISMATCH', message };
  }
  if (plain.startsWith('-')) return { error: 'OUT_OF_RANGE', message: "A price can't be negative." };
  const digits = minorDigits(currency);
  const separators = [...plain].filter((each) => each === '.' || each === ',');
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','));
  const decimals = last === -1 ? 0 : plain.length - last - 1;
  const isOneSeparator = new Set(separators).size === 1;
  if (separators.length === 1 && decimals === 3 && digits !== 3) {
    const [whole, rest] = [plain.slice(0, last), plain.slice(last + 1)];
    if (digits === 0 || whole === '0')
      return minorOf(digits === 0 ? whole + rest : whole, digits === 0 ? '' : rest, digits, text);
    return {
      error: 'AMBIGUOUS',
      message: `“${shown(text)}” is ambiguous: ${whole}${rest} or ${whole}.${rest}. Use the format ${whole}${rest}.00.`,
    };
  }
  const isGrouped = separators.length > 1 && isOneSeparator;
  if (isGrouped && !/^\d{1,3}(?:[.,]\d{3})+$/.test(plain)) {
    return { error: 'INVALID_FORMAT', message: `“${shown(text)}” is not a price. Use the format 1299.00.` };
  }
  const whole = (last === -1 || isGrouped ? plain : plain.slice(0, last)).replaceAll(/[.,]/g, '');
  return minorOf(whole, last === -1 || isGrouped ? '' : plain.slice(last + 1), digits, text);
}

function minorOf(whole: string, fraction: string, digits: number, text: string): ReadMoney {
  const exact = withoutEnd(fraction, '0');
  if (exact.length > digits) {
    return { error: 'INVALID_FORMAT', message: `“${shown(text)}” has more than ${digits} decimal places.` };
  }
  const minor = Number(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  if (minor > MAX_MINOR)
    return { error: 'OUT_OF_RANGE', message: `“${shown(text)}” is larger than the maximum price.` };
  return { minor };
}

/** Formats minor units: `4900, 'usd'` becomes `49.00`. */
export function writeMoney(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  if (digits === 0) return String(minor);
  const text = String(minor).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const shown = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
