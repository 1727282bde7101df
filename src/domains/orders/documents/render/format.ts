/** Money, dates and rates in the language of a document. Pure. */
import { formatMoney, formatRate } from '../../../../shared/money.ts';
import type { Snapshot } from '../snapshot-schemas.ts';

/** The number of decimal places of a currency. */
export const decimalsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).resolvedOptions()
    .maximumFractionDigits ?? 2;

/** Money is written as in emails. Only the order of day and month depends on the country of the seller. */
export function formatsFor({ language, timeZone, seller }: Snapshot, currency: string) {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const locale = language === 'en' && seller.address.country !== 'US' ? 'en-GB' : language;
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  return {
    money: (minor: number) => formatMoney(minor, currency, language),
    quantity: (quantity: number) => number.format(quantity),
    rate: (bps: number) => formatRate(bps, language),
    day: (seconds: number) => day.format(new Date(seconds * 1000)),
  };
}

/** Decimal text without exponent, for e-invoices: `decimal(4900, 2)` is `49.00`. */
export function decimal(minor: number, decimals: number): string {
  const digits = `${Math.abs(minor)}`.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${minor < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}

/** YYYYMMDD. */
export const plainDay = (seconds: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone })
    .format(new Date(seconds * 1000))
    .replaceAll('-', '');
