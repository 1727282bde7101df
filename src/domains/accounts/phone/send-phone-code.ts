import { consumeLimit } from '../../../db/limits.ts';
import { rateLimited } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command } from '../context.ts';
import { CODE_SECONDS, newCode, RESEND_SECONDS } from './codes.ts';
import { countryOf, readPhone } from './phone-numbers.ts';
import { findPhoneCodeSentAt, upsertPhoneCode } from './queries.ts';
import type { PhoneInput } from './schemas.ts';

/** Sends a six-digit code to the number and invalidates the previous one. `prepare` returns the number in E.164. */
export const sendPhoneCode = command({
  async prepare(ctx, input: PhoneInput) {
    const { limits } = ctx.accounts;
    const { userId } = ctx.caller;
    const phoneNumber = readPhone(input.phoneNumber, 'phoneNumber');
    const sentAt = await findPhoneCodeSentAt(ctx.db, userId, phoneNumber);
    if (sentAt !== null && sentAt > ctx.now - RESEND_SECONDS) throw rateLimited(sentAt + RESEND_SECONDS - ctx.now);
    // The country limit comes last, so that a caller over their own limits doesn't use up the shared one.
    await consumeLimit(ctx, limits.smsAddress, addressKey(ctx.address));
    await consumeLimit(ctx, limits.sms, userId);
    await consumeLimit(ctx, limits.sms, phoneNumber);
    await consumeLimit(ctx, limits.smsCountry, countryOf(phoneNumber));
    return phoneNumber;
  },
  async execute(ctx, phoneNumber) {
    const { userId } = ctx.caller;
    const code = newCode();
    const written = await upsertPhoneCode(ctx.db, {
      userId,
      phoneNumber,
      codeHash: ctx.accounts.hashPhoneCode(userId, phoneNumber, code),
      sentAt: ctx.now,
      expiresAt: ctx.now + CODE_SECONDS,
      resendSeconds: RESEND_SECONDS,
    });
    if (!written) throw rateLimited(RESEND_SECONDS);
    await ctx.sms({ to: phoneNumber, body: `Your code is ${code}. It expires in 10 minutes.` });
    return SUCCESS;
  },
});
