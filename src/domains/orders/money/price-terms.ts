/** Resolves the pricing terms of an order besides its lines: market, currency, shipping method and promo code. Pure. */
import type { TaxQuote } from '../../../providers/tax/port.ts';
import type { FieldError } from '../../../shared/errors.ts';
import type { Configs } from '../../businesses/index.ts';
import type { Sellable } from '../../catalog/index.ts';
import {
  type Addresses,
  applyPromo,
  type CarrierRates,
  checkAddresses,
  findShipping,
  isSameText,
  parcelOf,
  type ReportError,
  taxesOf,
  type UsablePromo,
  type VatCheck,
  vatIdOf,
} from '../../pricing/index.ts';
import type { OrderDoc } from '../order.ts';
import type { ManualLine, PriceTerms } from './price-totals.ts';

export type Choices = Addresses & {
  market: string;
  currency: string | null;
  shippingMethodId: string | null;
  pickupLocationId: string | null;
  promoCode: string | null;
};

/** The data that the price of an order depends on, besides the request. */
export type PricingFacts = {
  configs: Configs;
  sellables: readonly Sellable[];
  promo: UsablePromo | null;
  /** The order before the change; null for a new order. */
  previous: OrderDoc | null;
  /** The time at which the promo code must be valid. */
  nowSeconds: number;
  /** The result for the VAT ID of the addresses. Null if the tax does not depend on it. */
  vatCheck: VatCheck | null;
  carrierRates: CarrierRates;
  /** Tax from a provider, which replaces the tax rates. */
  taxQuote: TaxQuote | null;
};

type TermsInput = PricingFacts & {
  lines: readonly ManualLine[];
  /** Staff entered totals, so unchanged choices are not looked up again. */
  hasTotals: boolean;
};

type Terms = Pick<OrderDoc, 'market' | 'currency' | 'shippingMethodId' | 'promoCode' | 'promoId'> &
  Addresses & { pickupLocationId: string | null; price: PriceTerms };

export function resolveTerms(choices: Choices, facts: TermsInput): { terms: Terms; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const report: ReportError = (field, error, message) => errors.push({ field, error, message });
  const { configs, previous } = facts;
  const market = configs.markets?.find((each) => isSameText(each.id, choices.market)) ?? null;
  const code = market?.id ?? choices.market;
  const previousTax = previous && isSameText(previous.market, choices.market) ? previous : null;
  const tax = (facts.hasTotals ? previousTax : null) ?? market ?? previousTax;
  const addresses = checkAddresses(choices, configs, { forCheckout: false }, report);
  const { price: shipping, pickup, ...delivery } = shippingOf({ ...choices, ...addresses }, facts, code, report);
  const vatValid = facts.vatCheck === 'VALID' || keepsExemption(addresses, previous);
  const terms: Terms = {
    market: code,
    currency: findCurrency(choices, facts, market?.currency ?? previousTax?.currency, report),
    ...addresses,
    ...delivery,
    ...promoOf(choices, facts),
    price: {
      taxMode: tax?.taxMode ?? 'EXCLUSIVE',
      taxes: {
        ...taxesOf(configs, { id: code, taxBps: tax?.taxBps ?? 0 }, { ...addresses, pickup, vatValid }),
        quoted: facts.taxQuote,
      },
      shipping,
      ...discountOf(choices, facts, code, report),
    },
  };
  return { terms, errors };
}

export const isSameCode = (a: string | null, b: string | null) => isSameText(a ?? '', b ?? '');

/** The VAT ID of an exempt order was valid when the order was placed. */
const keepsExemption = (addresses: Addresses, previous: OrderDoc | null) =>
  Boolean(previous?.taxExempt) && vatIdOf(addresses) === vatIdOf({ ...NOWHERE, ...previous });

const NOWHERE: Addresses = { shippingAddress: null, billingAddress: null };

/** Keeps the order's existing code, even if it has been deleted. */
function promoOf({ promoCode }: Choices, { promo, previous }: TermsInput): Pick<Terms, 'promoCode' | 'promoId'> {
  if (previous && isSameCode(previous.promoCode, promoCode)) {
    return { promoCode: previous.promoCode, promoId: previous.promoId };
  }
  const used = promoCode === null ? null : promo;
  return { promoCode: used?.code ?? null, promoId: used?.id ?? null };
}

/** Keeps the shipping amount that staff entered if the shipping method has no price. */
function shippingOf(
  choices: Choices,
  { configs, previous, hasTotals, lines, carrierRates }: TermsInput,
  market: string,
  report: ReportError,
): ReturnType<typeof findShipping> {
  const { shippingMethodId, pickupLocationId } = choices;
  const isKept = previous !== null && previous.shippingMethodId === shippingMethodId;
  const kept = (amount: number) => ({
    price: { amount, taxable: false },
    shippingMethodId,
    pickupLocationId,
    pickup: null,
  });
  if (isKept && hasTotals) return kept(0);
  const isListed = shippingMethodId !== null && (configs.shippingMethods ?? []).length > 0;
  if (isKept && !isListed) return kept(previous.shipping);
  return findShipping({ ...choices, forCheckout: false, carrierRates }, configs, market, parcelOf(lines), report);
}

/** Keeps the discount that staff entered if there is no promo code, capped at the price of the items. */
function discountOf(
  { promoCode }: Choices,
  { previous, hasTotals, promo, lines, nowSeconds }: TermsInput,
  market: string,
  report: ReportError,
): Pick<PriceTerms, 'discounts' | 'discountedProducts'> {
  const isKept = previous !== null && isSameCode(previous.promoCode, promoCode);
  if (promoCode === null || (isKept && hasTotals)) {
    const amount = isKept ? previous.discount : 0;
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
  { market, currency: requested }: Choices,
  { sellables }: TermsInput,
  known: string | undefined,
  report: ReportError,
): string {
  const listed = sellables.flatMap((each) => each.prices).find((price) => isSameText(price.marketId, market));
  if (requested && known && !isSameText(requested, known)) {
    report('currency', 'CURRENCY_MISMATCH', `currency must be ${known}, the currency of market ${market}.`);
  }
  const currency = requested ?? known ?? listed?.currency;
  if (!currency) report('currency', 'REQUIRED', 'currency is required.');
  return currency ?? '';
}
