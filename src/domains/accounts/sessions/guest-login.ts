import { consumeLimit } from '../../../db/limits.ts';
import { newId } from '../../../shared/ids.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command } from '../context.ts';
import { checkPublishableKey } from '../keys/publishable-keys.ts';
import { readPhone } from '../phone/phone-numbers.ts';
import { issueAccess, issueRefresh } from './open-session.ts';
import { insertGuest, type SessionCallerRow } from './queries.ts';
import type { LoginInput } from './schemas.ts';

/** `origin`: the Origin header, required with a publishable key. */
type GuestInput = LoginInput & { publishableKey?: string | null; origin?: string | undefined };

/** How long a guest's session lasts. */
const GUEST_SECONDS = 30 * 86_400;

/**
 * Always creates a new guest: an unverified phone number must not give access to another guest's orders. Shops log in every
 * visitor, so a login takes only two short statements, and the guest's first request to this process needs no database read.
 */
export const guestLogin = command({
  async prepare(ctx, { phoneNumber, publishableKey = null, origin }: GuestInput) {
    const phoneNumbers = phoneNumber ? [readPhone(phoneNumber, 'phoneNumber')] : [];
    const { authenticator, limits } = ctx.accounts;
    // A separate statement: logins from one IP address share the counter and must not wait for each other's commit.
    await consumeLimit(ctx, limits.address, addressKey(ctx.address));
    const businessId = publishableKey && (await checkPublishableKey(ctx, publishableKey, origin));
    const guest = newGuest(ctx.now);
    const cacheCaller = authenticator.beginReading();
    const result = await issueAccess(ctx, guest, await issueRefresh(ctx, guest), cacheCaller);
    return { guest, phoneNumbers, result: businessId ? { ...result, businessId } : result };
  },
  async execute(ctx, { guest: { userId, sessionId, expiresAt }, phoneNumbers, result }) {
    ctx.issue(insertGuest(ctx.db, { userId, phoneNumbers, sessionId, now: ctx.now, sessionExpiresAt: expiresAt }));
    return result;
  },
});

const newGuest = (nowSeconds: number): SessionCallerRow & { expiresAt: number } => ({
  userId: newId('usr'),
  email: null,
  name: '',
  isGuest: true,
  isConfirmed: false,
  provider: 'GUEST',
  sessionId: newId('ses'),
  lastUsedAt: nowSeconds,
  expiresAt: nowSeconds + GUEST_SECONDS,
  grants: [],
  secondFactors: [],
  keyGeneration: 0,
  hasPassword: false,
  createdAt: nowSeconds,
});
