/** What the server uses of `storefront/server.tsx`. The types of pages and their data are its own: see `storefront/page.ts`. */
import type { Business, Market, StorefrontSettings } from '../domains/businesses/index.ts';

export type SiteMarket = Pick<Market, 'id' | 'name' | 'currency' | 'taxMode'>;

export type Site = {
  base: string;
  origin: string;
  canonical: { origin: string; base: string };
  businessId: string;
  name: string;
  locale: string;
  locales: string[];
  market: SiteMarket;
  markets: SiteMarket[];
  defaultMarketId: string;
  preview: boolean;
  demo: boolean;
  business: Business;
  config: StorefrontSettings;
  texts: unknown;
};

export type SiteSession = {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  isGuest?: boolean | undefined;
  cartId?: string | undefined;
  cartSecret?: string | undefined;
  cartCount?: number | undefined;
  code?: { email: string; challenge: string } | undefined;
  stepUp?: string | undefined;
  support?: Support | undefined;
};

export type Support = { accessToken: string; name: string; expiresAt: number };

export type Visit = {
  site: Site;
  souk: SiteClient;
  params: Record<string, string>;
  query: URLSearchParams;
  path: string;
  session: SiteSession | null;
  setSession: (session: SiteSession | null) => void;
  csrf: string;
  begin: () => Promise<SiteClient>;
  own: () => SiteClient;
  withToken: (accessToken: string) => SiteClient;
};

/** `Client` of the client package. */
export type SiteClient = { users: { login(input: { provider: string }): Promise<unknown> } };

export type Shown = {
  status?: number;
  data: unknown;
  head: { title: string; noindex?: boolean };
  keys?: string[];
};
export type Redirect = { redirect: string; status: 301 | 302 | 303 };
export type Missing = { status: 404 | 410 };
export type Download = { file: { name: string; type: string; body: Uint8Array } };
export type Loaded = Shown | Redirect | Missing | Download;

export type SitePage = {
  path: string;
  personal?: true;
  load(visit: Visit): Promise<Loaded>;
  actions?: Record<string, (visit: Visit, form: URLSearchParams) => Promise<Loaded | undefined>>;
  openActions?: string[];
  inSupport?: true;
};

export type Assets = { script: string; preloads: string[]; styles: string[]; reloads: boolean };

export type ClientOptions = {
  baseUrl: string;
  businessId: string;
  apiKey?: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  storage?: { read(): Tokens | null; write(tokens: Tokens | null): void };
  guest?: boolean;
  tries?: number;
};
export type Tokens = { accessToken: string; refreshToken?: string | null; isGuest?: boolean };

export type SiteModule = {
  pages: SitePage[];
  findPage(path: string): { page: SitePage; params: Record<string, string> } | null;
  renderPage(input: {
    page: SitePage;
    site: Site;
    visit: Pick<Visit, 'csrf' | 'session' | 'query'>;
    path: string;
    shown: Shown;
    assets: Assets;
  }): string;
  isRedirect(loaded: Loaded): loaded is Redirect;
  isMissing(loaded: Loaded): loaded is Missing;
  problem: SitePage;
  showMissing(site: Site, status: 404 | 410): Shown;
  showFailure(site: Site): Shown;
  showReadOnly(site: Site): Shown;
  textsOf(locale: string): unknown;
  themeStyles(file: string): string | null;
  link(site: Site, path: string): string;
  absolute(site: Site, path: string, locale: string): string;
  writeProductFeed(site: Site, souk: SiteClient): AsyncGenerator<string>;
  createClient(options: ClientOptions): SiteClient;
};
