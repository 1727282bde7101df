import type { OrderView } from '../../domains/orders/index.ts';
import { type Html, html } from '../page.ts';

/** The logo or name of the business, as a link to its open storefront. */
export function shopLink({ shop, businessName }: OrderView): Html | null {
  if (!shop) return null;
  const brand = shop.logo ? html`<img src="${shop.logo}" alt="${businessName}">` : businessName;
  return html`<p><a class="brand" href="${shop.url}">${brand}</a></p>`;
}
