/** Turns a cart request into a price. Reports all errors at once. Pure. */
import type { TaxQuote } from '../../providers/tax/port.ts';
import { type FieldError, invalidField } from '../../shared/errors.ts';
import type { Configs, Market } from '../businesses/index.ts';
import type { Sellable } from '../catalog/index.ts';
import { type Addresses, addressesOf, checkAddresses, withDefaults } from './addresses/addresses.ts';
import { isSameText, type ReportError } from './errors.ts';
import { findTooLarge, MAX_MONEY, priceCart, type Totals } from './pricing.ts';
import { type Applied, checkPromo, PROMO_MESSAGES, type PromoCart, type PromoTerms } from './promos/rules.ts';
import { CARD_METHODS, type ItemInput, type OrderLine } from './schemas.ts';
import { type CarrierRates, checkDelivery, findShipping, parcelOf } from './shipping.ts';
import type { TaxDetails, TaxMode } from './taxes/tax-amounts.ts';
import { taxesOf } from './taxes/taxes.ts';
import type { VatCheck } from './vat/check.ts';

/**
 * A line as stored. `name` combines the product and variant names. Lines stored by older versions have no other details. A line has
 * an `id` once the lines of its order have changed. Until then, its position is its ID.
 */
export type StoredLine = Omit<OrderLine, LineDetail | 'product'> & {
  productName?: string | undefined;
  taxClassId?: string | undefined;
} & Partial<Pick<OrderLine, LineDetail>>;
type LineDetail = 'id' | 'variantName' | 'options' | 'image' | 'tax' | 'taxBps' | 'requiresShipping';

/** The line as the API shows it. */
export const showLine = ({ productName, taxClassId: _, ...line }: StoredLine, position: number): OrderLine => ({
  variantName: '',
  options: [],
  image: null,
  tax: 0,
  taxBps: 0,
  requiresShipping: true,
  ...line,
  id: lineId(line, position),
  name: productName ?? line.name,
});

export const lineId = ({ id }: Pick<StoredLine, 'id'>, position: number) => id ?? `line_${position + 1}`;

export type CartRequest = Addresses & {
  market: string;
  currency?: string | null | undefined;
  paymentMethod?: string | null | undefined;
  shippingMethodId?: string | null | undefined;
  pickupLocationId?: string | null | undefined;
  items: readonly ItemInput[];
  /** The field name the request used for its items. */
  field: 'items' | 'lines';
  promoCode: string | null;
  /** A checkout requires a shipping method and enough stock; a quote doesn't. */
  forCheckout: boolean;
};

type Facts = {
  configs: Configs;
  sellables: readonly Sellable[];
  promo: (PromoTerms & { id: string; code: string }) | null;
  /** Whether the VAT ID of the addresses is valid. */
  vatValid: boolean;
  carrierRates?: CarrierRates;
  /** Tax from a provider, which replaces the tax rates. */
  taxQuote?: TaxQuote | null;
  nowSeconds: number;
};

/** A cart that can be ordered. */
export type Priced = Totals &
  TaxDetails &
  Addresses & {
    market: string;
    currency: string;
    taxMode: TaxMode;
    lines: StoredLine[];
    shippingMethodId: string | null;
    pickupLocationId: string | null;
    promoCode: string | null;
    promoId: string | null;
    /** Missing if the tax does not depend on a VAT ID. */
    vatCheck?: VatCheck;
  };

type CartInput = Pick<CartRequest, 'market' | 'currency' | 'paymentMethod' | 'shippingMethodId' | 'pickupLocationId'> &
  Parameters<typeof addressesOf>[0] & {
    items?: ItemInput[];
    lines?: ItemInput[];
    promoCode?: string | null;
  };

/** Normalizes a request. `lines` is an alias of `items`; a request with neither fails with 422. */
export function cartRequestOf(input: CartInput, { forCheckout }: { forCheckout: boolean }): CartRequest {
  const { market, currency, paymentMethod, shippingMethodId, pickupLocationId, items = input.lines } = input;
  if (!items) throw invalidField('items', 'REQUIRED', 'items is required.');
  return {
    market,
    currency,
    paymentMethod,
    shippingMethodId,
    pickupLocationId,
    ...addressesOf(input),
    items,
    forCheckout,
    field: input.items ? 'items' : 'lines',
    promoCode: input.promoCode?.trim() || null,
  };
}

/** Market, lines and addresses. `lines` contains those that can be sold. */
export function resolveCart(
  request: CartRequest,
  { configs, sellables }: Pick<Facts, 'configs' | 'sellables'>,
  report: ReportError,
) {
  const market = findMarket(request.market, configs, report);
  const found = findLines(request, sellables, market, report);
  const lines = found.filter((line) => line !== null);
  const currency = market?.currency ?? lines[0]?.currency ?? request.currency ?? '';
  checkCurrency(request, currency, found, report);
  const addresses = checkAddresses(request, configs, request, report);
  return { market, currency, lines, addresses, parcel: parcelOf(lines) };
}

export function checkCart(request: CartRequest, facts: Facts): { priced: Priced } | { errors: FieldError[] } {
  const errors: FieldError[] = [];
  const report: ReportError = (field, error, message) => errors.push({ field, error, message });
  const { market, currency, lines, addresses, parcel } = resolveCart(request, facts, report);
  const code = market?.id ?? request.market;
  const { price, pickup, ...delivery } = findShipping(
    { ...request, ...addresses, carrierRates: facts.carrierRates },
    facts.configs,
    code,
    parcel,
    report,
  );
  if (errors.length > 0) return { errors };

  const tooLarge = findTooLarge(lines);
  if (tooLarge !== null) {
    const field = tooLarge === 'sum' ? request.field : `${request.field}[${tooLarge}].quantity`;
    return { errors: [{ field, error: 'OUT_OF_RANGE', message: `The amount must be at most ${MAX_MONEY}.` }] };
  }
  const applied = applyPromo(request, facts, code, lines, report);
  const { lines: parts, ...totals } = priceCart({
    lines,
    taxMode: market?.taxMode ?? 'EXCLUSIVE',
    taxes: {
      ...taxesOf(
        facts.configs,
        { id: code, taxBps: market?.taxBps ?? 0 },
        { ...addresses, pickup, vatValid: facts.vatValid },
      ),
      quoted: facts.taxQuote,
    },
    shipping: price,
    discounts: applied?.discounts ?? [],
    discountedProducts: applied?.products ?? null,
  });
  if (totals.total > MAX_MONEY) report(request.field, 'OUT_OF_RANGE', `The total must be at most ${MAX_MONEY}.`);
  checkMethod(request.paymentMethod, market, totals.total, report);
  if (errors.length > 0) return { errors };
  return {
    priced: {
      ...totals,
      market: code,
      currency,
      taxMode: market?.taxMode ?? 'EXCLUSIVE',
      lines: lines.map(({ currency: _, ...line }, i) => ({ ...line, ...parts[i]! })),
      ...addresses,
      ...delivery,
      promoCode: applied === null ? null : (facts.promo?.code ?? null),
      promoId: applied === null ? null : (facts.promo?.id ?? null),
    },
  };
}

/**
 * Checks the choices that a quote may leave open but an order may not: addresses, shipping and payment method. Does not change the price.
 */
export function checkChoices(
  priced: Priced,
  request: CartRequest,
  configs: Configs,
): { priced: Priced; errors: FieldError[] } {
  const { market: code, shippingMethodId, total, lines } = priced;
  const errors: FieldError[] = [];
  const report: ReportError = (field, error, message) => errors.push({ field, error, message });
  const addresses = checkAddresses(withDefaults(request, priced), configs, request, report);
  const parcel = parcelOf(lines);
  const chosen = { ...request, ...addresses, shippingMethodId };
  const method = configs.shippingMethods?.find(({ id }) => id === shippingMethodId);
  if (shippingMethodId === null) findShipping(chosen, configs, code, parcel, report);
  else if (parcel.isShipped) checkDelivery(chosen, configs, code, method, report);
  const market = configs.markets?.find((each) => isSameText(each.id, code)) ?? null;
  checkMethod(request.paymentMethod, market, total, report);
  return { priced: { ...priced, ...addresses }, errors };
}

/** Null if the business has no markets configured; then any market with a price is accepted. */
function findMarket(code: string, { markets = [] }: Configs, report: ReportError): Market | null {
  if (markets.length === 0) return null;
  const market = markets.find((each) => isSameText(each.id, code));
  if (!market) report('market', 'NOT_FOUND', `Market ${code} does not exist.`);
  return market ?? null;
}

type FoundLine = Omit<StoredLine, 'totalPrice' | 'discount' | 'tax' | 'taxBps'> & { currency: string };

function findLines(
  { items, field, market: code, forCheckout }: CartRequest,
  sellables: readonly Sellable[],
  market: Market | null,
  report: ReportError,
): (FoundLine | null)[] {
  const quantities = new Map<Sellable, number>();
  return items.map((item, i) => {
    const at = `${field}[${i}]`;
    const sellable = sellables.find((each) => each.productId === item.productId && each.variantId === item.variantId);
    if (!sellable?.active) {
      report(`${at}.productId`, 'NOT_FOUND', 'This product or variant is not for sale.');
      return null;
    }
    const price = sellable.prices.find((each) => isSameText(each.marketId, market?.id ?? code));
    if (!price) {
      report(at, 'NOT_AVAILABLE_IN_MARKET', `This variant has no price in market ${code}.`);
      return null;
    }
    const requested = (quantities.get(sellable) ?? 0) + item.quantity;
    quantities.set(sellable, requested);
    if (forCheckout && sellable.tracked && sellable.quantity < requested) {
      report(`${at}.quantity`, 'INSUFFICIENT_STOCK', stockMessage(sellable.quantity));
    }
    return {
      type: 'PRODUCT_VARIANT',
      productId: item.productId,
      variantId: item.variantId,
      quantity: item.quantity,
      unitPrice: price.price,
      ...lineDetails(sellable),
      currency: price.currency,
    };
  });
}

export const stockMessage = (available: number) =>
  available > 0 ? `Only ${available} left in stock.` : 'Out of stock.';

/** The variant details stored on a line, so that it can be shown after the product was changed or deleted. */
export const lineDetails = ({ productName, variantName, sku, options = [], image = null, ...sellable }: Sellable) => ({
  name: variantName && variantName !== productName ? `${productName} (${variantName})` : productName,
  productName,
  variantName,
  sku,
  options,
  image,
  ...shippedAs(sellable),
});

type ShippedAs = Pick<StoredLine, 'taxClassId' | 'weight' | 'requiresShipping'>;

/** Tax class, weight and whether the variant is shipped, where they are not the default. */
export const shippedAs = ({ taxClassId = 'standard', weight, requiresShipping = true }: ShippedAs): ShippedAs => ({
  ...(taxClassId === 'standard' ? {} : { taxClassId }),
  ...(weight === undefined ? {} : { weight }),
  ...(requiresShipping ? {} : { requiresShipping }),
});

function checkCurrency(request: CartRequest, currency: string, lines: (FoundLine | null)[], report: ReportError): void {
  if (request.currency && currency && !isSameText(request.currency, currency)) {
    report('currency', 'CURRENCY_MISMATCH', `currency must be ${currency} for market ${request.market}.`);
  }
  for (const [i, line] of lines.entries()) {
    if (line && !isSameText(line.currency, currency)) {
      report(
        `${request.field}[${i}]`,
        'CURRENCY_MISMATCH',
        `This variant is priced in ${line.currency}, not ${currency}.`,
      );
    }
  }
}

/** Null if there is no code or it can't be used. */
export function applyPromo(
  request: Pick<CartRequest, 'promoCode'>,
  facts: Pick<Facts, 'promo' | 'nowSeconds'>,
  market: string,
  lines: PromoCart['lines'],
  report: ReportError,
): Applied | null {
  if (request.promoCode === null) return null;
  const applied = checkPromo(facts.promo, { market, lines, nowSeconds: facts.nowSeconds });
  if (typeof applied !== 'string') return applied;
  report('promoCode', applied, PROMO_MESSAGES[applied]);
  return null;
}

export const isCard = (method: string) => (CARD_METHODS as readonly string[]).includes(method);

/** A total of 0 requires no payment method. */
function checkMethod(
  method: string | null | undefined,
  market: Market | null,
  total: number,
  report: ReportError,
): void {
  if (!method || total === 0) return;
  const accepted = market?.paymentMethods ?? [];
  const name = isCard(method) ? 'CREDIT_CARD' : method;
  if (name === 'FREE')
    report('paymentMethod', 'INVALID_VALUE', 'FREE is only allowed if the total is 0. Choose another payment method.');
  // Without a list, a market accepts all methods except bank transfer, which needs an account.
  else if ((accepted.length > 0 || name === 'BANK_TRANSFER') && !accepted.some((each) => each.method === name)) {
    report(
      'paymentMethod',
      'INVALID_VALUE',
      market ? `Market ${market.id} does not accept ${method}.` : `This shop does not accept ${method}.`,
    );
  }
}
