/**
 * Businesses: the tenants. A **business** has markets, shipping methods and a payment provider in its `configs`; a **role** is
 * a named set of permissions in one business; a **member** is a user with a role in it.
 *
 * Invariants: a business always has a member with ADMIN. The payment provider's secrets are sealed at rest and leave the
 * service only masked. A business works before it is configured: with no markets set, any market is accepted. A deleted
 * business is marked, invisible and without members from the commit on; a job deletes its rows in every table, and its own
 * row last.
 */
import type { Platform } from '../../context/index.ts';
import { createCache } from '../../db/broadcast.ts';
import type { Db, Tx } from '../../db/sql.ts';
import { CLEAR_BUSINESSES, clearBusinesses } from './clear-businesses.ts';
import { type BusinessServices, businessSubject } from './context.ts';
import { businessExists, getBusiness, providerSecrets } from './get-business.ts';
import type { BusinessRow } from './queries.ts';
import type { Configs, StoredConfigs } from './schemas.ts';
import { setRole } from './set-role.ts';
import { createVault, type ProviderSecrets } from './vault.ts';

export { type BusinessServices, businessSubject } from './context.ts';
export { addBusiness } from './create-business.ts';
export { businessExists, getBusiness, providerSecrets } from './get-business.ts';
export { type BusinessRow, insertBusiness } from './queries.ts';
export { insertMember, insertRole } from './role-queries.ts';
export { requireAdmin } from './roles.ts';
export type { Configs, Market, ShippingMethod } from './schemas.ts';
export { setRole } from './set-role.ts';
export type { ProviderSecrets } from './vault.ts';

const MAX_CACHED = 5000;

/** `db`: for callers that have no context of their own. */
export function createBusinesses(platform: Platform, db: Db) {
  const { broadcast, config } = platform;
  const vault = createVault(config.secretKey);
  const cache = createCache<BusinessRow>(broadcast, {
    subjectOf: (business) => businessSubject(business.id),
    maxEntries: MAX_CACHED,
  });
  platform.handleJobs<{ businessId?: string }, BusinessServices>({
    name: CLEAR_BUSINESSES,
    expireSeconds: 3600,
    cron: '*/10 * * * *',
    handle: clearBusinesses,
  });
  const businesses = {
    cache,
    vault,
    /** Settings as they lie in the database, from settings as a client sends them. */
    sealed: (businessId: string, configs: Configs): StoredConfigs => vault.merge(businessId, configs, {}),
    exists: (id: string): boolean | Promise<boolean> => businessExists({ db, businesses }, id),
    get: (id: string): Promise<BusinessRow> => getBusiness({ db, businesses }, id),
    providerSecrets: (businessId: string): Promise<ProviderSecrets> => providerSecrets({ db, businesses }, businessId),
    setRole: (tx: Tx, grant: { businessId: string; userId: string; roleId: string | null }): Promise<void> =>
      setRole({ db: tx, publish: (subject) => broadcast.publish(tx, subject) }, grant),
  };
  return businesses;
}

export type Businesses = ReturnType<typeof createBusinesses>;
