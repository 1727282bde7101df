import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { inTransaction } from '../../db/connection.ts';
import { invalidField, rateLimited } from '../../shared/errors.ts';
import { deriveKey } from '../../shared/secrets.ts';
import type { AccountsContext } from './context.ts';
import { readPhone } from './phone-numbers.ts';
import {
  deletePhoneCode,
  findPhoneCodeSentAt,
  takePhoneTry,
  updateVerifiedPhone,
  upsertPhoneCode,
} from './phone-queries.ts';

const CODE_SECONDS = 600;
const RESEND_SECONDS = 60;
const MAX_TRIES = 5;

/** Sends a code of six digits to the number; the former one is void. */
export async function sendPhoneCode(context: AccountsContext, userId: string, text: string): Promise<void> {
  const { clock, limiter, limits, messages, pool } = context;
  const phoneNumber = readPhone(text, 'phoneNumber');
  const now = clock.seconds();
  const sentAt = await findPhoneCodeSentAt(pool, userId, phoneNumber);
  if (sentAt !== null && sentAt > now - RESEND_SECONDS) throw rateLimited(sentAt + RESEND_SECONDS - now);
  await limiter.spend(limits.sms, phoneNumber);
  await limiter.spend(limits.sms, userId);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await inTransaction(pool, async (tx) => {
    const written = await upsertPhoneCode(tx, {
      userId,
      phoneNumber,
      codeHash: hashCode(context, userId, phoneNumber, code),
      sentAt: now,
      expiresAt: now + CODE_SECONDS,
      resendSeconds: RESEND_SECONDS,
    });
    if (!written) throw rateLimited(RESEND_SECONDS);
    await messages.sms(tx, { to: phoneNumber, body: `Your code is ${code}. It is valid for 10 minutes.` });
  });
}

/** Every try is counted before it is looked at: guessing in parallel gains nothing. */
export async function confirmPhone(
  context: AccountsContext,
  userId: string,
  text: string,
  code: string,
): Promise<void> {
  const { clock, limiter, limits, pool } = context;
  const phoneNumber = readPhone(text, 'phoneNumber');
  await limiter.spend(limits.code, userId);
  const now = clock.seconds();
  const expected = await inTransaction(pool, (tx) => takePhoneTry(tx, userId, phoneNumber, MAX_TRIES, now));
  const given = hashCode(context, userId, phoneNumber, code.trim());
  if (!expected || !timingSafeEqual(expected, given)) throw codeInvalid();
  await inTransaction(pool, async (tx) => {
    if (!(await deletePhoneCode(tx, userId, phoneNumber, given))) throw codeInvalid();
    await updateVerifiedPhone(tx, userId, phoneNumber, now);
    await limiter.forgive(tx, limits.code, userId);
  });
}

const codeInvalid = () => invalidField('code', 'CODE_INVALID', 'The code is wrong, has expired or was used up.');

/** With a key: six digits alone could be tried out by anybody who reads the table. */
function hashCode({ config }: AccountsContext, userId: string, phoneNumber: string, code: string): Buffer {
  const key = deriveKey(config.secretKey, 'phone-codes');
  return createHmac('sha256', key).update(`${userId}\n${phoneNumber}\n${code}`).digest();
}
