import type { Query } from '../context.ts';
import type { BusinessRow } from '../queries.ts';

type Ctx = Pick<Query, 'businesses' | 'publicUrl'>;

/** Where the storefront is: on the first verified host, or below /s/{slug}. */
export function siteAddress(
  { businesses, publicUrl }: Ctx,
  { id, slug, configs }: Pick<BusinessRow, 'id' | 'slug' | 'configs'>,
): { origin: string; base: string } {
  const { origin, protocol } = new URL(publicUrl());
  const host = configs.storefront?.hosts?.find((each) => businesses.hosts.ownerOf(each) === id);
  return host ? { origin: `${protocol}//${host}`, base: '' } : { origin, base: `/s/${encodeURIComponent(slug)}` };
}

/**
 * Where the pages of orders and newsletters are, which emails link to: on the host of an open storefront. Their tokens may reach that
 * host, because the business owns what they show.
 */
export function mailedPagesUrl(ctx: Ctx, business: Pick<BusinessRow, 'id' | 'slug' | 'configs'>): string {
  const { origin, base } = siteAddress(ctx, business);
  return business.configs.storefront?.enabled && base === '' ? origin : ctx.publicUrl();
}

/** The URL of the storefront, without a slash at the end. */
export function siteUrl(ctx: Ctx, business: Pick<BusinessRow, 'id' | 'slug' | 'configs'>): string {
  const { origin, base } = siteAddress(ctx, business);
  return origin + base;
}
