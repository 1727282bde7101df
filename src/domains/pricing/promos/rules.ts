/** Decides whether a promo code applies to a cart, and which discounts it grants. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import type { Discount } from '../pricing.ts';
import type { PromoCondition, PromoDiscount } from './schemas.ts';

export type PromoTerms = {
  status: string;
  discounts: readonly PromoDiscount[];
  conditions: readonly PromoCondition[];
  uses: number;
  usesByUser: number;
};

export type PromoCart = {
  market: string;
  lines: readonly { productId: string; unitPrice: number; quantity: number }[];
  nowSeconds: number;
};

type PromoError =
  | 'PROMO_NOT_FOUND'
  | 'PROMO_EXPIRED'
  | 'PROMO_NOT_STARTED'
  | 'PROMO_MIN_AMOUNT'
  | 'PROMO_NOT_APPLICABLE'
  | 'PROMO_USED_UP';

export const PROMO_MESSAGES: Record<PromoError, string> = {
  PROMO_NOT_FOUND: 'This promo code does not exist.',
  PROMO_EXPIRED: 'This promo code has expired.',
  PROMO_NOT_STARTED: 'This promo code is not valid yet.',
  PROMO_MIN_AMOUNT: 'The order is below the minimum amount for this promo code.',
  PROMO_NOT_APPLICABLE: 'This promo code does not apply to any item in this order.',
  PROMO_USED_UP: 'This promo code has reached its usage limit.',
};

export const promoUsedUp = (field: string): FieldError => ({
  field,
  error: 'PROMO_USED_UP',
  message: PROMO_MESSAGES.PROMO_USED_UP,
});

export type Applied = { discounts: Discount[]; products: ReadonlySet<string> | null };

export function checkPromo(promo: PromoTerms | null, cart: PromoCart): Applied | PromoError {
  if (promo === null || promo.status !== 'ACTIVE') return 'PROMO_NOT_FOUND';
  for (const condition of promo.conditions) {
    const problem = checkCondition(condition, promo, cart);
    if (problem) return problem;
  }
  const discounts = promo.discounts.filter(
    ({ marketId }) => !marketId || marketId.toLowerCase() === cart.market.toLowerCase(),
  );
  return discounts.length === 0 ? 'PROMO_NOT_APPLICABLE' : { discounts, products: productsOf(promo.conditions) };
}

/** If several conditions list products, a product must be in all of them. */
function productsOf(conditions: readonly PromoCondition[]): ReadonlySet<string> | null {
  const lists = conditions.flatMap((condition) => (condition.type === 'PRODUCTS' ? [new Set(condition.value)] : []));
  const [first, ...others] = lists;
  return first ? new Set([...first].filter((id) => others.every((list) => list.has(id)))) : null;
}

function checkCondition(condition: PromoCondition, promo: PromoTerms, cart: PromoCart): PromoError | null {
  const { lines, nowSeconds } = cart;
  switch (condition.type) {
    case 'PRODUCTS':
      return lines.some((line) => condition.value.includes(line.productId)) ? null : 'PROMO_NOT_APPLICABLE';
    case 'MIN_ORDER_AMOUNT': {
      const items = lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, 0);
      return items >= condition.value ? null : 'PROMO_MIN_AMOUNT';
    }
    case 'DATE_RANGE': {
      const { start, end } = condition.value;
      if (start != null && nowSeconds < start) return 'PROMO_NOT_STARTED';
      return end != null && nowSeconds > end ? 'PROMO_EXPIRED' : null;
    }
    case 'MAX_USES':
      return promo.uses < condition.value ? null : 'PROMO_USED_UP';
    case 'MAX_USES_PER_USER':
      return promo.usesByUser < condition.value ? null : 'PROMO_USED_UP';
  }
}

/** The lowest of these limits, or null if there is none. */
export function useLimit(conditions: readonly PromoCondition[], type: 'MAX_USES' | 'MAX_USES_PER_USER'): number | null {
  const limits = conditions.flatMap((condition) => (condition.type === type ? [condition.value as number] : []));
  return limits.length === 0 ? null : Math.min(...limits);
}
