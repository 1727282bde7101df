/**
 * Businesses: the tenants. A **business** has markets, shipping methods and a payment provider in its `configs`. A **role** is
 * a named set of permissions in one business. A **member** is a user with a role. A **customer** is a business's record of a
 * person; it has a `userId` once that user has **acted** there. An **invitation** is an emailed link that grants roles.
 *
 * Folders: `roles/`, `customers/`, `invitations/`, `mail-templates/`, `senders/` (sender addresses), `storefront/` (settings and
 * host names of the storefront).
 *
 * Invariants: a business always has a member with ADMIN. It sees the name and email only of people who have acted there. The
 * payment provider's secrets are encrypted at rest and leave the service only masked. A business works before it is
 * configured: without markets, any market is accepted. Deleting a business marks it, hides it and removes its
 * members in one transaction. A job then deletes its rows in every table, and its own row last.
 */
import type { Platform } from '../../context/index.ts';
import { createCache } from '../../db/broadcast.ts';
import { userSubject } from '../../shared/security/caller.ts';
import { createStepUps } from '../../shared/security/step-ups.ts';
import { CLEAR_BUSINESSES, clearBusinesses } from './clear-businesses.ts';
import { businessSubject } from './context.ts';
import type { TemplateRow } from './mail-templates/queries.ts';
import type { BusinessRow } from './queries.ts';
import { handleSenderChecks } from './senders/check-senders.ts';
import { createSenders } from './senders/senders.ts';
import type { AccountSteps, Businesses, DeletionSteps } from './service.ts';
import { createHosts } from './storefront/hosts.ts';
import { createVault } from './vault.ts';

export { saveBusiness } from './change-business.ts';
export { isTimeZone } from './configs.ts';
export type { BusinessServices } from './context.ts';
export { addBusiness } from './create-business.ts';
export { existingPeople, filterUsersWithActivity, isKnownCustomer, recordCustomer } from './customers/activity.ts';
export { type CustomerImport, ensureCustomers, importCustomers } from './customers/import-customers.ts';
export { listCustomersForExport } from './customers/import-queries.ts';
export { customerData } from './customers/personal-data.ts';
export { findCustomer, usersWithActivityAt } from './customers/queries.ts';
export { exportCustomer, findCustomers, viewCustomer } from './customers/read-customers.ts';
export { Customer, CustomerInput } from './customers/schemas.ts';
export { carrierName, TAX_PROVIDER, withoutEndpoints } from './endpoints.ts';
export { businessEvents } from './event-schemas.ts';
export {
  businessExists,
  findBusinessById,
  findBySlug,
  getBusiness,
  mailEventsSecret,
  providerSecrets,
} from './get-business.ts';
export {
  claimInvitation,
  declineInvitation,
  findOpenInvitation,
  invalidToken as invalidInvitation,
  joinBusiness,
  readInvitation,
} from './invitations/answer-invitation.ts';
export { consumeInvitationLimit, inviteMember } from './invitations/invite.ts';
export { MemberExport } from './invitations/schemas.ts';
export { invoicingOf, sellerOf, withNextNumber } from './invoicing.ts';
export {
  brandOf,
  businessLanguage,
  legalLines,
  type WrittenMail,
  writeBusinessMail,
} from './mail-templates/business-mail.ts';
export { findMailText } from './mail-templates/find-text.ts';
export {
  importTemplate,
  listTemplatesForExport,
  prepareTemplate,
  type TemplateExport,
} from './mail-templates/import-template.ts';
export type { PreviewInput } from './mail-templates/preview.ts';
export { raiseLastNumber } from './number-queries.ts';
export { type BusinessRow, insertBusiness, listBusinessIds, lockBusiness } from './queries.ts';
export { showBusiness } from './read-businesses.ts';
export { readerLanguage } from './reader-language.ts';
export { importRole } from './roles/import-role.ts';
export { lockAsAdmin } from './roles/lock.ts';
export {
  insertMember,
  insertRole,
  listRoleIdsOf,
  listRoleRows,
  listRolesOf,
  listSoleAdmins,
} from './roles/queries.ts';
export { recordRoleUse } from './roles/role-use.ts';
export { adminOf, getRole, requireAdmin } from './roles/roles.ts';
export { publishMembers, type RoleChange, setRole } from './roles/set-role.ts';
export {
  DOCUMENT_FORMATS,
  MAIL_PROVIDERS,
  type MailEventsSettings,
  PAPER_SIZES,
  Seller,
  Series,
} from './sale-schemas.ts';
export {
  BUSINESS_BYTES,
  BusinessChange,
  type Configs,
  type Market,
  type PickupLocation,
  type ShippingMethod,
  type ShippingZone,
  TaxClass,
  TaxRate,
  TaxSettings,
} from './schemas.ts';
export { requireStepUp } from './security.ts';
export { importSender, prepareSender } from './senders/change-sender.ts';
export { findOwnSender } from './senders/find-own-sender.ts';
export { findSender } from './senders/queries.ts';
export { SenderInput } from './senders/schemas.ts';
export type { Businesses } from './service.ts';
export { prepareLegal } from './storefront/prepare-legal.ts';
export {
  StorefrontPreview,
  StorefrontPreviewInput,
} from './storefront/schemas.ts';
export { checkStorefront, completeStorefront } from './storefront/settings.ts';
export { localePrefix, mailedPagesUrl, siteAddress, siteUrl } from './storefront/site-address.ts';
export type { ProviderSecrets } from './vault.ts';

const MAX_CACHED = 5000;

/** Creates the caches and the vault of this domain. */
export function createBusinesses(
  platform: Platform,
  deletion: DeletionSteps,
  { previews, ...accounts }: Pick<Businesses, 'previews'> & AccountSteps,
): Businesses {
  const { broadcast, config } = platform;
  handleSenderChecks(platform);
  platform.handleJobs<{ businessId?: string }>({
    name: CLEAR_BUSINESSES,
    expireSeconds: 3600,
    cron: '*/10 * * * *',
    handle: clearBusinesses,
  });
  return {
    ...deletion,
    cache: createCache<BusinessRow>(broadcast, {
      subjectOf: (business) => businessSubject(business.id),
      maxEntries: MAX_CACHED,
    }),
    bySlug: createCache<BusinessRow>(broadcast, {
      subjectOf: (business) => businessSubject(business.id),
      maxEntries: MAX_CACHED,
    }),
    mailTexts: createCache<{ businessId: string; rows: readonly TemplateRow[] }>(broadcast, {
      subjectOf: ({ businessId }) => businessSubject(businessId),
      maxEntries: MAX_CACHED,
    }),
    previews,
    ...accounts,
    roleUses: createCache<{ userId: string }>(broadcast, {
      subjectOf: ({ userId }) => userSubject(userId),
      maxEntries: MAX_CACHED,
    }),
    vault: createVault(config.secretKey),
    stepUps: createStepUps(config.secretKey),
    hosts: createHosts(platform),
    senders: createSenders(platform),
  };
}
