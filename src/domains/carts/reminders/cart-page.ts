import { type BusinessRow, siteUrl } from '../../businesses/index.ts';
import type { Query } from '../context.ts';

/** The cart page of the storefront, or null if it is closed. The link in a reminder adds `?restore=`. */
export function cartPage(ctx: Pick<Query, 'businesses' | 'publicUrl'>, business: BusinessRow): string | null {
  const { cartReminder, storefront } = business.configs;
  return cartReminder?.url ?? (storefront?.enabled ? `${siteUrl(ctx, business)}/cart` : null);
}
