import { timingSafeEqual } from 'node:crypto';
import { consumeLimit, resetLimit } from '../../../db/limits.ts';
import { invalidField } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { command } from '../context.ts';
import { MAX_TRIES } from './codes.ts';
import { readPhone } from './phone-numbers.ts';
import { claimPhoneAttempt, deletePhoneCode, updateVerifiedPhone } from './queries.ts';
import type { PhoneConfirmInput } from './schemas.ts';

/** Every attempt is counted before it is checked, so guessing in parallel gains nothing. */
export const confirmPhone = command({
  async prepare(ctx, { phoneNumber: text, code }: PhoneConfirmInput) {
    const { userId } = ctx.caller;
    const phoneNumber = readPhone(text, 'phoneNumber');
    await consumeLimit(ctx, ctx.accounts.limits.code, userId);
    const expected = await ctx.write((tx) => claimPhoneAttempt(tx, userId, phoneNumber, MAX_TRIES, ctx.now));
    const codeHash = ctx.accounts.hashPhoneCode(userId, phoneNumber, code.trim());
    if (!expected || !timingSafeEqual(expected, codeHash)) throw invalidCode();
    return { phoneNumber, codeHash };
  },
  async execute(ctx, { phoneNumber, codeHash }) {
    const { userId } = ctx.caller;
    if (!(await deletePhoneCode(ctx.db, userId, phoneNumber, codeHash))) throw invalidCode();
    await updateVerifiedPhone(ctx.db, userId, phoneNumber, ctx.now);
    await resetLimit(ctx, ctx.accounts.limits.code, userId);
    ctx.emitAccount({ type: 'user.updated', userId, data: { changed: ['phoneNumbers'] } });
    return SUCCESS;
  },
});

const invalidCode = () =>
  invalidField(
    'code',
    'CODE_INVALID',
    'The code is incorrect, has expired or has already been used. Check it or request a new one.',
  );
