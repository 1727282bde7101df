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

export const isMember = (caller: Caller, businessId: string) => caller.permissions.has(businessId);

/** The broadcast subject for changes to a caller's sessions, keys and permissions. */
export const userSubject = (userId: string) => `user:${userId}`;
