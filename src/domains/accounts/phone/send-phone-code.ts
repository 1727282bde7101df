import type { StepsOf } from '../../../context/index.ts';
import { spend } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { rateLimited } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { CODE_SECONDS, newCode, RESEND_SECONDS } from './codes.ts';
import { countryOf, readPhone } from './phone-numbers.ts';
import { findPhoneCodeSentAt, upsertPhoneCode } from './queries.ts';
import type { PhoneInput } from './schemas.ts';

/** Sends a code of six digits to the number; the former one is void. `prepare` returns the number in E.164. */
export const sendPhoneCode: StepsOf<AccountServices, PhoneInput, string, typeof SUCCESS, typeof SUCCESS> = {
  async prepare(ctx, input) {
    const { limits } = ctx.accounts;
    const { userId } = ctx.caller;
    const phoneNumber = readPhone(input.phoneNumber, 'phoneNumber');
    const sentAt = await findPhoneCodeSentAt(ctx.db, userId, phoneNumber);
    if (sentAt !== null && sentAt > ctx.now - RESEND_SECONDS) throw rateLimited(sentAt + RESEND_SECONDS - ctx.now);
    // The country's last: who has used up their own limits uses up nothing that others share.
    await spend(ctx, limits.smsAddress, addressKey(ctx.address));
    await spend(ctx, limits.sms, userId);
    await spend(ctx, limits.sms, phoneNumber);
    await spend(ctx, limits.smsCountry, countryOf(phoneNumber));
    return phoneNumber;
  },
  async execute(ctx, _input, phoneNumber) {
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
    await ctx.sms({ to: phoneNumber, body: `Your code is ${code}. It is valid for 10 minutes.` });
    return SUCCESS;
  },
};
