import { spend } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { newId } from '../../../shared/ids.ts';
import type { Steps } from '../context.ts';
import { readPhone } from '../phone/phone-numbers.ts';
import { issueAccess, issueRefresh } from './open-session.ts';
import { insertGuest, type SessionCallerRow } from './queries.ts';
import type { AuthResult, LoginInput } from './schemas.ts';

/** How long a guest's session lasts. */
const GUEST_SECONDS = 30 * 86_400;

/**
 * Always a new guest: a phone number that was only typed proves nothing and opens nobody's orders. Shops log every visitor
 * in, so this is two short statements, and the guest's first request here reads nothing.
 */
export async function guestLogin(ctx: Steps, { phoneNumber }: LoginInput): Promise<AuthResult> {
  const phoneNumbers = phoneNumber ? [readPhone(phoneNumber, 'phoneNumber')] : [];
  const { gate, limits } = ctx.accounts;
  // Counted by a statement of its own: logins from one address share the counter, and must not wait for each other's disk.
  await spend(ctx, limits.address, addressKey(ctx.address));
  const guest = newGuest(ctx.now);
  const { userId, sessionId, expiresAt } = guest;
  const remember = gate.beginReading();
  await ctx.write((tx) =>
    insertGuest(tx, { userId, phoneNumbers, sessionId, now: ctx.now, sessionExpiresAt: expiresAt }),
  );
  return issueAccess(ctx, guest, await issueRefresh(ctx, guest), remember);
}

const newGuest = (nowSeconds: number): SessionCallerRow & { expiresAt: number } => ({
  userId: newId('usr'),
  email: null,
  isGuest: true,
  isConfirmed: false,
  provider: 'GUEST',
  sessionId: newId('ses'),
  lastUsedAt: nowSeconds,
  expiresAt: nowSeconds + GUEST_SECONDS,
  grants: [],
});
