/** The site of a business, as a visitor with this language and market sees it. */
import type { Client } from '../../client/src/index.ts';
import type { Site, SiteMarket } from '../../storefront/contract.ts';
import type { SiteModule } from '../../storefront/module.ts';
import type { Query } from '../context/index.ts';
import { type BusinessRow, showBusiness, siteAddress } from '../domains/businesses/index.ts';
import { isSandboxOn, type PaymentServices } from '../domains/payments/index.ts';
import { VISITOR } from './visitor.ts';

/** The address of a request: on the site's own host, or under /s/{slug}. */
export type Address = { base: string; origin: string };

export type SiteRequest = {
  address: Address;
  /** The path within the site, with the language prefix. */
  path: string;
  query: URLSearchParams;
};

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

/** Maximum number of cached sites per business: one for each combination of host, language and market. */
const MAX_SITES = 200;

type SitesOptions = {
  isDemo: (businessId: string) => boolean;
  /** Differs after every change in the business. */
  stateOf: (businessId: string) => Promise<string>;
};
type RequestedSite = SiteRequest & { locale: string };

/** Settings change rarely, so the site is built once for each version of the business. */
export function createSites({ isDemo, stateOf }: SitesOptions) {
  const sites = new WeakMap<BusinessRow, Map<string, Promise<Site>>>();

  /** A business without markets sells in the market of its first price. */
  async function build(ctx: Context, module: SiteModule, row: BusinessRow, requested: RequestedSite, souk: Client) {
    const { address, locale } = requested;
    const markets = marketsOf(row);
    const [first = (await findMarket(souk)) ?? { id: 'default', currency: 'usd' }] = markets;
    return {
      ...address,
      canonical: siteAddress(ctx, row),
      businessId: row.id,
      name: row.name,
      locale,
      locales: localesOf(row),
      timeZone: row.configs.profile?.timeZone ?? 'UTC',
      market: requestedMarket(row, requested.query) ?? first,
      markets,
      defaultMarketId: first.id,
      preview: false,
      demo: isDemo(row.id),
      sandbox: await isSandboxOn(ctx, row.id),
      business: showBusiness({ ...ctx, caller: VISITOR, businesses: ctx.businesses }, row, false),
      config: row.configs.storefront ?? {},
      texts: module.textsOf(locale),
    };
  }

  return async (
    ctx: Context,
    module: SiteModule,
    row: BusinessRow,
    requested: RequestedSite,
    souk: Client,
  ): Promise<Site> => {
    const { address, locale, query } = requested;
    const market = requestedMarket(row, query)?.id;
    const state = marketsOf(row).length > 0 ? '' : await stateOf(row.id);
    const key = [address.origin, address.base, locale, market, state].join(' ');
    const known = sites.get(row) ?? new Map<string, Promise<Site>>();
    sites.set(row, known);
    if (known.size >= MAX_SITES) known.clear();
    const site = known.get(key) ?? build(ctx, module, row, requested, souk);
    known.set(key, site);
    site.catch(() => known.delete(key));
    return site;
  };
}

type Context = Query<PaymentServices>;

const marketsOf = ({ configs }: BusinessRow): SiteMarket[] =>
  (configs.markets ?? []).map(({ id, name, currency, taxMode }) => ({ id, name, currency, taxMode }));

export const requestedMarket = (row: BusinessRow, query: URLSearchParams): SiteMarket | undefined => {
  const requested = query.get('market')?.toLowerCase();
  return requested === undefined ? undefined : marketsOf(row).find(({ id }) => id.toLowerCase() === requested);
};

/** The market of the first price, for a business without markets. */
async function findMarket(souk: Client) {
  const [product] = await souk.products.list({ limit: 1 }).take(1);
  const price = product?.variants[0]?.pricing.markets[0];
  return price ? { id: price.marketId, currency: price.currency } : null;
}
