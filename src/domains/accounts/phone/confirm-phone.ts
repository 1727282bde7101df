import { timingSafeEqual } from 'node:crypto';
import type { StepsOf } from '../../../context/index.ts';
import { forgive, spend } from '../../../db/limits.ts';
import { invalidField } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { MAX_TRIES } from './codes.ts';
import { readPhone } from './phone-numbers.ts';
import { deletePhoneCode, takePhoneTry, updateVerifiedPhone } from './queries.ts';
import type { PhoneConfirmInput } from './schemas.ts';

type Checked = { phoneNumber: string; codeHash: Buffer };

/** Every try is counted before it is looked at: guessing in parallel gains nothing. */
export const confirmPhone: StepsOf<AccountServices, PhoneConfirmInput, Checked, typeof SUCCESS, typeof SUCCESS> = {
  async prepare(ctx, { phoneNumber: text, code }) {
    const { userId } = ctx.caller;
    const phoneNumber = readPhone(text, 'phoneNumber');
    await spend(ctx, ctx.accounts.limits.code, userId);
    const expected = await ctx.write((tx) => takePhoneTry(tx, userId, phoneNumber, MAX_TRIES, ctx.now));
    const codeHash = ctx.accounts.hashPhoneCode(userId, phoneNumber, code.trim());
    if (!expected || !timingSafeEqual(expected, codeHash)) throw codeInvalid();
    return { phoneNumber, codeHash };
  },
  async execute(ctx, _input, { phoneNumber, codeHash }) {
    const { userId } = ctx.caller;
    if (!(await deletePhoneCode(ctx.db, userId, phoneNumber, codeHash))) throw codeInvalid();
    await updateVerifiedPhone(ctx.db, userId, phoneNumber, ctx.now);
    await forgive(ctx, ctx.accounts.limits.code, userId);
    await ctx.emitAccount({ type: 'user.updated', userId, data: { changed: ['phoneNumbers'] } });
    return SUCCESS;
  },
};

const codeInvalid = () =>
  invalidField(
    'code',
    'CODE_INVALID',
    'The code is wrong, has expired or was used up. Check it, or ask for a new one.',
  );
