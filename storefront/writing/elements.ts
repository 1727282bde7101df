/** Products in the rich text of posts, with their current price and stock. */
import { type Client, isSoukError, type Product } from '@souk/client';
import { replaceElements } from '../markup.ts';
import type { Site, SiteInfo } from '../page.ts';
import { altOf, firstAvailable, hasPriceRange, link, lowestPrice, priceText, unitPriceOf } from '../site.ts';

const MAX_PRODUCTS = 50;
const PRODUCT = /<div data-product="([^"]*)">/g;

type Shown = SiteInfo & { texts: Pick<Site['texts'], 'product' | 'catalog'> };
export type EmbeddedProducts = Record<string, Product>;

const idsIn = (html: string) => [...html.matchAll(PRODUCT)].map(([, id]) => id!);

/** The products in this text that everyone can see, by ID. */
export async function loadProducts(souk: Client, texts: readonly string[]): Promise<EmbeddedProducts> {
  const ids = [...new Set(texts.flatMap(idsIn))].slice(0, MAX_PRODUCTS);
  if (ids.length === 0) return {};
  const found = await souk.products
    .list({ ids, limit: ids.length })
    .take(ids.length)
    .catch((error) => {
      if (isSoukError(error, 'NOT_FOUND', 'VALIDATION_FAILED')) return [];
      throw error;
    });
  return Object.fromEntries(found.map((product) => [product.id, product]));
}

/** Rich text in which each product is a card. Products that are no longer for sale are left out. */
export const withProducts = (html: string, products: EmbeddedProducts, site: Shown): string =>
  replaceElements(
    html,
    PRODUCT,
    () => '</div>',
    (id) => (products[id] ? card(products[id], site) : ''),
  );

function card(product: Product, site: Shown): string {
  const { product: words } = site.texts;
  const [image] = product.gallery;
  const price = lowestPrice(product, site);
  const shown = image
    ? `<img src="${escapeHtml(image.resolutions?.medium?.url ?? image.url)}" alt="${escapeHtml(altOf(image, site))}" loading="lazy" width="120">`
    : '';
  const facts = [
    price && priceText(price, site, hasPriceRange(product, site)),
    price?.unitPrice && unitPriceOf(price.unitPrice, price.currency, site),
    !firstAvailable(product, site) && words.soldOut,
  ].filter((text) => typeof text === 'string');
  return (
    `<div class="product-element">${shown}<p><a href="${escapeHtml(link(site, `/products/${product.slug}`))}">${escapeHtml(product.name)}</a>` +
    `${facts.map((text) => `<span>${escapeHtml(text)}</span>`).join('')}</p></div>`
  );
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
