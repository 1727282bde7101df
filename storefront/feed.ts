/** Products for Google Merchant Center and other marketplaces: RSS 2.0 with one item per variant. */
import { type Client, type Product, priceIn, type Variant } from '@souk/client';
import { plainText } from './markup.ts';
import type { Site } from './page.ts';
import { amount } from './seo.ts';
import { absoluteLink, escapeXml, isAvailable } from './site.ts';

const MAX_IMAGES = 10;

export async function* writeProductFeed(site: Site, souk: Client): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>
${element('title', site.name)}${element('link', absoluteLink(site, '/'))}${element('description', site.name)}`;
  for await (const { items } of souk.products.list({ limit: 100, sort: 'oldest' }).pages()) {
    yield items.flatMap((product) => product.variants.map((variant) => item(site, product, variant))).join('');
  }
  yield '</channel></rss>\n';
}

function item(site: Site, product: Product, variant: Variant): string {
  const price = priceIn(variant, site.market.id);
  if (!price) return '';
  const { currency, compareAtPrice: before } = price;
  const isReduced = before != null && before > price.price;
  const money = (minor: number) => `${amount(minor, currency)} ${currency.toUpperCase()}`;
  const images = (variant.gallery?.length ? variant.gallery : product.gallery).map(
    ({ url }) => new URL(url, site.origin).href,
  );
  const isOnly = product.variants.length === 1;
  return `<item>${[
    element('g:id', variant.sku || `${product.id}-${variant.id}`),
    element('g:title', isOnly ? product.name : `${product.name} – ${variant.name}`),
    element('g:description', plainText(product.description, 5000) || product.name),
    element('g:link', absoluteLink(site, `/products/${product.slug}`)),
    ...images.slice(0, 1).map((url) => element('g:image_link', url)),
    ...images.slice(1, MAX_IMAGES).map((url) => element('g:additional_image_link', url)),
    element('g:availability', isAvailable(variant, site) ? 'in_stock' : 'out_of_stock'),
    element('g:price', money(isReduced ? before : price.price)),
    isReduced ? element('g:sale_price', money(price.price)) : '',
    element('g:condition', 'new'),
    product.category ? element('g:product_type', product.category) : '',
    isOnly ? '' : element('g:item_group_id', product.id),
    variant.barcode ? element('g:gtin', variant.barcode) : element('g:identifier_exists', 'no'),
    variant.weight ? element('g:shipping_weight', `${variant.weight} g`) : '',
  ].join('')}</item>\n`;
}

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;
