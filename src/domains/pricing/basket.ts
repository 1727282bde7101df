/** From what a customer asks for to what it costs. Everything wrong with it is reported at once. Pure. */
import { type FieldError, invalidField } from '../../shared/errors.ts';
import type { Configs, Market } from '../businesses/index.ts';
import type { Sellable } from '../catalog/index.ts';
import { type Basket, findTooLarge, MAX_MONEY, priceBasket } from './pricing.ts';
import { type Applied, checkPromo, PROMO_MESSAGES, type PromoBasket, type PromoTerms } from './promo-rules.ts';
import { CARD_METHODS, type ItemInput, type OrderLine } from './schemas.ts';

/** A line as it is stored: with the names it was sold under, and its share of the discount. */
export type StoredLine = OrderLine & { name: string; sku: string; discount: number };

export type Sums = {
  subtotal: number;
  tax: number;
  taxBps: number;
  shipping: number;
  discount: number;
  total: number;
};

export type Wanted = {
  market: string;
  currency?: string | null | undefined;
  paymentMethod?: string | null | undefined;
  shippingMethodId?: string | null | undefined;
  items: readonly ItemInput[];
  /** What the request called its items. */
  field: 'items' | 'lines';
  promoCode: string | null;
  /** A checkout needs a shipping method and enough stock; a quote may still do without. */
  forCheckout: boolean;
};

export type Facts = {
  configs: Configs;
  sellables: readonly Sellable[];
  promo: (PromoTerms & { id: string; code: string }) | null;
  nowSeconds: number;
};

/** A basket that can be ordered. */
export type Priced = Sums & {
  market: string;
  currency: string;
  taxMode: 'EXCLUSIVE' | 'INCLUSIVE';
  lines: StoredLine[];
  shippingMethodId: string | null;
  promoCode: string | null;
  promoId: string | null;
};

type BasketInput = Pick<Wanted, 'market' | 'currency' | 'paymentMethod' | 'shippingMethodId'> & {
  items?: ItemInput[];
  lines?: ItemInput[];
  promoCode?: string | null;
};

/** What a request asks for. Its items may be called lines; without either it is 422. */
export function wantedOf(input: BasketInput, { forCheckout }: { forCheckout: boolean }): Wanted {
  const { market, currency, paymentMethod, shippingMethodId, items = input.lines } = input;
  if (!items) throw invalidField('items', 'REQUIRED', 'items is required.');
  return {
    ...{ market, currency, paymentMethod, shippingMethodId, items, forCheckout },
    field: input.items ? 'items' : 'lines',
    promoCode: input.promoCode?.trim() || null,
  };
}

export type Problems = (field: string, error: string, message: string) => void;

export const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

export function checkBasket(wanted: Wanted, facts: Facts): { priced: Priced } | { errors: FieldError[] } {
  const errors: FieldError[] = [];
  const report: Problems = (field, error, message) => errors.push({ field, error, message });
  const market = findMarket(wanted.market, facts.configs, report);
  const found = findLines(wanted, facts.sellables, market, report);
  const currency = market?.currency ?? found.find((line) => line !== null)?.currency ?? wanted.currency ?? '';
  checkCurrency(wanted, currency, found, report);
  const shipping = findShipping(wanted, facts.configs, market?.id ?? wanted.market, report);
  if (errors.length > 0) return { errors };

  const lines = found.map((line) => line!);
  const tooLarge = findTooLarge(lines);
  if (tooLarge !== null) {
    const field = tooLarge === 'sum' ? wanted.field : `${wanted.field}[${tooLarge}].quantity`;
    return { errors: [{ field, error: 'OUT_OF_RANGE', message: `The amount may be at most ${MAX_MONEY}.` }] };
  }
  const applied = applyPromo(wanted, facts, market?.id ?? wanted.market, lines, report);
  const { lines: parts, ...sums } = priceBasket({
    lines,
    taxMode: market?.taxMode ?? 'EXCLUSIVE',
    taxBps: market?.taxBps ?? 0,
    shipping,
    discounts: applied?.discounts ?? [],
    discountedProducts: applied?.products ?? null,
  });
  if (sums.total > MAX_MONEY) report(wanted.field, 'OUT_OF_RANGE', `The total may be at most ${MAX_MONEY}.`);
  checkMethod(wanted.paymentMethod, market, sums.total, report);
  if (errors.length > 0) return { errors };
  return {
    priced: {
      ...sums,
      market: market?.id ?? wanted.market,
      currency,
      taxMode: market?.taxMode ?? 'EXCLUSIVE',
      lines: lines.map(({ currency: _, ...line }, i) => ({ ...line, ...parts[i]! })),
      shippingMethodId: wanted.shippingMethodId ?? null,
      promoCode: applied === null ? null : (facts.promo?.code ?? null),
      promoId: applied === null ? null : (facts.promo?.id ?? null),
    },
  };
}

/** What a quote may leave open and an order may not: how it is shipped, and how it is paid. The price itself is known. */
export function checkChoices(
  { market: code, shippingMethodId, total }: Priced,
  wanted: Wanted,
  configs: Configs,
): FieldError[] {
  const errors: FieldError[] = [];
  const report: Problems = (field, error, message) => errors.push({ field, error, message });
  if (shippingMethodId === null) findShipping({ ...wanted, shippingMethodId }, configs, code, report);
  const market = configs.markets?.find((each) => same(each.id, code)) ?? null;
  checkMethod(wanted.paymentMethod, market, total, report);
  return errors;
}

/** Null: the business has set no markets, so that any market that has a price will do. */
function findMarket(code: string, { markets = [] }: Configs, report: Problems): Market | null {
  if (markets.length === 0) return null;
  const market = markets.find((each) => same(each.id, code));
  if (!market) report('market', 'NOT_FOUND', `There is no market ${code}.`);
  return market ?? null;
}

type FoundLine = Omit<StoredLine, 'totalPrice' | 'discount'> & { currency: string };

function findLines(
  { items, field, market: code, forCheckout }: Wanted,
  sellables: readonly Sellable[],
  market: Market | null,
  report: Problems,
): (FoundLine | null)[] {
  const asked = new Map<Sellable, number>();
  return items.map((item, i) => {
    const at = `${field}[${i}]`;
    const sellable = sellables.find((each) => each.productId === item.productId && each.variantId === item.variantId);
    if (!sellable?.active) {
      report(`${at}.productId`, 'NOT_FOUND', 'This product or variant is not for sale.');
      return null;
    }
    const price = sellable.prices.find((each) => same(each.marketId, market?.id ?? code));
    if (!price) {
      report(at, 'NOT_AVAILABLE_IN_MARKET', `This variant has no price in market ${code}.`);
      return null;
    }
    const together = (asked.get(sellable) ?? 0) + item.quantity;
    asked.set(sellable, together);
    if (forCheckout && sellable.tracked && sellable.quantity < together) {
      report(`${at}.quantity`, 'INSUFFICIENT_STOCK', `Only ${sellable.quantity} left.`);
    }
    return {
      type: 'PRODUCT_VARIANT',
      productId: item.productId,
      variantId: item.variantId,
      quantity: item.quantity,
      unitPrice: price.price,
      name: lineName(sellable),
      sku: sellable.sku,
      currency: price.currency,
    };
  });
}

export const lineName = ({ productName, variantName }: Sellable) =>
  variantName && variantName !== productName ? `${productName} (${variantName})` : productName;

function checkCurrency(wanted: Wanted, currency: string, lines: (FoundLine | null)[], report: Problems): void {
  if (wanted.currency && currency && !same(wanted.currency, currency)) {
    report('currency', 'CURRENCY_MISMATCH', `The currency of market ${wanted.market} is ${currency}.`);
  }
  for (const [i, line] of lines.entries()) {
    if (line && !same(line.currency, currency)) {
      report(
        `${wanted.field}[${i}]`,
        'CURRENCY_MISMATCH',
        `This variant is priced in ${line.currency}, not ${currency}.`,
      );
    }
  }
}

export function findShipping(
  wanted: Pick<Wanted, 'shippingMethodId' | 'forCheckout'>,
  { shippingMethods = [] }: Configs,
  market: string,
  report: Problems,
): Basket['shipping'] {
  const none = { amount: 0, taxable: false };
  if (shippingMethods.length === 0) return none;
  if (!wanted.shippingMethodId) {
    const inMarket = shippingMethods.some((method) => method.prices.some((price) => same(price.market, market)));
    if (wanted.forCheckout && inMarket) report('shippingMethodId', 'REQUIRED', 'shippingMethodId is required.');
    return none;
  }
  const method = shippingMethods.find((each) => each.id === wanted.shippingMethodId);
  const price = method?.prices.find((each) => same(each.market, market));
  if (!method || !price) {
    report('shippingMethodId', 'NOT_FOUND', `There is no such shipping method in market ${market}.`);
    return none;
  }
  return { amount: price.amount, freeAbove: price.freeAbove, taxable: method.taxable ?? false };
}

/** Null: no code is wanted, or it cannot be used. */
export function applyPromo(
  wanted: Pick<Wanted, 'promoCode'>,
  facts: Pick<Facts, 'promo' | 'nowSeconds'>,
  market: string,
  lines: PromoBasket['lines'],
  report: Problems,
): Applied | null {
  if (wanted.promoCode === null) return null;
  const applied = checkPromo(facts.promo, { market, lines, nowSeconds: facts.nowSeconds });
  if (typeof applied !== 'string') return applied;
  report('promoCode', applied, PROMO_MESSAGES[applied]);
  return null;
}

export const isCard = (method: string) => (CARD_METHODS as readonly string[]).includes(method);

/** What costs nothing needs no method. */
function checkMethod(method: string | null | undefined, market: Market | null, total: number, report: Problems): void {
  if (!method || total === 0) return;
  const accepted = market?.paymentMethods ?? [];
  const name = isCard(method) ? 'CREDIT_CARD' : method;
  if (name === 'FREE') report('paymentMethod', 'INVALID_VALUE', 'This order is not free.');
  else if (accepted.length > 0 && !accepted.some((each) => each.method === name)) {
    report('paymentMethod', 'INVALID_VALUE', `Market ${market?.id} does not take ${method}.`);
  }
}
