/**
 * Businesses: the tenants. A **business** has markets, shipping methods and a payment provider in its `configs`; a **role** is
 * a named set of permissions in one business; a **member** is a user with a role in it.
 *
 * Invariants: a business always has a member with ADMIN. The payment provider's secrets are sealed at rest and leave the
 * service only masked. A business works before it is configured: with no markets set, any market is accepted.
 */
import { createCache } from '../../db/broadcast.ts';
import type { Db, Tx } from '../../db/sql.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../shared/errors.ts';
import { createVault, type ProviderSecrets } from './configs.ts';
import { type BusinessContext, businessSubject } from './context.ts';
import { createBusiness } from './create-business.ts';
import { CLEAR_JOB, clearBusiness } from './delete-business.ts';
import { type BusinessRow, findBusiness } from './queries.ts';
import { setRole } from './roles.ts';
import type { BusinessInput, Configs, StoredConfigs } from './schemas.ts';

export type { ProviderSecrets } from './configs.ts';
export { businessSubject } from './context.ts';
export { type BusinessRow, insertBusiness, insertMember, insertRole } from './queries.ts';
export { requireAdmin } from './roles.ts';
export type { Configs, Market, ShippingMethod } from './schemas.ts';

const MAX_REMEMBERED = 5000;

export function createBusinesses({ pool, broadcast, clock, jobs, config }: Deps) {
  const context: BusinessContext = { broadcast, clock, jobs, vault: createVault(config.secretKey) };
  const cache = createCache<BusinessRow>(broadcast, {
    subjectOf: (business) => businessSubject(business.id),
    maxEntries: MAX_REMEMBERED,
  });
  const find = (id: string, db: Db = pool) => cache.get(id, () => findBusiness(db, id));

  async function get(id: string): Promise<BusinessRow> {
    const business = await find(id);
    if (!business) throw notFound('Business');
    return business;
  }

  jobs.register<{ businessId: string }>({
    name: CLEAR_JOB,
    expireSeconds: 3600,
    handle: ({ businessId }, signal) => clearBusiness(pool, businessId, signal),
  });

  return {
    context,
    find,
    /** From memory without a promise where that can be. */
    exists(id: string): boolean | Promise<boolean> {
      return cache.peek(id) !== undefined || find(id).then((business) => business !== null);
    },
    /** With its settings; secrets are sealed. Remembered until news of it arrives. */
    get,
    /** Unsealed, for calls to the payment provider. Never for an answer. */
    async providerSecrets(businessId: string): Promise<ProviderSecrets> {
      return context.vault.secrets(businessId, (await get(businessId)).configs);
    },
    /** Settings as they lie in the database, from settings as a client sends them. */
    sealed: (businessId: string, configs: Configs): StoredConfigs => context.vault.merge(businessId, configs, {}),
    create: (tx: Tx, creatorId: string, input: BusinessInput, id?: string) =>
      createBusiness(context, tx, creatorId, input, id),
    setRole: (tx: Tx, grant: { businessId: string; userId: string; roleId: string | null }) =>
      setRole(context, tx, grant),
  };
}

export type BusinessServices = { businesses: Businesses };

/** With its settings; secrets are sealed. From memory, or else read on the handle of `ctx`, so also inside a transaction. */
export async function getBusiness({ db, businesses }: { db: Db } & BusinessServices, id: string): Promise<BusinessRow> {
  const business = await businesses.find(id, db);
  if (!business) throw notFound('Business');
  return business;
}

export type Businesses = ReturnType<typeof createBusinesses>;
