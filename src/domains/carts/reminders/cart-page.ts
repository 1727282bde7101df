import type { BusinessRow } from '../../businesses/index.ts';

/** The cart page of the storefront. The link in a reminder adds `?restore=`. */
export const cartPage = ({ slug, configs }: Pick<BusinessRow, 'slug' | 'configs'>, publicUrl: string): string =>
  configs.cartReminder?.url ?? `${publicUrl}/s/${encodeURIComponent(slug)}/cart`;
