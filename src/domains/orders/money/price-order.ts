/**
 * Prices an order that staff create or edit: its lines, then market, shipping method and promo code, then its totals, all with
 * `priceCart`. Totals entered by staff are kept and must add up. Pure.
 */
import type { FieldError } from '../../../shared/errors.ts';
import type { Priced } from '../../pricing/index.ts';
import type { LineInput } from '../changing/schemas.ts';
import { resolveLines } from './price-lines.ts';
import { type Choices, type PricingFacts, resolveTerms } from './price-terms.ts';
import { composeTotals, type InputTotals } from './price-totals.ts';

export type Cart = Choices & { lines: readonly LineInput[]; totals: InputTotals };

export function priceOrder(cart: Cart, facts: PricingFacts): { priced: Priced } | { errors: FieldError[] } {
  const { previous, vatCheck } = facts;
  const hasTotals = Object.keys(cart.totals).length > 0;
  const resolved = resolveLines(cart, facts);
  const { terms, errors } = resolveTerms(cart, { ...facts, lines: resolved.lines, hasTotals });
  if (resolved.errors.length > 0 || errors.length > 0) return { errors: [...resolved.errors, ...errors] };

  const given = hasTotals && previous ? { ...totalsOf(previous), ...cart.totals } : cart.totals;
  const result = composeTotals(resolved.lines, given, terms.price);
  if ('errors' in result) return result;
  const { lines: parts, ...totals } = result.totals;
  const { price, ...chosen } = terms;
  const lines = resolved.lines.map((line, i) => ({ ...line, ...parts[i]! }));
  return { priced: { ...totals, ...chosen, taxMode: price.taxMode, lines, ...(vatCheck ? { vatCheck } : {}) } };
}

/** The given totals. */
export function totalsOf({ subtotal, tax, shipping, discount, total }: InputTotals): InputTotals {
  const sums = Object.entries({ subtotal, tax, shipping, discount, total });
  return Object.fromEntries(sums.filter(([, sum]) => sum !== undefined));
}
