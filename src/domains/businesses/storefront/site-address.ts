import type { Query } from '../context.ts';
import type { BusinessRow } from '../queries.ts';

type Ctx = Pick<Query, 'businesses' | 'publicUrl'>;

/** The address of the storefront: the first verified host, or a path under /s/{slug}. */
export function siteAddress(
  { businesses, publicUrl }: Ctx,
  { id, slug, configs }: Pick<BusinessRow, 'id' | 'slug' | 'configs'>,
): { origin: string; base: string } {
  const { origin, protocol } = new URL(publicUrl());
  const host = configs.storefront?.hosts?.find((each) => businesses.hosts.ownerOf(each) === id);
  return host ? { origin: `${protocol}//${host}`, base: '' } : { origin, base: `/s/${encodeURIComponent(slug)}` };
}

/**
 * The base URL of the order and newsletter pages that emails link to: the host of an open storefront. Their tokens may be sent to
 * that host, because the business owns the data they show.
 */
export function mailedPagesUrl(ctx: Ctx, business: Pick<BusinessRow, 'id' | 'slug' | 'configs'>): string {
  const { origin, base } = siteAddress(ctx, business);
  return business.configs.storefront?.enabled && base === '' ? origin : ctx.publicUrl();
}

/** The URL of the storefront, without a trailing slash. */
export function siteUrl(ctx: Ctx, business: Pick<BusinessRow, 'id' | 'slug' | 'configs'>): string {
  const { origin, base } = siteAddress(ctx, business);
  return origin + base;
}

/** The path prefix of the storefront's pages in the language of a locale. The default language has none. */
export function localePrefix({ configs }: Pick<BusinessRow, 'configs'>, locale: string | null): string | null {
  const [, ...prefixed] = configs.storefront?.locales ?? [];
  const languageIn = (each: string) => each.split(/[-_]/)[0]!.toLowerCase();
  return prefixed.find((each) => locale !== null && languageIn(each) === languageIn(locale)) ?? null;
}
