import { forbidden, keyUnconfirmed, secondFactorMissing, ssoRequired } from '../errors.ts';

export const PERMISSIONS = [
  'ADMIN',
  'CATALOG_WRITE',
  'ORDER_READ',
  'ORDER_WRITE',
  'CONTENT_READ',
  'CONTENT_WRITE',
  'NEWSLETTER_SEND',
  'SUBSCRIBER_READ',
  'SUBSCRIBER_WRITE',
  'CUSTOMER_READ',
  'CUSTOMER_WRITE',
  'PROMO_WRITE',
  'MEDIA_WRITE',
  'BUSINESS_WRITE',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The limits of a scoped API key, of a session from single sign-on, and of a support session. */
export type CallerLimits = Readonly<{
  businesses: ReadonlySet<string>;
  /** The reason for the limits. It determines error messages and further restrictions. */
  kind: 'KEY' | 'SSO' | 'SUPPORT';
}>;

/** The reason why a membership gives no permissions to a credential. */
export type Withheld = 'OUT_OF_SCOPE' | 'SSO_REQUIRED' | 'SECOND_FACTOR_MISSING' | 'KEY_UNCONFIRMED';

export const SECOND_FACTORS = ['PASSKEY', 'TOTP'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

type CallerFactors = Readonly<{
  /** The second factors of the account. */
  methods: readonly SecondFactor[];
  hasPassword: boolean;
  /** When the session began, in Unix seconds. */
  loggedInAt: number;
  /** Businesses that require a second factor that the account lacks, and when the requirement takes effect. After that, permissions there are withheld. */
  requiredBy: ReadonlyMap<string, number>;
}>;
export const NO_FACTORS: CallerFactors = { methods: [], hasPassword: false, loggedInAt: 0, requiredBy: new Map() };

/** The caller of a request: a user with a session, a guest, or an API key acting as its owner. */
export type Caller = Readonly<{
  userId: string;
  /** EMAIL, GUEST, API, SSO, SUPPORT, or the name of the identity provider. */
  provider: string;
  email: string | null;
  name: string;
  isGuest: boolean;
  isConfirmed: boolean;
  /** Null for API keys. */
  sessionId: string | null;
  /** The ID of the API key. Null for sessions. */
  keyId: string | null;
  /** Permissions by business. A member without permissions has an empty set. */
  permissions: ReadonlyMap<string, ReadonlySet<Permission>>;
  /** Businesses where the caller is a member, but this credential has no permissions, and why. Absent if there are none. */
  withheld?: ReadonlyMap<string, Withheld>;
  /** Whether the caller is an API key that doesn't work until its owner confirms it. */
  isUnconfirmed?: boolean;
  /** Absent if the caller has all rights of the account. */
  limits?: CallerLimits;
  /** Whether an API key works from this IP address. Absent if it works from any. */
  allowsAddress?: (address: string) => boolean;
  factors: CallerFactors;
}>;

export function may(caller: Caller, businessId: string, permission: Permission): boolean {
  const granted = caller.permissions.get(businessId);
  return granted !== undefined && (granted.has(permission) || granted.has('ADMIN'));
}

/** The error for a caller without the permission, which says how to get it if it is only withheld. */
export function permissionRefusal({ withheld }: Caller, businessId: string, permission: Permission): Error {
  switch (withheld?.get(businessId)) {
    case 'KEY_UNCONFIRMED':
      return keyUnconfirmed();
    case 'SECOND_FACTOR_MISSING':
      return secondFactorMissing();
    case 'SSO_REQUIRED':
      return ssoRequired();
    default:
      return forbidden(`This requires the ${permission} permission in this business.`);
  }
}

/** All businesses of the account, including those where this credential has no permissions. */
export const membershipsOf = ({ permissions, withheld }: Caller): string[] => [
  ...permissions.keys(),
  ...(withheld?.keys() ?? []),
];

export const isMember = (caller: Caller, businessId: string) => caller.permissions.has(businessId);

/** The broadcast subject for changes to a caller's sessions, keys and permissions. */
export const userSubject = (userId: string) => `user:${userId}`;
