/**
 * Privacy: what the service holds of a person, shown to them or erased. A **holder** is a part of a domain that holds some of
 * it in a business (`context/personal-data.ts`); an **erasure** runs all holders for one person in one business; deleting an
 * account runs an erasure in each business, one after the other.
 *
 * Invariants: an erasure is committed before it begins, and each batch together with the note of how far it has come, so that
 * a killed process leaves nothing undone. Who is erased is stored sealed until the erasure is complete, and then no more. A
 * business erases and shows what it holds itself, never what others or the account hold.
 */
import type { PersonalDataHolder, Platform } from '../../context/index.ts';
import { deriveKey, seal, unseal } from '../../shared/secrets.ts';
import type { PrivacyServices } from './context.ts';
import { ERASE_ACCOUNT_JOB, type EraseAccountJob, eraseAccount } from './erase-account.ts';
import { ERASE_JOB, type EraseJob, erasePerson } from './erase-person.ts';
import { resumeErasures } from './resume-erasures.ts';
import type { Subject } from './subject.ts';

export type { PrivacyServices } from './context.ts';

export function createPrivacy(platform: Platform) {
  const key = deriveKey(platform.config.secretKey, 'erasures');
  const holders: PersonalDataHolder[] = [];
  platform.handleJobs<EraseJob, PrivacyServices>({ name: ERASE_JOB, expireSeconds: 3600, handle: erasePerson });
  platform.handleJobs<EraseAccountJob, PrivacyServices>({
    name: ERASE_ACCOUNT_JOB,
    expireSeconds: 3600,
    handle: eraseAccount,
  });
  platform.handleJobs<object, PrivacyServices>({
    name: 'erasures-resume',
    cron: '*/10 * * * *',
    expireSeconds: 3600,
    handle: resumeErasures,
  });
  return {
    holders: holders as readonly PersonalDataHolder[],
    /** They run in this order. */
    register: (...more: PersonalDataHolder<never>[]) => void holders.push(...(more as PersonalDataHolder[])),
    seal: (erasureId: string, subject: Subject) => seal(key, JSON.stringify(subject), erasureId),
    open: (erasureId: string, sealed: string): Subject => JSON.parse(unseal(key, sealed, erasureId)),
  };
}

export type Privacy = ReturnType<typeof createPrivacy>;
