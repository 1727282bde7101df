import { type BusinessRow, siteUrl } from '../../businesses/index.ts';
import type { Query } from '../context.ts';

/** The cart page of the storefront. The link in a reminder adds `?restore=`. */
export const cartPage = (ctx: Pick<Query, 'businesses' | 'publicUrl'>, business: BusinessRow): string =>
  business.configs.cartReminder?.url ?? `${siteUrl(ctx, business)}/cart`;
