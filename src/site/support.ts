/** Support access: an admin sees the site as a customer, in place of their own session, which continues afterward. */
import type { SiteSession } from '../../storefront/contract.ts';

/** The session passed to pages. */
export function visibleSession(stored: SiteSession | null, nowSeconds: number): SiteSession | null {
  const { support } = stored ?? {};
  if (!support) return stored;
  return support.expiresAt > nowSeconds ? { accessToken: support.accessToken, support } : endSupport(stored);
}

export function endSupport(stored: SiteSession | null): SiteSession | null {
  const { support: _, ...own } = stored ?? {};
  return Object.keys(own).length > 0 ? own : null;
}
