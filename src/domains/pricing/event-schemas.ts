import { PromoCode } from './promos/schemas.ts';

/** The data of each event type. */
export const pricingEvents = {
  'promo_code.created': PromoCode,
  'promo_code.updated': PromoCode,
  'promo_code.deleted': PromoCode,
};
