/** The site of a business, as a visitor with this language and market sees it. */
import type { Query } from '../context/index.ts';
import { type BusinessRow, type BusinessServices, showBusiness, siteAddress } from '../domains/businesses/index.ts';
import type { Site, SiteMarket, SiteModule } from './contract.ts';
import { VISITOR } from './visitor.ts';

/** Where a request arrived: a host of the site's own, or below /s/{slug}. */
export type Address = { base: string; origin: string };

export type SiteRequest = {
  address: Address;
  /** The path within the site, with the prefix of the language. */
  path: string;
  query: URLSearchParams;
};

type SiteOptions = { isDemo: (businessId: string) => boolean };

/** The language of a path and the rest of it: `/de/products` is `/products` in German. */
export function splitLocale(path: string, locales: readonly string[]): { locale: string; path: string } {
  const [, first = ''] = path.split('/');
  const locale = locales.slice(1).find((each) => each.toLowerCase() === first.toLowerCase());
  if (locale === undefined) return { locale: locales[0]!, path };
  return { locale, path: path.slice(first.length + 1) || '/' };
}

export const localesOf = ({ configs }: BusinessRow): string[] => {
  const { locales = [] } = configs.storefront ?? {};
  return locales.length > 0 ? [...new Set(locales)] : [configs.email?.locale ?? 'en'];
};

/** A business without markets sells in the market of its prices: see `findMarket`. */
export async function buildSite(
  ctx: Query<BusinessServices>,
  module: SiteModule,
  row: BusinessRow,
  request: SiteRequest & { locale: string; findMarket: () => Promise<SiteMarket | null> },
  { isDemo }: SiteOptions,
): Promise<Site> {
  const { address, query, locale } = request;
  const config = row.configs.storefront ?? {};
  const markets = (row.configs.markets ?? []).map(publicMarket);
  const fallback = { id: 'default', currency: 'usd' };
  const [first = (await request.findMarket()) ?? fallback] = markets;
  const wanted = query.get('market')?.toLowerCase();
  return {
    ...address,
    canonical: siteAddress(ctx, row),
    businessId: row.id,
    name: row.name,
    locale,
    locales: localesOf(row),
    market: markets.find(({ id }) => id.toLowerCase() === wanted) ?? first,
    markets,
    defaultMarketId: first.id,
    preview: false,
    demo: isDemo(row.id),
    business: showBusiness({ ...ctx, caller: VISITOR, businesses: ctx.businesses }, row, false),
    config,
    texts: module.textsOf(locale),
  };
}

const publicMarket = ({ id, name, currency, taxMode }: SiteMarket): SiteMarket => ({ id, name, currency, taxMode });
