/** Small functions that every page uses. */
import { formatMoney, type Media, type Product, priceIn, type Variant } from '@souk/client';
import type { Site, SiteInfo } from './page.ts';

/** The URL of a path of the site, in the same language and market. */
export function link(site: SiteInfo, path: string, locale = site.locale): string {
  const prefix = locale === site.locales[0] ? '' : `/${locale}`;
  const url = `${site.base}${prefix}${path === '/' && site.base + prefix !== '' ? '' : path}`;
  if (site.market.id === site.defaultMarketId) return url;
  const [page = '', ...fragment] = url.split(/(?=#)/);
  return `${page}${page.includes('?') ? '&' : '?'}market=${encodeURIComponent(site.market.id)}${fragment.join('')}`;
}

/** A link in the settings: a path of the site, or a full URL. */
export const target = (site: SiteInfo, url: string) => (url.startsWith('/') ? link(site, url) : url);

/** A URL with the origin, in the same market. */
export const absoluteLink = (site: SiteInfo, path: string, locale = site.locale) =>
  site.canonical.origin + link({ ...site, base: site.canonical.base }, path, locale);

/** A URL for search engines, always with the origin and without the market. */
export const absolute = (site: SiteInfo, path: string, locale = site.locale) =>
  absoluteLink({ ...site, market: { ...site.market, id: site.defaultMarketId } }, path, locale);

/** A string from the settings, or one string per locale. */
export function localText(text: string | Record<string, string> | undefined, { locale, locales }: SiteInfo): string {
  if (text === undefined || typeof text === 'string') return text ?? '';
  const language = locale.split(/[-_]/)[0]!;
  return text[locale] ?? text[language] ?? text[locales[0]!] ?? Object.values(text)[0] ?? '';
}

export const money = (amount: number, currency: string, { locale }: SiteInfo) => formatMoney(amount, currency, locale);

export const date = (seconds: number, { locale, timeZone }: Pick<SiteInfo, 'locale' | 'timeZone'>) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(seconds * 1000);

/** A date and time with its zone, such as "May 1, 2026, 2:05 PM GMT+2". */
export const dateTime = (seconds: number, { locale, timeZone }: SiteInfo) =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(seconds * 1000);

/** Replaces `{name}` in a string. */
export const fill = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

export const isAvailable = ({ inventory, ...variant }: Variant, { market }: SiteInfo) =>
  priceIn(variant, market.id) !== undefined && (!inventory.tracked || inventory.quantity > 0);

export const firstAvailable = ({ variants }: Product, site: SiteInfo) =>
  variants.find((each) => isAvailable(each, site));

/** The prices of the variants in the market of the site, lowest first. */
const pricesOf = ({ variants }: Product, { market }: SiteInfo) =>
  variants.flatMap((variant) => priceIn(variant, market.id) ?? []).sort((a, b) => a.price - b.price);

export const lowestPrice = (product: Product, site: SiteInfo) => pricesOf(product, site)[0];

/** Whether variants have different prices in the market of the site. */
export const hasPriceRange = (product: Product, site: SiteInfo) =>
  pricesOf(product, site).some(({ price }, _, [lowest]) => price > lowest!.price);

type Priced = NonNullable<ReturnType<typeof lowestPrice>>;
/** "Free", "€12.00" or, for the lowest of several prices, "From €12.00". */
export function priceText(
  { price, currency }: Priced,
  site: SiteInfo & { texts: Pick<Site['texts'], 'product'> },
  isLowest = false,
) {
  const { product: words } = site.texts;
  if (isLowest) return fill(words.from, { price: money(price, currency, site) });
  return price === 0 ? words.free : money(price, currency, site);
}

type Units = { texts: Pick<Site['texts'], 'catalog'> };

/** The price per kilogram or liter, which the law requires next to the price. */
export function unitPriceOf(
  { amount, per, quantity }: NonNullable<Priced['unitPrice']>,
  currency: string,
  site: SiteInfo & Units,
) {
  const unit = site.texts.catalog[`unit_${per}` as 'unit_kg'] ?? per;
  const number = quantity === 1 ? '' : `${new Intl.NumberFormat(site.locale).format(quantity)} `;
  return `${money(amount, currency, site)} / ${number}${unit}`;
}

export const altOf = ({ alt }: Media, site: SiteInfo, fallback = '') =>
  localText(alt as string | Record<string, string> | undefined, site) || fallback;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Also drops characters that XML does not allow. */
export const escapeXml = (text: string) =>
  text.replace(/[^\t\n\r -\ufffd]/g, '').replace(/[&<>"']/g, (each) => ENTITIES[each]!);

/** The part of the site that is sent to the browser. */
export const infoOf = ({
  base,
  origin,
  canonical,
  businessId,
  name,
  locale,
  locales,
  timeZone,
  market,
  ...site
}: Site): SiteInfo => ({
  base,
  origin,
  canonical,
  businessId,
  name,
  locale,
  locales,
  timeZone,
  market,
  defaultMarketId: site.defaultMarketId,
  preview: site.preview,
  demo: site.demo,
});
