/**
 * The right to act in a business: a pure function of a credential, the memberships of its account and the policies of the businesses. Every
 * kind of credential gets its permissions here, so no rule applies to one kind only by accident.
 */
import type { CallerLimits, Permission, SecondFactor, Withheld } from './caller.ts';

/** A role in a business, with the policies of the business that affect the account. */
export type Membership = Readonly<{
  businessId: string;
  permissions: readonly Permission[];
  /** When the business starts to require a second factor. Null if it doesn't. */
  secondFactorFrom: number | null;
  /** Whether the business enforces single sign-on for the email domain of the account. */
  requiresSso: boolean;
  /** Raised when a policy is turned on. Keys confirmed for an earlier policy don't work in the business. */
  keyPolicy: number;
}>;

type KeyScopes = Readonly<{ businesses: readonly string[]; permissions: readonly Permission[] }>;

/** How an API key was confirmed for a business: for which policy, and whether in a session from its single sign-on. */
export type KeyConfirmations = Readonly<Record<string, Readonly<{ policy: number; sso: boolean }>>>;

export type KeyFacts = Readonly<{
  scopes: KeyScopes | null;
  /** The business whose single sign-on began the session that created the key. The key is limited to it. */
  ssoBusiness: string | null;
  /** The key generation of the account when the key was created or confirmed. */
  generation: number;
  confirmations: KeyConfirmations;
}>;

export type Credential =
  /** A login to the account. */
  | { kind: 'SESSION' }
  /** A login to one business. */
  | { kind: 'SSO'; businessId: string }
  /** An ADMIN who views one business as its customer. */
  | { kind: 'SUPPORT'; businessId: string }
  | ({ kind: 'KEY' } & KeyFacts)
  /** The account itself, for what outlasts a login: mailed invitations and background work. */
  | { kind: 'ACCOUNT' };

type Account = Readonly<{ secondFactors: readonly SecondFactor[]; keyGeneration: number }>;

export type Rights = Readonly<{
  permissions: ReadonlyMap<string, ReadonlySet<Permission>>;
  /** Memberships without permissions. Every membership is in exactly one of the two maps. */
  withheld: ReadonlyMap<string, Withheld>;
  /** Businesses that require a second factor that the account lacks, and when the requirement takes effect. */
  requiredBy: ReadonlyMap<string, number>;
  limits: CallerLimits | null;
  /** The next time at which the result changes. Infinity if it doesn't. */
  changesAt: number;
}>;

export function rightsOf(
  credential: Credential,
  account: Account,
  memberships: readonly Membership[],
  nowSeconds: number,
): Rights {
  const limits = limitsOf(credential);
  const permissions = new Map<string, Set<Permission>>();
  const withheld = new Map<string, Withheld>();
  const requiredBy = new Map<string, number>();
  let changesAt = Number.POSITIVE_INFINITY;
  for (const membership of memberships) {
    const { businessId, secondFactorFrom } = membership;
    const reason = withholds(credential, limits, account, membership, nowSeconds);
    if (secondFactorFrom !== null && secondFactorFrom > nowSeconds) changesAt = Math.min(changesAt, secondFactorFrom);
    const isReached = reason !== 'OUT_OF_SCOPE' && reason !== 'SSO_REQUIRED';
    if (secondFactorFrom !== null && account.secondFactors.length === 0 && isReached) {
      requiredBy.set(businessId, secondFactorFrom);
    }
    if (reason !== null) withheld.set(businessId, reason);
    else permissions.set(businessId, new Set([...(permissions.get(businessId) ?? []), ...membership.permissions]));
  }
  const scope = credential.kind === 'KEY' ? credential.scopes : null;
  if (!scope) return { permissions, withheld, requiredBy, limits, changesAt };
  const scoped = new Map([...permissions].map(([id, granted]) => [id, intersect(granted, new Set(scope.permissions))]));
  return { permissions: scoped, withheld, requiredBy, limits, changesAt };
}

function withholds(
  credential: Credential,
  limits: CallerLimits | null,
  account: Account,
  membership: Membership,
  nowSeconds: number,
): Withheld | null {
  const { businessId, requiresSso, secondFactorFrom } = membership;
  if (credential.kind === 'SUPPORT' || (limits && !limits.businesses.has(businessId))) return 'OUT_OF_SCOPE';
  if (credential.kind === 'SESSION' && requiresSso) return 'SSO_REQUIRED';
  const isDue = secondFactorFrom !== null && secondFactorFrom <= nowSeconds;
  if (isDue && account.secondFactors.length === 0) return 'SECOND_FACTOR_MISSING';
  if (credential.kind !== 'KEY') return null;
  if (!isConfirmed(credential, account)) return 'KEY_UNCONFIRMED';
  return isConfirmedIn(credential, { ...membership, secondFactorFrom: isDue ? secondFactorFrom : null })
    ? null
    : 'KEY_UNCONFIRMED';
}

/** Whether the key works at all: false if the account has added its first second factor since the key was confirmed. */
export const isConfirmed = (key: KeyFacts, { keyGeneration }: Pick<Account, 'keyGeneration'>): boolean =>
  key.generation >= keyGeneration;

/** Whether the key is confirmed for the policies of the business. */
export function isConfirmedIn(
  { confirmations }: KeyFacts,
  { businessId, requiresSso, secondFactorFrom, keyPolicy }: Membership,
): boolean {
  if (!requiresSso && secondFactorFrom === null) return true;
  const { policy, sso } = confirmations[businessId] ?? { policy: 0, sso: false };
  return policy >= keyPolicy && (sso || !requiresSso);
}

/** Whether the limits of the key let it act in the business. */
export const reaches = (
  { scopes, ssoBusiness }: Pick<KeyFacts, 'scopes' | 'ssoBusiness'>,
  businessId: string,
): boolean => (scopes?.businesses.includes(businessId) ?? true) && (ssoBusiness ?? businessId) === businessId;

function limitsOf(credential: Credential): CallerLimits | null {
  switch (credential.kind) {
    case 'SSO':
    case 'SUPPORT':
      return { kind: credential.kind, businesses: new Set([credential.businessId]) };
    case 'KEY': {
      const { scopes, ssoBusiness } = credential;
      if (!scopes && ssoBusiness === null) return null;
      const named = scopes?.businesses ?? [ssoBusiness!];
      return { kind: 'KEY', businesses: new Set(named.filter((id) => reaches(credential, id))) };
    }
    default:
      return null;
  }
}

/** ADMIN means all permissions, both in the account and in the scope. */
function intersect(granted: ReadonlySet<Permission>, scope: ReadonlySet<Permission>): ReadonlySet<Permission> {
  if (scope.has('ADMIN')) return granted;
  return granted.has('ADMIN') ? scope : new Set([...scope].filter((each) => granted.has(each)));
}
