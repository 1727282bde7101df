/** What the price of an order that staff write depends on, beside its lines: market, shipping method and promo code. Pure. */
import type { FieldError } from '../../shared/errors.ts';
import type { Configs } from '../businesses/index.ts';
import type { Sellable } from '../catalog/index.ts';
import { applyPromo, findShipping, type Problems, same, type UsablePromo } from '../pricing/index.ts';
import type { OrderDoc } from './order.ts';
import type { ManualLine, PriceTerms } from './totals.ts';

export type Asked = {
  market: string;
  currency: string | null;
  shippingMethodId: string | null;
  promoCode: string | null;
};

type TermFacts = {
  configs: Configs;
  lines: readonly ManualLine[];
  sellables: readonly Sellable[];
  promo: UsablePromo | null;
  nowSeconds: number;
  /** The order as it was. Null: there was none. */
  former: OrderDoc | null;
  /** All sums are given: what has not changed since is not looked up again. */
  isPriced?: boolean;
};

type Terms = Pick<OrderDoc, 'market' | 'currency' | 'shippingMethodId' | 'promoCode' | 'promoId'> & {
  price: PriceTerms;
};

export function termsOf(asked: Asked, facts: TermFacts): { terms: Terms; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const report: Problems = (field, error, message) => errors.push({ field, error, message });
  const { configs, former } = facts;
  const market = configs.markets?.find((each) => same(each.id, asked.market)) ?? null;
  const code = market?.id ?? asked.market;
  const formerTax = former && same(former.market, asked.market) ? former : null;
  const tax = (facts.isPriced ? formerTax : null) ?? market ?? formerTax;
  const terms: Terms = {
    market: code,
    currency: findCurrency(asked, facts, market?.currency ?? formerTax?.currency, report),
    shippingMethodId: asked.shippingMethodId,
    promoCode: asked.promoCode,
    promoId: null,
    price: {
      taxMode: tax?.taxMode ?? 'EXCLUSIVE',
      taxBps: tax?.taxBps ?? 0,
      shipping: shippingOf(asked, facts, code, report),
      ...discountOf(asked, facts, code, report),
    },
  };
  const isFormerCode = former !== null && isSameCode(former.promoCode, asked.promoCode);
  return { terms: { ...terms, ...(isFormerCode ? codeOf(former) : usedCode(asked, facts)) }, errors };
}

const codeOf = ({ promoCode, promoId }: OrderDoc) => ({ promoCode, promoId });

const usedCode = ({ promoCode }: Asked, { promo }: TermFacts) =>
  promoCode === null
    ? { promoCode: null, promoId: null }
    : { promoCode: promo?.code ?? null, promoId: promo?.id ?? null };

export const isSameCode = (a: string | null, b: string | null) => same(a ?? '', b ?? '');

/** Shipping that staff have written into an order without a priced method is left as it is. */
function shippingOf(
  { shippingMethodId }: Asked,
  { configs, former, isPriced }: TermFacts,
  market: string,
  report: Problems,
): PriceTerms['shipping'] {
  const isFormer = former !== null && former.shippingMethodId === shippingMethodId;
  const none = { amount: 0, taxable: false };
  if (isFormer && isPriced) return none;
  const isListed = shippingMethodId !== null && (configs.shippingMethods ?? []).length > 0;
  if (isFormer && !isListed) return { amount: former.shipping, taxable: false };
  return findShipping({ shippingMethodId, forCheckout: false }, configs, market, report);
}

/** A discount that staff have written into an order without a promo code is left as it is, as far as it goes. */
function discountOf(
  { promoCode }: Asked,
  { former, isPriced, promo, lines, nowSeconds }: TermFacts,
  market: string,
  report: Problems,
): Pick<PriceTerms, 'discounts' | 'discountedProducts'> {
  const isFormer = former !== null && isSameCode(former.promoCode, promoCode);
  if (promoCode === null || (isFormer && isPriced)) {
    const amount = isFormer ? former.discount : 0;
    return { discounts: [{ type: 'ITEMS_FIXED', amount }], discountedProducts: null };
  }
  const applied = applyPromo(
    { promoCode },
    { promo: promo && { ...promo, ...promo.doc }, nowSeconds },
    market,
    lines,
    report,
  );
  return { discounts: applied?.discounts ?? [], discountedProducts: applied?.products ?? null };
}

function findCurrency(
  { market, currency: wanted }: Asked,
  { sellables }: TermFacts,
  known: string | undefined,
  report: Problems,
): string {
  const listed = sellables.flatMap((each) => each.prices).find((price) => same(price.marketId, market));
  if (wanted && known && !same(wanted, known)) {
    report('currency', 'CURRENCY_MISMATCH', `The currency of market ${market} is ${known}.`);
  }
  const currency = wanted ?? known ?? listed?.currency;
  if (!currency) report('currency', 'REQUIRED', 'currency is required.');
  return currency ?? '';
}
