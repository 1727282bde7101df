/** Validates discounts and conditions against the requirements of their type. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import { MAX_MONEY } from '../pricing.ts';
import type { PromoCondition, PromoDiscount, SentPart } from './schemas.ts';

type ReportError = (name: string, error: string, message: string) => void;

const DISCOUNTS = ['ITEMS_PERCENTAGE', 'ITEMS_FIXED', 'SHIPPING_PERCENTAGE'];
const CONDITIONS = ['PRODUCTS', 'MIN_ORDER_AMOUNT', 'DATE_RANGE', 'MAX_USES', 'MAX_USES_PER_USER'];
const MAX_USES = 1_000_000_000;
const MAX_PRODUCTS = 1000;
const MAX_SECONDS = 253_402_300_799;

export function checkDiscounts(sent: readonly SentPart[], errors: FieldError[]): PromoDiscount[] {
  if (sent.length === 0)
    errors.push({ field: 'discounts', error: 'TOO_SHORT', message: 'discounts must have at least 1 item.' });
  return sent.map((part, i) => {
    const report = reporter(errors, `discounts[${i}]`);
    if (!DISCOUNTS.includes(part.type)) report('type', 'INVALID_VALUE', `must be one of ${DISCOUNTS.join(', ')}.`);
    else if (part.type === 'ITEMS_FIXED') checkInteger(part.amount, 'amount', 1, MAX_MONEY, report);
    else checkInteger(part.bps, 'bps', 1, 10_000, report);
    const { marketId } = part;
    if (marketId != null && !(typeof marketId === 'string' && /^[A-Za-z0-9_.:-]{1,64}$/.test(marketId))) {
      report('marketId', 'INVALID_FORMAT', 'must be a market code.');
    }
    const limit = marketId == null ? {} : { marketId };
    const size = part.type === 'ITEMS_FIXED' ? { amount: part.amount } : { bps: part.bps };
    return { type: part.type, ...limit, ...size } as PromoDiscount;
  });
}

export function checkConditions(sent: readonly SentPart[], errors: FieldError[]): PromoCondition[] {
  return sent.map((part, i) => {
    const report = reporter(errors, `conditions[${i}]`);
    if (!CONDITIONS.includes(part.type)) report('type', 'INVALID_VALUE', `must be one of ${CONDITIONS.join(', ')}.`);
    else if (part.type === 'PRODUCTS') return { type: part.type, value: readProducts(part.value, report) };
    else if (part.value === undefined) report('value', 'REQUIRED', 'is required.');
    else if (part.type === 'DATE_RANGE') return { type: part.type, value: readRange(part.value, report) };
    else if (part.type === 'MIN_ORDER_AMOUNT') checkInteger(part.value, 'value', 0, MAX_MONEY, report);
    else checkInteger(part.value, 'value', 1, MAX_USES, report);
    return { type: part.type, value: part.value } as PromoCondition;
  });
}

function readProducts(value: unknown, report: ReportError): string[] {
  const isList = Array.isArray(value) && value.every((id) => typeof id === 'string' && id.length <= 64);
  if (value === undefined) report('value', 'REQUIRED', 'is required.');
  else if (!isList) report('value', 'INVALID_TYPE', 'must be an array of product IDs.');
  else if (value.length === 0) report('value', 'TOO_SHORT', 'must have at least 1 item.');
  else if (value.length > MAX_PRODUCTS) report('value', 'TOO_LONG', `must have at most ${MAX_PRODUCTS} items.`);
  else return value;
  return [];
}

/** `from` and `to` are aliases of `start` and `end`. */
function readRange(value: unknown, report: ReportError): { start: number | null; end: number | null } {
  const sent = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const range = { start: sent.start ?? sent.from ?? null, end: sent.end ?? sent.to ?? null };
  if (range.start === null && range.end === null)
    report('value', 'INVALID_TYPE', 'must be an object with start or end, in Unix seconds.');
  for (const name of ['start', 'end'] as const) {
    if (range[name] !== null) checkInteger(range[name], `value.${name}`, 0, MAX_SECONDS, report);
  }
  const { start, end } = range as { start: number | null; end: number | null };
  if (typeof start === 'number' && typeof end === 'number' && end < start) {
    report('value.end', 'OUT_OF_RANGE', 'must not be before start.');
  }
  return { start, end };
}

function checkInteger(value: unknown, name: string, min: number, max: number, report: ReportError): void {
  if (value === undefined) report(name, 'REQUIRED', 'is required.');
  else if (typeof value !== 'number' || !Number.isInteger(value)) report(name, 'INVALID_TYPE', 'must be an integer.');
  else if (value < min || value > max) report(name, 'OUT_OF_RANGE', `must be between ${min} and ${max}.`);
}

const reporter =
  (errors: FieldError[], at: string): ReportError =>
  (name, error, message) =>
    errors.push({ field: `${at}.${name}`, error, message: `${at}.${name} ${message}` });
