/**
 * Privacy: export and erasure of personal data. A **holder** is the part of a domain that holds personal data in a business
 * (`context/personal-data.ts`). An **erasure** runs all holders for one person in one business. Deleting an account runs an
 * erasure in each business, one at a time.
 *
 * Invariants: an erasure is committed before it starts, and each batch commits together with the progress, so a killed process
 * loses no work. The identity of the person is stored encrypted until the erasure is complete, then deleted. A business
 * exports and erases only the data it holds itself, never the data of other businesses or of the account.
 */
import type { Platform } from '../../context/index.ts';
import { deriveKey, seal, unseal } from '../../shared/security/secrets.ts';
import { ERASE_ACCOUNT_JOB, type EraseAccountJob, eraseAccount } from './erase-account.ts';
import { ERASE_TASK, type EraseTask, erasePerson } from './erase-person.ts';
import { resumeErasures } from './resume-erasures.ts';
import type { Holders, Privacy } from './service.ts';

export type { PrivacyServices } from './context.ts';
export { privacyEvents } from './event-schemas.ts';

export function createPrivacy(platform: Platform, holders: Holders): Privacy {
  const key = deriveKey(platform.config.secretKey, 'erasures');
  platform.handleTasks<EraseTask>({ name: ERASE_TASK, expireSeconds: 3600, handle: erasePerson });
  platform.handleJobs<EraseAccountJob>({
    name: ERASE_ACCOUNT_JOB,
    expireSeconds: 3600,
    handle: eraseAccount,
  });
  platform.handleJobs<object>({
    name: 'erasures-resume',
    cron: '*/10 * * * *',
    expireSeconds: 3600,
    handle: resumeErasures,
  });
  return {
    holders: [
      holders.customers,
      holders.orders,
      holders.vatChecks,
      holders.carts,
      holders.automations,
      holders.subscriptions,
      holders.deliveries,
      holders.suppressions,
      holders.stockAlerts,
    ],
    seal: (erasureId, subject) => seal(key, JSON.stringify(subject), erasureId),
    open: (erasureId, sealed) => JSON.parse(unseal(key, sealed, erasureId)),
  };
}
