/**
 * Pricing: what a basket costs. A **basket** is what a customer asks for; **priced**, it has lines and sums. A **quote** is a
 * price that is honoured for a while. A **promo code** takes something off; each order that has it counts as a **use**.
 *
 * Invariants: one pure function prices quotes, checkouts and orders, in integers of minor units. total = subtotal + tax +
 * shipping − discount. The uses of a code, in all and by one user, never pass its limits, whoever uses it at the same moment.
 */
import type { Platform } from '../../context/index.ts';
import { deleteExpiredQuotes } from './quote-queries.ts';

export {
  applyPromo,
  findShipping,
  isCard,
  lineName,
  type Priced,
  type Problems,
  type StoredLine,
  type Sums,
  same,
  wantedOf,
} from './basket.ts';
export { type Basket, findTooLarge, MAX_MONEY, priceBasket } from './pricing.ts';
export { createPromo, viewPromo } from './promo-codes.ts';
export {
  findPromoByCode,
  listPromosForExport,
  returnPromo,
  type UsablePromo,
  usePromo,
  usePromoOrAbort,
  usePromosAgain,
} from './promo-queries.ts';
export { promoUsedUp } from './promo-rules.ts';
export { PromoInput } from './promo-schemas.ts';
export { honourQuote, priceWanted } from './quote.ts';
export {
  BASKET_BYTES,
  BASKET_EXAMPLE,
  Items,
  LineType,
  MAX_LINES,
  OrderLine,
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
