export type OriginRules = {
  /** Null: none were set. */
  allowed: readonly string[] | null;
  redirects: readonly string[];
  production: boolean;
  publicUrl: () => string;
};

/**
 * Which addresses of others we send people to. A link with a token in it that points to a stranger is an account lost, so
 * everything is compared as a parsed URL, never as text.
 */
export function createOrigins({ allowed, redirects, production, publicUrl }: OriginRules) {
  const isListed = (origin: string) => (allowed ?? [new URL(publicUrl()).origin]).includes(origin);
  const anyLink = allowed === null && !production;

  return {
    isListed,
    /** Browsers on these origins may call us: no cookie goes with such a call, so any may where no list was set. */
    mayCall: (origin: string) => anyLink || isListed(origin),
    /** An origin for the OAuth flow: always one of the list. */
    isOAuthOrigin(text: string): boolean {
      const url = parseWeb(text);
      return url !== null && isListed(url.origin);
    },
    /** A redirect address for the OAuth flow: on a listed origin, or at or below a listed address. */
    isOAuthRedirect(text: string): boolean {
      const url = parseWeb(text);
      if (url === null) return redirects.includes(text);
      return isListed(url.origin) || redirects.some((prefix) => isBelow(url, prefix));
    },
    /** An address for links in mail and for the way back from checkout. A bare domain means https. Null: refused. */
    linkBase(text: string): URL | null {
      const url = parseWeb(/^[a-z0-9.-]+(:\d+)?$/i.test(text) ? `https://${text}` : text);
      return url !== null && (anyLink || isListed(url.origin)) ? url : null;
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
