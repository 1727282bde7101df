import type { StepsOf } from '../../../context/index.ts';
import { spend, spendMail } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { invalid } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { badReserveDomain, mailLinkBase } from './mail-links.ts';
import { MAIL_RESET_JOB, type MailResetJob, resetJob } from './mail-reset.ts';
import type { ForgotInput } from './schemas.ts';

/** Does the same for every e-mail: whether there is such a user is looked up later, by the job. */
export const forgotPassword: StepsOf<AccountServices, ForgotInput, MailResetJob, typeof SUCCESS, typeof SUCCESS> = {
  async prepare(ctx, { email, reserveDomain }) {
    const { limits } = ctx.accounts;
    const linkBase = mailLinkBase(ctx, reserveDomain);
    if (linkBase === null) throw invalid([badReserveDomain()]);
    await spend(ctx, limits.address, addressKey(ctx.address));
    await spendMail(ctx, email);
    return resetJob(ctx, email, linkBase);
  },
  async execute(ctx, _input, job) {
    await ctx.enqueue(MAIL_RESET_JOB, job);
    return SUCCESS;
  },
};
