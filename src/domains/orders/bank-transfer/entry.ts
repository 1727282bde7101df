/** Incoming payments as read from a file. Pure. */
import { createHash } from 'node:crypto';
import { invalidField } from '../../../shared/errors.ts';
import { minorDigits } from '../../../shared/money.ts';
import { withoutEnd } from '../../../shared/text/text.ts';

const MAX_ENTRIES = 5000;
const MAX_NAME = 140;
const MAX_TEXT = 1000;
const MAX_MINOR = 1_000_000_000_000;

export type ParsedEntry = {
  amount: number;
  currency: string;
  /** ISO 8601. */
  date: string;
  name: string | null;
  iban: string | null;
  text: string;
  /** The bank's ID for the payment; null if the file has none. */
  bankRef: string | null;
};
export type ParsedStatement = { format: 'CAMT' | 'CSV'; iban: string | null; skipped: number; entries: ParsedEntry[] };
export type KeyedEntry = Omit<ParsedEntry, 'bankRef'> & { key: string };

export const unreadable = (message: string) => invalidField('body', 'NOT_A_STATEMENT', message);

const NO_REFERENCE = new Set(['', 'NONREF', 'NOTPROVIDED', 'NOT PROVIDED', 'NOREF']);

/**
 * Adds a key to each payment, which is the same in every file that contains it. The key is a hash of the bank's ID or, without one, of all
 * details. Identical payments on one day are numbered.
 */
export function withKeys({ iban: account, entries }: ParsedStatement): KeyedEntry[] {
  if (entries.length > MAX_ENTRIES) throw unreadable(`A statement can have at most ${MAX_ENTRIES} incoming payments.`);
  const seen = new Map<string, number>();
  return entries.map(({ bankRef, ...entry }) => {
    const { amount, currency, date, name, iban, text } = entry;
    const ref = bankRef && !NO_REFERENCE.has(bankRef.trim().toUpperCase()) ? bankRef.trim() : null;
    const identity = JSON.stringify([account, date, amount, currency, ...(ref ? [ref] : [name, iban, text])]);
    const count = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, count);
    const key = createHash('sha256').update(`${identity}#${count}`).digest('base64url').slice(0, 22);
    const shown = text.replaceAll(/(?<!\S)NOTPROVIDED(?!\S)/g, '');
    return { ...entry, name: clean(name, MAX_NAME), text: clean(shown, MAX_TEXT) ?? '', key };
  });
}

/** Null for an empty string. PostgreSQL rejects NUL. */
const clean = (text: string | null, max: number): string | null =>
  text
    ?.replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed() || null;

/** Parses a decimal with the given separator to minor units. Null if it is not a number. `currency`: three letters. */
export function minorOf(text: string, currency: string, decimal: '.' | ','): number | null {
  const plain = text
    .replaceAll(/[\s\u00a0\u202f'’+]|[A-Za-z]{3}|[$€£]/g, '')
    .replaceAll(decimal === ',' ? '.' : ',', '')
    .replace(',', '.');
  const found = /^(-?)(\d{1,13})(?:\.(\d{0,20}))?(-?)$/.exec(plain);
  if (!found) return null;
  const [, minus, whole, fraction = '', minusAfter] = found;
  const digits = minorDigits(currency);
  if (withoutEnd(fraction, '0').length > digits) return null;
  const minor = Number(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  if (minor > MAX_MINOR) return null;
  return minus || minusAfter ? -minor : minor;
}

/** `31.12.2026`, `31.12.26`, `31/12/2026` or `2026-12-31`, with or without a time. Null if it is not a date. */
export function isoDate(text: string): string | null {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text.trim());
  const day = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)/.exec(text.trim());
  const [year, month, date] = iso ? iso.slice(1) : day ? [day[3], day[2], day[1]] : [];
  if (!year || !month || !date) return null;
  const full = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const parsed = new Date(`${full}T00:00:00Z`);
  return Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== full ? null : full;
}
