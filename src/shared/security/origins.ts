export type OriginRules = {
  /** Null if no list is set. */
  allowed: readonly string[] | null;
  redirects: readonly string[];
  production: boolean;
  publicUrl: () => string;
  /** The business whose storefront has this host. */
  ownerOfHost?: (host: string) => string | undefined;
};

/**
 * Decides which external URLs the service links to. A link with a token to another site would give away an account, so URLs are
 * always parsed before they are compared.
 */
export function createOrigins({
  allowed,
  redirects,
  production,
  publicUrl,
  ownerOfHost = () => undefined,
}: OriginRules) {
  const isListed = (origin: string) => (allowed ?? [new URL(publicUrl()).origin]).includes(origin);
  const anyLink = allowed === null && !production;

  return {
    isListed,
    /** True if a passkey can belong to this origin: a listed one, or a storefront host. */
    isSite(origin: string): boolean {
      const url = URL.parse(origin);
      const isHost = url?.origin === origin && url.protocol === new URL(publicUrl()).protocol;
      return isListed(origin) || (isHost && ownerOfHost(url.host) !== undefined);
    },
    /** True if CORS allows this origin to call the API. Such calls send no cookies, so any origin is allowed without a list. */
    mayCall: (origin: string) =>
      anyLink || isListed(origin) || ownerOfHost(URL.parse(origin)?.host ?? '') !== undefined,
    /** True if the OAuth flow can use this origin. It must be on the list. */
    isOAuthOrigin(text: string): boolean {
      const url = parseWeb(text);
      return url !== null && isListed(url.origin);
    },
    /** True if the OAuth flow can redirect to this URL: on a listed origin, or at or under a listed URL. */
    isOAuthRedirect(text: string): boolean {
      const url = parseWeb(text);
      if (url === null) return redirects.includes(text);
      return isListed(url.origin) || redirects.some((prefix) => isBelow(url, prefix));
    },
    /**
     * Parses the base URL for links in emails and for the return from checkout. A bare domain means https. Null if not allowed. A business
     * can also use its storefront hosts.
     */
    linkBase(text: string, businessId?: string): URL | null {
      const url = parseWeb(/^[a-z0-9.-]+(:\d+)?$/i.test(text) ? `https://${text}` : text);
      if (url === null) return null;
      const isOwn = businessId !== undefined && ownerOfHost(url.host) === businessId;
      return anyLink || isOwn || isListed(url.origin) ? url : null;
    },
  };
}

export type Origins = ReturnType<typeof createOrigins>;

function parseWeb(text: string): URL | null {
  if (!/^https?:\/\/[^/\\]/i.test(text)) return null;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '' ? url : null;
}

function isBelow(url: URL, prefix: string): boolean {
  const base = parseWeb(prefix);
  if (base === null || base.origin !== url.origin) return false;
  const path = base.pathname.replace(/\/$/, '');
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}
