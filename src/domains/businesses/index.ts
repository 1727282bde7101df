/**
 * Businesses: the tenants. A **business** has markets, shipping methods and a payment provider in its `configs`; a **role** is
 * a named set of permissions in one business; a **member** is a user with a role in it. A **customer** is what a business knows of
 * a person; with a `userId` it is also the record that this person has **acted** there. An **invitation** is a mailed link to a role.
 *
 * The rooms: `roles/`, `customers/`, `invitations/`.
 *
 * Invariants: a business always has a member with ADMIN. It sees name and e-mail only of people who have acted there. The
 * payment provider's secrets are sealed at rest and leave the service only masked. A business works before it is configured:
 * with no markets set, any market is accepted. A deleted business is marked, invisible and without members from the commit on;
 * a job deletes its rows in every table, and its own row last.
 */
import type { Platform, Steps } from '../../context/index.ts';
import { createCache } from '../../db/broadcast.ts';
import { userSubject } from '../../shared/caller.ts';
import { CLEAR_BUSINESSES, clearBusinesses } from './clear-businesses.ts';
import { type BusinessServices, businessSubject } from './context.ts';
import type { BusinessRow } from './queries.ts';
import { createVault, type ProviderSecrets } from './vault.ts';

export { changeBusiness } from './change-business.ts';
export type { BusinessServices } from './context.ts';
export { addBusiness } from './create-business.ts';
export { existingPeople, hasActed, isKnownCustomer, recordCustomer } from './customers/acted.ts';
export { type CustomerImport, importCustomers } from './customers/import-customers.ts';
export { listCustomersForExport } from './customers/import-queries.ts';
export { customerData } from './customers/personal-data.ts';
export { actedAt } from './customers/queries.ts';
export { viewCustomer } from './customers/read-customers.ts';
export { type Customer, CustomerInput } from './customers/schemas.ts';
export { businessExists, findBusinessById, getBusiness, providerSecrets } from './get-business.ts';
export {
  claimInvitation,
  declineInvitation,
  findOpenInvitation,
  joinBusiness,
  readInvitation,
  tokenInvalid as invitationInvalid,
} from './invitations/answer-invitation.ts';
export { inviteMember, spendInvitation } from './invitations/invite.ts';
export { MemberExport } from './invitations/schemas.ts';
export { type BusinessRow, insertBusiness } from './queries.ts';
export { importRole } from './roles/import-role.ts';
export { insertMember, insertRole, listPermissionsOf, listRoleRows, listSoleAdmins } from './roles/queries.ts';
export { noteRoleUse } from './roles/role-use.ts';
export { adminOf, getRole, requireAdmin } from './roles/roles.ts';
export { type RoleChange, setRole } from './roles/set-role.ts';
export { BusinessChange, type Configs, type Market, type ShippingMethod } from './schemas.ts';
export type { ProviderSecrets } from './vault.ts';

const MAX_CACHED = 5000;

/** What this domain remembers and can unseal. */
export function createBusinesses(platform: Platform) {
  const { broadcast, config } = platform;
  platform.handleJobs<{ businessId?: string }, BusinessServices>({
    name: CLEAR_BUSINESSES,
    expireSeconds: 3600,
    cron: '*/10 * * * *',
    handle: clearBusinesses,
  });
  return {
    cache: createCache<BusinessRow>(broadcast, {
      subjectOf: (business) => businessSubject(business.id),
      maxEntries: MAX_CACHED,
    }),
    /** Members of whom it is known here that they have used a role of theirs. */
    roleUses: createCache<{ userId: string }>(broadcast, {
      subjectOf: ({ userId }) => userSubject(userId),
      maxEntries: MAX_CACHED,
    }),
    vault: createVault(config.secretKey),
    /** Deletes what a deleted business has outside of the database. */
    deleteFiles: async (_businessId: string, _signal: AbortSignal): Promise<void> => {},
    /** Ends what a deleted business has running at its payment provider. The tables that this still needs. */
    endPayments: async (_ctx: Steps, _businessId: string, _secrets: ProviderSecrets): Promise<readonly string[]> => [],
  };
}

export type Businesses = ReturnType<typeof createBusinesses>;
