/**
 * Pricing: the price of a cart. A priced **cart** has lines and totals. A **quote** is a price guaranteed for a limited time. A
 * **promo code** grants discounts; each order with the code counts as a **use**.
 *
 * Invariants: one pure function prices quotes, checkouts and orders, in integer minor units. total = subtotal + tax +
 * shipping − discount. The uses of a code, overall and per user, never exceed its limits, even under concurrent use.
 */
import type { Platform } from '../../context/index.ts';
import { deleteExpiredQuotes } from './quote-queries.ts';

export {
  applyPromo,
  cartRequestOf,
  checkCart,
  findShipping,
  isCard,
  isSameText,
  lineDetails,
  lineId,
  type Priced,
  type ReportError,
  type StoredLine,
  showLine,
  stockMessage,
} from './cart.ts';
export { type Cart, displayOf, findTooLarge, MAX_MONEY, priceCart, type Sums } from './pricing.ts';
export { addPromo, createPromo, viewPromo } from './promo-codes.ts';
export {
  countImportedUses,
  findPromoByCode,
  listPromosForExport,
  returnPromo,
  type UsablePromo,
  usePromo,
  usePromoOrAbort,
} from './promo-queries.ts';
export { promoUsedUp } from './promo-rules.ts';
export { PromoInput } from './promo-schemas.ts';
export { honorQuote, priceCartRequest } from './quote.ts';
export {
  CART_BYTES,
  CART_EXAMPLE,
  Display,
  Items,
  LineId,
  LineType,
  OrderLine,
  PAYMENT_METHODS,
  PaymentMethod,
  PromoCodeText,
  ShippingMethodId,
  sums,
  VariantId,
} from './schemas.ts';

export function registerPricing(platform: Platform): void {
  platform.handleJobs({
    name: 'quotes-upkeep',
    cron: '*/15 * * * *',
    handle: (ctx) => ctx.write((tx) => deleteExpiredQuotes(tx, ctx.now)),
  });
}
