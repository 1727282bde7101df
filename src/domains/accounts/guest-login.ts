import { inTransaction } from '../../db/connection.ts';
import { newId } from '../../shared/ids.ts';
import type { AccountsContext } from './context.ts';
import { readPhone } from './phone-numbers.ts';
import type { AuthResult, LoginInput } from './schemas.ts';
import { beginSession, GUEST_SECONDS } from './sessions.ts';
import { insertUser } from './user-queries.ts';

/** Always a new guest: a phone number that was only typed proves nothing and opens nobody's orders. */
export async function guestLogin(context: AccountsContext, { phoneNumber }: LoginInput): Promise<AuthResult> {
  const phoneNumbers = phoneNumber ? [readPhone(phoneNumber, 'phoneNumber')] : [];
  const now = context.clock.seconds();
  const guest = { id: newId('usr'), email: null, name: '', isConfirmed: false, isGuest: true };
  return inTransaction(context.pool, async (tx) => {
    await insertUser(tx, { ...guest, phoneNumbers, createdAt: now, lastLoginAt: now });
    return beginSession(context, tx, guest, 'GUEST', GUEST_SECONDS);
  });
}
