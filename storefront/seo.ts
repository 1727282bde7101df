/** Structured data for search engines (schema.org). */
import { type Collection, type Entry, type Product, priceIn } from '@souk/client';
import { plainText } from './markup.ts';
import type { Site } from './page.ts';
import { absolute, isAvailable, localText } from './site.ts';
import { coverOf, excerptOf, ownLocale, postPath, publishedAt, textOf, titleOf } from './writing/posts.tsx';

const full = (url: string, { origin }: Site) => new URL(url, origin).href;

export function organization(site: Site): object {
  const { business, config } = site;
  const logo = config.theme?.logo ?? business.configs.brand?.logo;
  const { legalName, address } = business.configs.profile ?? {};
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: site.name,
    url: absolute(site, '/'),
    ...(logo && { logo: full(logo.url, site) }),
    ...(legalName && { legalName }),
    ...(address && {
      address: {
        '@type': 'PostalAddress',
        streetAddress: address.street,
        addressLocality: address.city,
        addressRegion: address.state,
        postalCode: address.zip,
        addressCountry: address.country,
      },
    }),
    ...(config.social && { sameAs: config.social.map(({ url }) => url) }),
  };
}

/** The site with its search. */
export const website = (site: Site): object => ({
  '@context': 'https://schema.org',
  '@type': 'WebSite',
  name: site.name,
  url: absolute(site, '/'),
  ...(site.config.description && { description: localText(site.config.description, site) }),
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${absolute(site, '/products')}?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
});

export type Crumb = { name: string; path: string };

export const breadcrumbs = (site: Site, crumbs: Crumb[]): object => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ name, path }, i) => ({
    '@type': 'ListItem',
    position: i + 1,
    name,
    item: absolute(site, path),
  })),
});

export function productData(site: Site, product: Product): object {
  const url = absolute(site, `/products/${product.slug}`);
  const offers = product.variants.flatMap((variant) => {
    const price = priceIn(variant, site.market.id);
    if (!price) return [];
    return {
      '@type': 'Offer',
      url,
      priceCurrency: price.currency.toUpperCase(),
      price: amount(price.price, price.currency),
      availability: `https://schema.org/${isAvailable(variant, site) ? 'InStock' : 'OutOfStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
      ...(variant.sku && { sku: variant.sku }),
      ...(variant.barcode && { gtin: variant.barcode }),
      seller: { '@type': 'Organization', name: site.name },
    };
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    url,
    description: plainText(product.description, 5000),
    image: product.gallery.map((media) => full(media.url, site)),
    ...(product.variants[0]?.sku && { sku: product.variants[0].sku }),
    ...(product.category && { category: product.category }),
    ...(offers.length > 0 && { offers: offers.length === 1 ? offers[0] : offers }),
  };
}

/** The parts of a locked post that need access are marked for search engines. */
export const articleData = (site: Site, collection: Collection, entry: Entry): object => {
  const cover = coverOf(entry);
  const author = textOf(entry, 'author', site);
  const url = absolute(site, postPath(collection, entry), ownLocale(entry, site));
  return {
    '@context': 'https://schema.org',
    '@type': collection.type === 'NEWSLETTER' ? 'Article' : 'BlogPosting',
    headline: titleOf(entry, site),
    url,
    mainEntityOfPage: url,
    datePublished: new Date(publishedAt(entry) * 1000).toISOString(),
    dateModified: new Date(entry.updatedAt * 1000).toISOString(),
    description: excerptOf(entry, site),
    inLanguage: entry.locale,
    ...(cover && { image: [full(cover.url, site)] }),
    author: author ? { '@type': 'Person', name: author } : { '@type': 'Organization', name: site.name },
    publisher: { '@type': 'Organization', name: site.name, url: absolute(site, '/') },
    isAccessibleForFree: (entry.access ?? 'PUBLIC') === 'PUBLIC',
    ...(entry.locked && {
      hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.paywall' },
    }),
  };
};

/** A price as schema.org and feeds write it: `49.00`. */
export function amount(minor: number, currency: string): string {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).resolvedOptions()
      .maximumFractionDigits ?? 2;
  return (minor / 10 ** digits).toFixed(digits);
}
