/**
 * Accounts: identity and authentication. A **user** is a person, confirmed by email or by an identity provider, or a **guest**. A
 * **session** is one login; its access and refresh tokens end with it. An **API key** acts as its owner.
 *
 * Folders: `sessions/` (tokens, authentication, refresh, logout, guests), `passwords/` (registration, email login, password resets),
 * `codes/` (emailed login codes), `factors/` (passkeys, second factors, step-up), `oauth/` (the identity provider), `sso/` and `scim/` (the
 * identity providers of businesses), `phone/`, `profile/` (the user record, search, roles), `keys/` (API keys, publishable keys),
 * `support/` (views of the shop as a customer).
 *
 * Invariants: every change that ends a session, a key or a permission publishes `user:<id>` in the same transaction, so every process drops
 * the cached caller within a second. Changing the password ends every session, including sessions that start while the change is under way.
 * Every login except a guest's calls `beginSession` last, which asks for a second factor if the account has one. An email grants no access
 * until the emailed link or the identity provider has verified it.
 */
import type { Platform, Steps } from '../../context/index.ts';
import { createCache } from '../../db/broadcast.ts';
import { createFindTxt } from '../../providers/outbound/txt.ts';
import { createChallenges } from '../../shared/security/challenges.ts';
import { MAIL_CODE_JOB, type MailCodeJob, mailCode } from './codes/mail-code.ts';
import { deleteExpired } from './delete-expired.ts';
import { DELETE_GUESTS_JOB, deleteGuests } from './delete-guests.ts';
import { createFactorSeals } from './factors/seals.ts';
import { createPageOrigins, publishableSubject } from './keys/page-origins.ts';
import type { PublishableKeyRow } from './keys/publishable-queries.ts';
import { accountLimits } from './limits.ts';
import { createMutex } from './mutex.ts';
import { REVOKE_JOB, type RevokeJob, revokeIdpTokens } from './oauth/revoke-idp-tokens.ts';
import { createPasswords } from './passwords/hashing.ts';
import { MAIL_RESET_JOB, type MailResetJob, mailReset } from './passwords/mail-reset.ts';
import { createMailTokens } from './passwords/mail-tokens.ts';
import { createCodeHash } from './phone/codes.ts';
import type { AccountHooks, Accounts } from './service.ts';
import { createAuthenticator } from './sessions/authenticator.ts';
import { createTokens } from './sessions/tokens.ts';
import { createSsoProviders } from './sso/providers.ts';

export { codeLogin } from './codes/code-login.ts';
export { CodeLoginInput } from './codes/schemas.ts';
export type { AccountServices } from './context.ts';
export { accountBusinessEvents, accountEvents } from './event-schemas.ts';
export { resetFactors } from './factors/recovery.ts';
export { PasskeyLoginInput, SecondFactorInput } from './factors/schemas.ts';
export { passkeyLogin, secondFactorLogin } from './factors/second-factor-login.ts';
export { createFirstAccount, type FirstAccountInput, firstAccountLink } from './first-account.ts';
export { unconfirmKeys } from './keys/unconfirm-keys.ts';
export { oauthLogin } from './oauth/oauth-login.ts';
export { badProvider, findProviderKind } from './oauth/providers.ts';
export { confirm } from './passwords/confirm.ts';
export { emailLogin } from './passwords/email-login.ts';
export { forgotPassword } from './passwords/forgot-password.ts';
export { hasAccount, joinByInvitation } from './passwords/join-business.ts';
export { resetForgottenPassword } from './passwords/reset-forgotten-password.ts';
export { addConfirmedUser } from './profile/add-confirmed-user.ts';
export { deleteAccount, leaveBusinesses, verifyOwner } from './profile/delete-account.ts';
export { deleteAccountEvents } from './profile/delete-queries.ts';
export { ExportedAccount, exportAccount } from './profile/export-account.ts';
export {
  findUser,
  hasUsers,
  insertUser,
  isMemberEmail,
  listAdminEmails,
  listMembersForExport,
  listPermittedMembers,
  namesOf,
  type PermittedMember,
  type UserSummary,
} from './profile/queries.ts';
export type { Accounts } from './service.ts';
export { beginSession } from './sessions/begin-session.ts';
export { logout } from './sessions/logout.ts';
export { openSession } from './sessions/open-session.ts';
export { refresh } from './sessions/refresh.ts';
export { AuthResult, LoginInput } from './sessions/schemas.ts';
export { readCaller } from './sessions/to-caller.ts';
export { ssoLogin } from './sso/sso-login.ts';

const MAX_CACHED_KEYS = 5000;

/** `system`: creates contexts for work outside a request, such as authentication. */
type AccountOptions = { system: () => Steps } & AccountHooks;

export async function createAccounts(
  platform: Platform,
  { system, relatedUsers, owners }: AccountOptions,
): Promise<Accounts> {
  const { config } = platform;
  const tokens = createTokens(platform, system);
  const authenticator = createAuthenticator(platform, system, tokens);

  platform.handleJobs<MailResetJob>({ name: MAIL_RESET_JOB, urgent: true, handle: mailReset });
  platform.handleJobs<MailCodeJob>({ name: MAIL_CODE_JOB, urgent: true, handle: mailCode });
  platform.handleJobs<RevokeJob>({ name: REVOKE_JOB, handle: revokeIdpTokens });
  platform.handleJobs<object>({
    name: DELETE_GUESTS_JOB,
    cron: '20 * * * *',
    expireSeconds: 3600,
    handle: deleteGuests,
  });
  platform.handleJobs<object>({
    name: 'accounts-upkeep',
    cron: '*/10 * * * *',
    handle: (ctx) => ctx.transaction(deleteExpired),
  });

  return {
    tokens,
    authenticator,
    authenticate: authenticator.authenticate,
    rotateKeys: tokens.rotate,
    mailTokens: createMailTokens(config.secretKey),
    hashPhoneCode: createCodeHash(config.secretKey),
    passwords: createPasswords(config),
    challenges: createChallenges(config.secretKey),
    factorSeals: createFactorSeals(config.secretKey),
    limits: accountLimits(config),
    mutex: createMutex(),
    publishableKeys: createCache<PublishableKeyRow>(platform.broadcast, {
      subjectOf: ({ businessId }) => publishableSubject(businessId),
      maxEntries: MAX_CACHED_KEYS,
    }),
    pageOrigins: createPageOrigins(platform),
    ssoProvider: createSsoProviders(platform),
    findTxt: createFindTxt(config.dnsServers),
    idp:
      config.oauth && (await import('../../providers/oauth/openid.ts')).openIdProvider(config.oauth, config.secretKey),
    relatedUsers,
    owners,
  };
}
