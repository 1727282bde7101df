import { spend, spendMail } from '../../../db/limits.ts';
import { invalid } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command } from '../context.ts';
import { badReserveDomain, mailLinkBase } from './mail-links.ts';
import { MAIL_RESET_JOB, type MailResetJob, resetJob } from './mail-reset.ts';
import type { ForgotInput } from './schemas.ts';

/** Does the same work for every email. The job looks up the user later, so timing doesn't reveal who is registered. */
export const forgotPassword = command({
  async prepare(ctx, { email, reserveDomain }: ForgotInput): Promise<MailResetJob> {
    const { limits } = ctx.accounts;
    const linkBase = mailLinkBase(ctx, reserveDomain);
    if (linkBase === null) throw invalid([badReserveDomain()]);
    await spend(ctx, limits.address, addressKey(ctx.address));
    await spendMail(ctx, email);
    return resetJob(ctx, email, linkBase);
  },
  async execute(ctx, job) {
    await ctx.enqueue(MAIL_RESET_JOB, job);
    return SUCCESS;
  },
});
