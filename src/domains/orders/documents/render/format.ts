/** Money, dates and rates in the language of a document. Pure. */
import type { Texts } from './texts.ts';

/** How many minor units a currency has, as powers of ten. */
export const decimalsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).resolvedOptions()
    .maximumFractionDigits ?? 2;

export function formatsFor({ locale }: Texts, currency: string, timeZone: string) {
  const decimals = decimalsOf(currency);
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: currency.toUpperCase() });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  return {
    money: (minor: number) => money.format(minor / 10 ** decimals),
    quantity: (quantity: number) => number.format(quantity),
    rate: (bps: number) => percent.format(bps / 10_000),
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
