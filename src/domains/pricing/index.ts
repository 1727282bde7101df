/**
 * Pricing: the price of a cart. A priced **cart** has lines and totals. A **quote** is a price guaranteed for a limited time. A
 * **promo code** grants discounts; each order with the code counts as a **use**.
 *
 * Invariants: one pure function prices quotes, checkouts and orders, in integer minor units. total = subtotal + tax +
 * shipping − discount. The uses of a code, overall and per user, never exceed its limits, even under concurrent use.
 */
import type { Platform } from '../../context/index.ts';
import { createOutbound } from '../../providers/outbound/index.ts';
import { createJsonCalls } from '../../providers/outbound/json-call.ts';
import { httpCarriers } from '../../providers/shipping/http.ts';
import { httpTaxProvider } from '../../providers/tax/http.ts';
import { vies } from '../../providers/vies/http.ts';
import { deleteExpiredQuotes } from './quote-queries.ts';
import type { Pricing } from './service.ts';
import { deleteOldVatChecks } from './vat/queries.ts';

export { type Addresses, addressesOf, addressOf, checkAddresses, isSamePlace } from './addresses/addresses.ts';
export { multiplyRoundHalfUp, spread } from './amounts.ts';
export { hasCarrier, listCarrierRates } from './carrier-rates.ts';
export {
  applyPromo,
  type CartRequest,
  cartRequestOf,
  checkCart,
  isCard,
  lineDetails,
  lineId,
  type Priced,
  type StoredLine,
  shippedAs,
  showLine,
  stockMessage,
} from './cart.ts';
export type { PricingServices } from './context.ts';
export { isSameText, type ReportError } from './errors.ts';
export { pricingEvents } from './event-schemas.ts';
export { vatCheckData } from './personal-data.ts';
export { priceSellable } from './price-sellable.ts';
export { type Cart, displayOf, findTooLarge, MAX_MONEY, type Price, priceCart, type Totals } from './pricing.ts';
export { addPromo, createPromo, viewPromo } from './promos/codes.ts';
export {
  countImportedUses,
  findPromoByCode,
  listPromosForExport,
  returnPromo,
  type UsablePromo,
  usePromo,
  usePromoOrAbort,
} from './promos/queries.ts';
export { promoUsedUp } from './promos/rules.ts';
export { PromoInput } from './promos/schemas.ts';
export { honorQuote, priceCartRequest } from './quote.ts';
export {
  addresses,
  addressInputs,
  CART_BYTES,
  CART_EXAMPLE,
  CartItems,
  Display,
  Items,
  LineId,
  LineType,
  MAX_LINES,
  OrderLine,
  PAYMENT_METHODS,
  PaymentMethod,
  PromoCodeText,
  Quote,
  ShippingMethodId,
  TaxLine,
  taxes,
  totals,
  VariantId,
} from './schemas.ts';
export { type CarrierRates, findShipping, parcelOf } from './shipping.ts';
export { showPrice, withTaxDetails } from './show-price.ts';
export type { TaxDetails, TaxMode } from './taxes/tax-amounts.ts';
export { findTaxQuote, taxAddressOf } from './taxes/tax-quote.ts';
export { taxRowsOf } from './taxes/tax-rows.ts';
export { taxesOf, vatIdOf } from './taxes/taxes.ts';
export { checkVatId, findStoredCheck, VAT_CHECKS, type VatCheck, vatIdToCheck } from './vat/check.ts';
export { VAT_RATES } from './vat/rates.ts';

const VAT_CHECKS_KEPT_SECONDS = 90 * 86_400;

export function createPricing(platform: Platform): Pricing {
  const { config } = platform;
  platform.handleJobs({
    name: 'quotes-upkeep',
    cron: '*/15 * * * *',
    async handle(ctx) {
      await ctx.write((tx) => deleteExpiredQuotes(tx, ctx.now));
      await ctx.write((tx) => deleteOldVatChecks(tx, ctx.now - VAT_CHECKS_KEPT_SECONDS));
    },
  });
  const calls = createJsonCalls(createOutbound({ allow: config.outboundAllow }));
  return { carriers: httpCarriers(calls), taxProvider: httpTaxProvider(calls), vatIds: vies(calls, config.viesUrl) };
}
