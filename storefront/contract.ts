/** The contract between the pages of the storefront and the server that hosts them, which is independent of how they are rendered. */
import type { Business, Client, Market } from '@souk/client';
import type { Texts } from './texts/index.ts';

export type StorefrontConfig = NonNullable<Business['configs']['storefront']>;

/** The site data for the interactive parts of a page. It is sent to the browser. */
export type SiteInfo = {
  /** The path of the site: empty on its own host, otherwise `/s/{slug}`. */
  base: string;
  /** `https://shop.example`, without a path. */
  origin: string;
  /** The site's URL for search engines, possibly on another of its hosts. */
  canonical: { origin: string; base: string };
  businessId: string;
  name: string;
  locale: string;
  /** All languages. The first one is the default and has no prefix in URLs. */
  locales: string[];
  /** The time zone of the business. */
  timeZone: string;
  market: SiteMarket;
  /** The market of visitors who did not choose one. */
  defaultMarketId: string;
  /** Shows drafts or unsaved settings. */
  preview: boolean;
  /** The demo shop, whose forms are filled in. */
  demo: boolean;
};

export type SiteMarket = Pick<Market, 'id' | 'name' | 'currency' | 'taxMode'>;

export type Site = SiteInfo & {
  business: Business;
  /** Whether card payments are simulated. */
  sandbox: boolean;
  config: StorefrontConfig;
  markets: SiteMarket[];
  texts: Texts;
};

/** The session of a visitor, in a sealed cookie. */
export type SiteSession = {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  /** Whether the tokens belong to a guest. */
  isGuest?: boolean | undefined;
  cartId?: string | undefined;
  cartSecret?: string | undefined;
  /** The number of items in the cart, also readable by scripts. */
  cartCount?: number | undefined;
  /** A login code that was requested in this browser. It works in no other. */
  code?: { email: string; challenge: string } | undefined;
  /** The token of a step-up in the last few minutes. */
  stepUp?: string | undefined;
  /** While an admin views the shop as a customer. Such a session can only read. */
  support?: Support | undefined;
};

/** `name`: the customer's name. `expiresAt`: in Unix seconds. */
export type Support = { accessToken: string; name: string; expiresAt: number };

export type Visit = {
  site: Site;
  /** The typed client. On the server its calls stay in the process. Anonymous, except on personal pages with a session. */
  souk: Client;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The path within the site, without the base path or locale. */
  path: string;
  /** Null on pages that are not personal, and for visitors without a session. */
  session: SiteSession | null;
  /** Replaces the session; null ends it. Only on personal pages and in actions. */
  setSession: (session: SiteSession | null) => void;
  /** The value of the hidden field `csrf` in forms. Empty on pages that are not personal. */
  csrf: string;
  /** Makes the visitor a guest if there is no session yet, and returns the client of the session. Writes need it. */
  begin: () => Promise<Client>;
  /** The client of the session, which may have no tokens yet. A login stores them in the session. */
  own: () => Client;
  /** A client with an access token that is not in the session. */
  withToken: (accessToken: string) => Client;
};

export type Head = {
  title: string;
  description?: string | undefined;
  image?: string | undefined;
  /** The path for search engines. Defaults to the path of the page, without its query. */
  canonical?: string | undefined;
  /** The only language of the page's text. Search engines are sent to the page in this language. */
  locale?: string | undefined;
  /** Paths of the same page in other languages, if they differ from this one. */
  alternates?: Record<string, string> | undefined;
  /** `product` and `article` for Open Graph. */
  type?: 'website' | 'product' | 'article' | undefined;
  /** Structured data for search engines. */
  jsonLd?: object[] | undefined;
  noindex?: boolean | undefined;
  /** Feeds of this page. */
  feeds?: { title: string; path: string }[] | undefined;
  /** The image to load first. */
  preload?: { src: string; srcset?: string | undefined; sizes?: string | undefined } | undefined;
};

export type Shown<D> = {
  status?: 200 | 403 | 422;
  data: D;
  head: Head;
  /** Surrogate keys: a CDN drops the page when a record with one of these keys changes. */
  keys?: string[];
};
export type Redirect = { redirect: string; status: 301 | 302 | 303 };
/** The page does not exist, or no longer exists. The server looks for a redirect from the path before it shows an error page. */
export type Missing = { status: 404 | 410 };
/** A download from a personal page. */
export type Download = { file: { name: string; type: string; body: Uint8Array } };
export type Loaded<D> = Shown<D> | Redirect | Missing | Download;

/** An action redirects, or shows the page again with `data`, such as errors. Undefined reloads the page. */
export type ActionResult<D> = Loaded<D> | undefined;
export type Action<D> = (visit: Visit, form: URLSearchParams) => Promise<ActionResult<D>>;

// biome-ignore lint/suspicious/noExplicitAny: a list of pages has pages with different data.
export type Served<D = any> = {
  /** `/products/:slug`. A last part `*` matches the rest of the path, as `params.rest`. */
  path: string;
  /** Has the visitor's session and is never cached: cart, checkout, account. */
  personal?: true;
  /**
   * The URL parameters that the page depends on, besides the market. A name that ends with a colon matches all names that start with it. A
   * cached page doesn't get other parameters, such as ad parameters.
   */
  parameters?: readonly string[];
  load: (visit: Visit) => Promise<Loaded<D>>;
  /** The handlers of form posts, by the value of the field `action`. */
  actions?: Record<string, Action<D>>;
  /**
   * Actions that forms on cached pages post to, such as adding to the cart: they need no CSRF token, but must come from the same origin.
   */
  openActions?: string[];
  /** Its forms also work while an admin views the shop as a customer. */
  inSupport?: true;
  /** Hides navigation and search, so that nothing distracts. */
  plain?: true;
};

export const isRedirect = <D>(loaded: Loaded<D>): loaded is Redirect => 'redirect' in loaded;
export const isMissing = <D>(loaded: Loaded<D>): loaded is Missing =>
  !('redirect' in loaded || 'data' in loaded || 'file' in loaded);
export const MISSING: Missing = { status: 404 };
