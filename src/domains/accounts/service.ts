import type { Cache } from '../../db/broadcast.ts';
import type { IdentityProvider } from '../../providers/oauth/port.ts';
import type { FindTxt } from '../../providers/outbound/txt.ts';
import type { Challenges } from '../../shared/security/challenges.ts';
import type { FindOwners } from './delete-guests.ts';
import type { createFactorSeals } from './factors/seals.ts';
import type { PageOrigins } from './keys/page-origins.ts';
import type { PublishableKeyRow } from './keys/publishable-queries.ts';
import type { accountLimits } from './limits.ts';
import type { createMutex } from './mutex.ts';
import type { createPasswords } from './passwords/hashing.ts';
import type { createMailTokens } from './passwords/mail-tokens.ts';
import type { createCodeHash } from './phone/codes.ts';
import type { FindRelatedUsers } from './profile/search-users.ts';
import type { Authenticator } from './sessions/authenticator.ts';
import type { Tokens } from './sessions/tokens.ts';
import type { SsoProvider } from './sso/providers.ts';

/** Hooks through which other domains contribute data about users. */
export type AccountHooks = Readonly<{
  /** People other than members, such as customers, who appear in the user search of a business. */
  relatedUsers: readonly FindRelatedUsers[];
  /** Find the guests who must be kept because they own records. */
  owners: readonly FindOwners[];
}>;

export type Accounts = AccountHooks &
  Readonly<{
    tokens: Tokens;
    authenticator: Authenticator;
    authenticate: Authenticator['authenticate'];
    rotateKeys: Tokens['rotate'];
    mailTokens: ReturnType<typeof createMailTokens>;
    hashPhoneCode: ReturnType<typeof createCodeHash>;
    passwords: ReturnType<typeof createPasswords>;
    challenges: Challenges;
    factorSeals: ReturnType<typeof createFactorSeals>;
    limits: ReturnType<typeof accountLimits>;
    /** Serializes password attempts by account. */
    mutex: ReturnType<typeof createMutex>;
    /** Publishable keys by value. */
    publishableKeys: Cache<PublishableKeyRow>;
    pageOrigins: PageOrigins;
    ssoProvider: SsoProvider;
    findTxt: FindTxt;
    /** Null if no identity provider is configured. */
    idp: IdentityProvider | null;
  }>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly accounts: Accounts;
  }
}
