/**
 * Accounts: who somebody is. A **user** is a person, confirmed by e-mail or by an identity provider, or a **guest**. A
 * **session** is one login; its access and refresh tokens die with it. An **API key** acts as the user that owns it.
 *
 * The rooms: `sessions/` (tokens, their check on every request, refresh, logout, guests), `passwords/` (registration, login by
 * e-mail, resets), `oauth/` (the identity provider), `phone/`, `profile/` (the user record, search, roles), `keys/` (API keys).
 *
 * Invariants: whatever ends a session, a key or a permission publishes `user:<id>` in the same transaction, so that every
 * process forgets the caller within a second. A change of the password ends every session, and none begun with the old one
 * survives it. An e-mail is proved before it opens anything: by the mailed link, or by the identity provider's word.
 */
import type { Platform, Steps } from '../../context/index.ts';
import type { AccountServices } from './context.ts';
import { DELETE_GUESTS_JOB, deleteGuests, type FindOwners } from './delete-guests.ts';
import { accountLimits } from './limits.ts';
import { createMutex } from './mutex.ts';
import { REVOKE_JOB, type RevokeJob, revokeIdpTokens } from './oauth/revoke-idp-tokens.ts';
import { createPasswords } from './passwords/hashing.ts';
import { MAIL_RESET_JOB, type MailResetJob, mailReset } from './passwords/mail-reset.ts';
import { createMailTokens } from './passwords/mail-tokens.ts';
import { createCodeHash } from './phone/codes.ts';
import type { Tie } from './profile/search-users.ts';
import { createGate } from './sessions/gate.ts';
import { createTokens } from './sessions/tokens.ts';

export type { AccountServices } from './context.ts';
export { deleteExpired } from './delete-expired.ts';
export { type FirstAccountInput, firstAccountLink, makeFirstAccount } from './first-account.ts';
export { oauthLogin } from './oauth/oauth-login.ts';
export { providerKind } from './oauth/providers.ts';
export { confirm } from './passwords/confirm.ts';
export { emailLogin } from './passwords/email-login.ts';
export { forgotPassword } from './passwords/forgot-password.ts';
export { hasAccount, joinByInvitation } from './passwords/join-business.ts';
export { resetForgottenPassword } from './passwords/reset-forgotten-password.ts';
export { addConfirmedUser } from './profile/add-confirmed-user.ts';
export { deleteAccount, leaveBusinesses, proveOwner } from './profile/delete-account.ts';
export { deleteAccountEvents } from './profile/delete-queries.ts';
export { exportAccount } from './profile/export-account.ts';
export {
  findUser,
  hasUsers,
  insertUser,
  isMemberAddress,
  listAdminEmails,
  listMembersForExport,
  namesOf,
  type UserSummary,
} from './profile/queries.ts';
export { beginSession } from './sessions/begin-session.ts';
export { logout } from './sessions/logout.ts';
export { openSession } from './sessions/open-session.ts';
export { refresh } from './sessions/refresh.ts';
export { AuthResult, LoginInput } from './sessions/schemas.ts';

/** `system`: contexts for what happens before a request has one of its own. */
export async function createAccounts(platform: Platform, system: () => Steps) {
  const { config } = platform;
  const tokens = await createTokens(platform, system);
  const gate = createGate(platform, system, tokens);
  const ties: Tie[] = [];
  const owners: FindOwners[] = [];

  platform.handleJobs<MailResetJob, AccountServices>({ name: MAIL_RESET_JOB, urgent: true, handle: mailReset });
  platform.handleJobs<RevokeJob, AccountServices>({ name: REVOKE_JOB, handle: revokeIdpTokens });
  platform.handleJobs<object, AccountServices>({
    name: DELETE_GUESTS_JOB,
    cron: '20 * * * *',
    expireSeconds: 3600,
    handle: deleteGuests,
  });

  return {
    tokens,
    gate,
    authenticate: gate.authenticate,
    rotateKeys: tokens.rotate,
    mailTokens: createMailTokens(config.secretKey),
    hashPhoneCode: createCodeHash(config.secretKey),
    passwords: createPasswords(config),
    limits: accountLimits(config),
    /** By account: of those who try its password. */
    mutex: createMutex(),
    /** Null: no identity provider is set. */
    idp:
      config.oauth && (await import('../../providers/oauth/openid.ts')).openIdProvider(config.oauth, config.secretKey),
    ties: ties as readonly Tie[],
    owners: owners as readonly FindOwners[],
    /** Tells which guests must not be forgotten. */
    registerOwners: (findOwners: FindOwners) => void owners.push(findOwners),
    /** Makes further people of a business visible to its ADMINs in the user search. */
    registerTie: (tie: Tie) => void ties.push(tie),
  };
}

export type Accounts = Awaited<ReturnType<typeof createAccounts>>;
