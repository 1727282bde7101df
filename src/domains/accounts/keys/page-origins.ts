/** The origins of publishable keys: pages on them can make storefront calls without being in ALLOWED_ORIGINS. */
import type { Platform } from '../../../context/index.ts';
import { createMirror } from '../../../db/mirror.ts';
import type { Db } from '../../../db/sql.ts';
import { listPageOrigins } from './publishable-queries.ts';

const BUSINESS = '/v1/businesses/:businessId';

/** The calls that a guest needs to shop: login, public records, carts, prices and checkout. */
export const SHOP_CALLS = [
  ...['POST /v1/users/login', 'POST /v1/users/refresh', 'POST /v1/users/logout'],
  ...['GET /v1/address-formats', 'GET /v1/address-formats/:country', 'GET /v1/payments/businesses/:businessId/markets'],
  ...['POST /v1/payments/quote', 'POST /v1/payments/shipping-options', `GET ${BUSINESS}`],
  ...['categories', 'categories/:id', 'products', 'products/categories', 'products/:id', 'products/:id/related'],
  ...['collections', 'collections/:id', 'entries', 'entries/:id', 'carts', 'carts/:id', 'orders', 'orders/:id'],
  ...['POST carts', 'POST carts/restore', 'POST carts/:id/merge', 'PUT carts/:id', 'DELETE carts/:id'],
  ...['POST orders/checkout', 'POST products/:id/stock-alerts', 'POST collections/:collectionId/subscribe'],
].map((call) => {
  const [method, path] = call.includes(' ') ? (call.split(' ') as [string, string]) : ['GET', call];
  return { method, url: path.startsWith('/') ? path : `${BUSINESS}/${path}` };
});

const PATTERNS = SHOP_CALLS.map(({ method, url }) => ({
  method,
  // At most 16,384 characters: a path. Slashes separate the parts, so that each is read once.
  pattern: new RegExp(`^${url.replace(':businessId', '(?<businessId>[^/]+)').replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/** In memory, because preflight requests come without a key. */
export function createPageOrigins(platform: Pick<Platform, 'broadcast' | 'log'>) {
  const owners = createMirror(platform, {
    name: 'page origins',
    empty: new Map<string, Set<string>>(),
    isAbout: (subject) => subject.startsWith(PUBLISHABLE_SUBJECT),
    read: readOwners,
  });

  return {
    start: owners.start,
    /** Whether a page on this origin can make this call: the business in the URL lists the origin, or the URL has no business. */
    mayCall(origin: string, method: string, path: string): boolean {
      const known = owners.get().get(origin);
      if (!known) return false;
      const groups = PATTERNS.find((each) => each.method === method && each.pattern.test(path))?.pattern.exec(path);
      if (!groups) return false;
      const businessId = groups.groups?.businessId;
      return businessId === undefined || known.has(businessId);
    },
  };
}

/** The businesses that list each origin. */
async function readOwners(db: Db): Promise<Map<string, Set<string>>> {
  const owners = new Map<string, Set<string>>();
  for (const { businessId, origins } of await listPageOrigins(db)) {
    for (const origin of origins) owners.set(origin, (owners.get(origin) ?? new Set()).add(businessId));
  }
  return owners;
}

export type PageOrigins = ReturnType<typeof createPageOrigins>;

const PUBLISHABLE_SUBJECT = 'publishable-keys:';
/** The broadcast subject for changes to the publishable keys of a business. */
export const publishableSubject = (businessId: string) => `${PUBLISHABLE_SUBJECT}${businessId}`;
