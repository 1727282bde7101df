/** The headers of pages. */
import { hash } from 'node:crypto';

/** Scripts and styles come from this service only. Forms on personal pages may redirect to the payment provider. */
export function policyOf(publicUrl: string, isPersonal: boolean): string {
  const { origin } = new URL(publicUrl);
  const payment = isPersonal ? ` ${origin} https://checkout.stripe.com` : '';
  return (
    `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; font-src 'self'; manifest-src 'self'; ` +
    `img-src 'self' ${origin} data: https:; media-src 'self' ${origin} https:; ` +
    `form-action 'self'${payment}; base-uri 'none'; frame-ancestors 'none'`
  );
}

/** Browsers revalidate each time. A CDN caches the page for a minute, and serves it while it revalidates. */
export const PUBLIC_CACHE = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600';
export const PRIVATE_CACHE = 'private, no-store';

export const hashOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);
