/** A visitor's session: a sealed cookie on the site's path, which no script can read. */
import { randomBytes } from 'node:crypto';
import type { SiteSession } from '../../storefront/contract.ts';
import { deriveKey, seal, unseal } from '../shared/security/secrets.ts';
import { createSigner } from '../shared/security/signing.ts';

const SESSION = 'souk_session';
const CSRF = 'souk_csrf';
/** The number of items in the cart. Scripts may read it, because cached pages can't contain it. */
const CART = 'souk_cart';
/** Support access: when it ends, and the customer. Scripts show the notice on cached pages. */
const SUPPORT = 'souk_support';
const MAX_AGE_SECONDS = 30 * 86_400;

export type Place = { businessId: string; base: string; isHttps: boolean };

export function createSessions(secretKey: string) {
  const key = deriveKey(secretKey, 'storefront-session');
  const signer = createSigner(deriveKey(secretKey, 'storefront-csrf'));
  const context = ({ businessId }: Place) => `session ${businessId}`;

  function cookie({ base, isHttps }: Place, name: string, value: string, { isHidden = true, isEnd = false } = {}) {
    const end = `${isHidden ? '; HttpOnly' : ''}${isHttps ? '; Secure' : ''}`;
    return `${name}=${value}; Path=${base || '/'}; Max-Age=${isEnd ? 0 : MAX_AGE_SECONDS}; SameSite=Lax${end}`;
  }

  return {
    /** Null if there is no session, or it was sealed with another key. */
    read(header: string | undefined, place: Place): SiteSession | null {
      const sealed = readCookie(header, SESSION);
      if (!sealed) return null;
      try {
        return JSON.parse(unseal(key, sealed, context(place))) as SiteSession;
      } catch {
        return null;
      }
    },
    /** The cookies that store a session, or end it. */
    write(session: SiteSession | null, place: Place, endsSupport = false): string[] {
      const { cartCount = 0, support } = session ?? {};
      const notice = support ? `${support.expiresAt}.${encodeURIComponent(support.name)}` : '';
      return [
        session
          ? cookie(place, SESSION, seal(key, JSON.stringify(session), context(place)))
          : cookie(place, SESSION, '', { isEnd: true }),
        cookie(place, CART, String(cartCount), { isHidden: false, isEnd: cartCount === 0 }),
        ...(support || endsSupport ? [cookie(place, SUPPORT, notice, { isHidden: false, isEnd: !support })] : []),
      ];
    },
    /** The CSRF token of a visitor, and the cookie that it is bound to, if the visitor has none yet. */
    csrf(header: string | undefined, place: Place): { token: string; cookies: string[] } {
      const known = readCookie(header, CSRF);
      const random = known ?? randomBytes(16).toString('base64url');
      const cookies = known ? [] : [cookie(place, CSRF, random)];
      return { token: signer.sign(`${place.businessId} ${random}`), cookies };
    },
    isCsrf(header: string | undefined, place: Place, token: string): boolean {
      const random = readCookie(header, CSRF);
      return random !== null && signer.verify(`${place.businessId} ${random}`, token);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

function readCookie(header = '', name: string): string | null {
  const part = header.split('; ').find((each) => each.startsWith(`${name}=`));
  return part?.slice(name.length + 1) || null;
}
