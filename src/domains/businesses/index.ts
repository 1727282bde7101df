/**
 * Businesses: the tenants. A **business** has markets, shipping methods and a payment provider in its `configs`; a **role** is
 * a named set of permissions in one business; a **member** is a user with a role in it.
 *
 * Invariants: a business always has a member with ADMIN. The payment provider's secrets are sealed at rest and leave the
 * service only masked. A business works before it is configured: with no markets set, any market is accepted.
 */
import { createCache } from '../../db/broadcast.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../shared/errors.ts';
import { type BusinessRow, findBusiness } from './queries.ts';

export { type BusinessRow, insertBusiness, insertMember, insertRole } from './queries.ts';
export type { Configs, Market, ShippingMethod } from './schemas.ts';

export const businessSubject = (businessId: string) => `business:${businessId}`;

const MAX_REMEMBERED = 5000;

export function createBusinesses({ pool, broadcast }: Deps) {
  const cache = createCache<BusinessRow>(broadcast, {
    subjectOf: (business) => businessSubject(business.id),
    maxEntries: MAX_REMEMBERED,
  });
  const find = (id: string) => cache.get(id, () => findBusiness(pool, id));

  return {
    /** From memory without a promise where that can be. */
    exists(id: string): boolean | Promise<boolean> {
      return cache.peek(id) !== undefined || find(id).then((business) => business !== null);
    },
    /** With its settings; secrets are sealed. Remembered until news of it arrives. */
    async get(id: string): Promise<BusinessRow> {
      const business = await find(id);
      if (!business) throw notFound('Business');
      return business;
    },
  };
}

export type Businesses = ReturnType<typeof createBusinesses>;
